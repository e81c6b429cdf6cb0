//! Placed tiles as masks per colour and symbol, both scores kept up to date, with take-back.
//!
//! Any set of placed tiles, reachable or not; whose turn it is and what the hands hold is `state`'s
//! affair. A group is found by flood fill when it is needed and never stored: three placements in four
//! touch no equal tile, and the fill costs about two nanoseconds a member where one does.

use super::cells::{Cell, NEIGHBOURS};
use super::tiles::Kind;
use crate::kit::rng::Rng;

/// Graph of equal symbols, FIRST's score.
pub const SYMBOLS: usize = 0;
/// Graph of equal colours, SECOND's score.
pub const COLOURS: usize = 1;

/// Masks and scores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// Cells of each symbol (graph 0) and of each colour (graph 1).
    sets: [[u64; 4]; 2],
    /// Sum of squared group sizes per graph.
    scores: [i16; 2],
    hash: u64,
}

const _: () = assert!(core::mem::size_of::<Board>() <= 80);

/// What [`Board::take_back`] needs: the scores before.
#[derive(Clone, Copy, Debug)]
pub struct Undo([i16; 2]);

const fn zobrist() -> [[u64; 16]; 64] {
    let mut keys = [[0; 16]; 64];
    let mut state = 0x00C0_77E1_1064_u64;
    let mut i = 0;
    while i < 1024 {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        keys[i / 16][i % 16] = z ^ (z >> 31);
        i += 1;
    }
    keys
}

/// Zobrist keys by cell and kind.
static KEYS: [[u64; 16]; 64] = zobrist();

/// The key of a tile on a cell; a board's hash is the exclusive or of its tiles'.
#[inline(always)]
pub fn key(cell: Cell, kind: Kind) -> u64 {
    KEYS[(cell.0 & 63) as usize][(kind.0 & 15) as usize]
}

/// Everything in `set` that hangs together with `seed`, which need not be in `set`.
#[inline(always)]
pub fn flood(seed: u64, set: u64) -> u64 {
    let mut group = seed;
    let mut frontier = seed;
    while frontier != 0 {
        let fresh = NEIGHBOURS[frontier.trailing_zeros() as usize & 63] & set & !group;
        group |= fresh;
        frontier = (frontier & (frontier - 1)) | fresh;
    }
    group
}

impl Board {
    /// No tile placed.
    pub const EMPTY: Self = Self {
        sets: [[0; 4]; 2],
        scores: [0; 2],
        hash: 0,
    };

    /// Cells with a tile.
    #[inline(always)]
    pub const fn occupied(&self) -> u64 {
        self.sets[0][0] | self.sets[0][1] | self.sets[0][2] | self.sets[0][3]
    }

    /// Cells without a tile.
    #[inline(always)]
    pub const fn empty(&self) -> u64 {
        !self.occupied()
    }

    /// Points by symbols (FIRST's) and by colours (SECOND's).
    #[inline(always)]
    pub const fn scores(&self) -> [i16; 2] {
        self.scores
    }

    /// FIRST's points less SECOND's.
    #[inline(always)]
    pub const fn margin(&self) -> i32 {
        self.scores[0] as i32 - self.scores[1] as i32
    }

    /// Zobrist hash of the placed tiles.
    #[inline(always)]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The tile on a cell.
    pub fn tile(&self, cell: Cell) -> Option<Kind> {
        let class = |graph: usize| (0..4).find(|&c| self.sets[graph][c] & cell.bit() != 0);
        Some(Kind::new(class(COLOURS)? as u8, class(SYMBOLS)? as u8))
    }

    /// What one graph's score gains by a tile of `class` on an empty cell.
    #[inline(always)]
    pub fn gain(&self, graph: usize, class: usize, cell: Cell) -> i16 {
        let set = self.sets[graph][class & 3];
        let mut touched = cell.neighbours() & set;
        let mut sum = 0;
        let mut squares = 0;
        while touched != 0 {
            let group = flood(touched & touched.wrapping_neg(), set);
            touched &= !group;
            let size = group.count_ones() as i16;
            sum += size;
            squares += size * size;
        }
        (sum + 1) * (sum + 1) - squares
    }

    /// Puts a tile on an empty cell.
    #[inline(always)]
    pub fn place(&mut self, cell: Cell, kind: Kind) -> Undo {
        debug_assert!(self.occupied() & cell.bit() == 0);
        let undo = Undo(self.scores);
        for graph in [SYMBOLS, COLOURS] {
            let class = kind.class(graph);
            self.scores[graph] += self.gain(graph, class, cell);
            self.sets[graph][class] |= cell.bit();
        }
        self.hash ^= key(cell, kind);
        undo
    }

    /// Undoes the latest [`place`](Self::place).
    #[inline(always)]
    pub fn take_back(&mut self, cell: Cell, kind: Kind, undo: Undo) {
        for graph in [SYMBOLS, COLOURS] {
            self.sets[graph][kind.class(graph)] ^= cell.bit();
        }
        self.scores = undo.0;
        self.hash ^= key(cell, kind);
    }

    /// The board seen through a symmetry: cells moved by `cells`, colours and symbols renamed, and
    /// with `exchange` every colour made the symbol of the same number and the reverse, which swaps the
    /// two scores.
    #[must_use]
    pub fn mapped(&self, cells: &[u8; 64], colours: [u8; 4], symbols: [u8; 4], exchange: bool) -> Self {
        let mut out = Self::EMPTY;
        for from in 0..64 {
            if let Some(kind) = self.tile(Cell(from)) {
                let (colour, symbol) = (colours[kind.colour()], symbols[kind.symbol()]);
                let kind = if exchange {
                    Kind::new(symbol, colour)
                } else {
                    Kind::new(colour, symbol)
                };
                let _ = out.place(Cell(cells[from as usize]), kind);
            }
        }
        out
    }

    /// A random full or partly filled board of legal supply: `tiles` placements, for tests and benches.
    pub fn random(tiles: usize, rng: &mut Rng) -> Self {
        let mut cells: Vec<u8> = (0..64).collect();
        let mut kinds: Vec<u8> = (0..64).map(|i| i / 4).collect();
        rng.shuffle(&mut cells);
        rng.shuffle(&mut kinds);
        let mut board = Self::EMPTY;
        for (&cell, &kind) in cells.iter().zip(&kinds).take(tiles) {
            let _ = board.place(Cell(cell), Kind(kind));
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::Board;
    use crate::games::connexion::cells::{Cell, AUTOMORPHISMS};
    use crate::games::connexion::tiles::Kind;
    use crate::kit::bits::Bits;
    use crate::kit::rng::Rng;

    #[test]
    fn the_example_of_the_rules_scores_24_to_20() {
        let text = "a4+ G2, a5- G1, b4- B2, b4+ Y2, b5- Y4, b5+ R4, b6- B4, c4+ R3, c5- R2, c5+ Y2";
        let mut board = Board::EMPTY;
        for item in text.split(", ") {
            let (cell, tile) = item.split_once(' ').unwrap();
            let _ = board.place(Cell::parse(cell).unwrap(), Kind::parse(tile).unwrap());
        }
        assert_eq!(board.scores(), [24, 20]);
    }

    #[test]
    fn take_back_restores_everything() {
        let mut rng = Rng::new(7);
        for _ in 0..200 {
            let mut board = Board::random(rng.below(64) as usize, &mut rng);
            let before = board.clone();
            for cell in Bits(board.empty()) {
                for k in 0..16 {
                    let undo = board.place(Cell(cell as u8), Kind(k));
                    assert_ne!(board.hash(), before.hash());
                    assert_eq!(board.tile(Cell(cell as u8)), Some(Kind(k)));
                    board.take_back(Cell(cell as u8), Kind(k), undo);
                    assert_eq!(board, before);
                }
            }
        }
    }

    #[test]
    fn symmetries_keep_the_scores() {
        let mut rng = Rng::new(8);
        for _ in 0..100 {
            let board = Board::random(1 + rng.below(64) as usize, &mut rng);
            let [first, second] = board.scores();
            for cells in &AUTOMORPHISMS {
                let (mut colours, mut symbols) = ([0, 1, 2, 3], [0, 1, 2, 3]);
                rng.shuffle(&mut colours);
                rng.shuffle(&mut symbols);
                assert_eq!(
                    board.mapped(cells, colours, symbols, false).scores(),
                    [first, second]
                );
                assert_eq!(
                    board.mapped(cells, colours, symbols, true).scores(),
                    [second, first]
                );
            }
        }
    }
}
