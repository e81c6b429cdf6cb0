fn main() {
    println!("{}", linked::seven());
}
