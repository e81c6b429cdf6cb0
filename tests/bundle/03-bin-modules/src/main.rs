mod board;
mod rules;

fn main() {
    let board = board::Board::new(3);
    println!("{}", rules::legal(&board));
}
