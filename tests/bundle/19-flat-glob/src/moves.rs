use crate::Board;
use crate::board::hidden;

#[derive(Debug)]
pub struct Move(pub u8);

pub fn all(board: &Board) -> Vec<Move> {
    (board.0..hidden()).map(Move).collect()
}
