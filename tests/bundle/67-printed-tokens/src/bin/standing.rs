fn main() {
    println!("{:?}", tells::standing!());
}
