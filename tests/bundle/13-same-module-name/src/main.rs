#[path = "bin_board.rs"]
mod board;

fn main() {
    println!("{} {}", board::who(), b13::board::who());
}
