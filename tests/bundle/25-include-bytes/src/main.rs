static DATA: &[u8; 8] = include_bytes!("data.bin");

fn main() {
    println!("{:?} {}", DATA, include_bytes!("../Cargo.toml").len());
}
