use crate::board::Board;

pub fn legal(board: &Board) -> usize {
    board.cells() - 1
}
