fn main() {
    println!("{} {}", asking::level!(), asking::own());
}
