use b19::*;

fn hidden() -> &'static str {
    "mine"
}

fn main() {
    println!("{:?} {}", all(&Board::default()), hidden());
}
