fn main() {
    println!("the program, {}", b44::name());
}
