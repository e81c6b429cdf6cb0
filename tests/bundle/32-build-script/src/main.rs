fn main() {
    println!("{}", built::NUMBER);
    println!("{}", built::called() > 0);
}
