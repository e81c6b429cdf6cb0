fn main() {
    println!("{}", b44::name());
}
