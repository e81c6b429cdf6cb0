fn main() {
    let drained = own_newer::climb(7, 3, 9);
    println!("{drained:?} {} {}", own_older::total(), own_older::size_of_first());
    println!("{:?}", own_newer::noted(4));
}
