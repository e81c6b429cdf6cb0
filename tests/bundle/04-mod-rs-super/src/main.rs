mod board;

fn main() {
    println!("{:?}", board::cell::corner());
}
