fn main() {
    println!("{}", built::NUMBER);
}
