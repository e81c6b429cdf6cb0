fn main() {
    println!("{}", b14_lib::seven());
}
