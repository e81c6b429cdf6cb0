fn main() {
    let mut buffer = [0u8; 16];
    getrandom::getrandom(&mut buffer).unwrap();
    println!("{}", buffer.iter().any(|b| *b != 0));
}
