//! The position as the searches want it: what every placement would gain, kept up to date.
//!
//! For each graph and class a row of 64 bytes holds the gain of that class on each empty cell, so the
//! worth of a tile on all cells at once is a handful of vector instructions, and a best reply costs less
//! than one placement. Copied, not undone: 800 bytes move faster than the rows could be restored.
//!
//! Only for legal supply (at most 16 tiles of a class, so that gains fit a byte). Values of placements
//! are biased by [`BIAS`] and cut off at `-BIAS` points: no choice worth making loses that much at once.

use super::board::{flood, key, Board};
use super::cells::{Cell, NEIGHBOURS};
use super::state::{Move, State, TURNS};
use super::tiles::{Kind, Tiles};
use crate::kit::bits::Bits;
use crate::kit::rng::Rng;
use crate::search::game::Game;

/// Adjacent pairs of cells.
const EDGES: i32 = 80;

/// Added to the value of a placement.
pub const BIAS: u8 = 64;

/// One byte per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Row(pub [u8; 64]);

impl Row {
    /// All cells 0.
    pub const ZERO: Self = Self([0; 64]);

    /// The largest byte.
    #[inline(always)]
    pub fn max(&self) -> u8 {
        let mut half = [0u8; 32];
        for (i, h) in half.iter_mut().enumerate() {
            *h = self.0[i].max(self.0[i + 32]);
        }
        let mut quarter = [0u8; 16];
        for (i, q) in quarter.iter_mut().enumerate() {
            *q = half[i].max(half[i + 16]);
        }
        let mut best = 0;
        for q in quarter {
            best = best.max(q);
        }
        best
    }

    /// The first cell that holds `value`, which must be there.
    #[inline(always)]
    pub fn find(&self, value: u8) -> Cell {
        const LOW: u64 = 0x0101_0101_0101_0101;
        for (i, chunk) in self.0.chunks_exact(8).enumerate() {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(chunk);
            let x = u64::from_le_bytes(bytes) ^ (LOW * u64::from(value));
            let hit = x.wrapping_sub(LOW) & !x & (LOW << 7);
            if hit != 0 {
                return Cell(i as u8 * 8 + (hit.trailing_zeros() / 8) as u8);
            }
        }
        debug_assert!(false, "no such byte");
        Cell(0)
    }
}

/// Board, hands and gains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Gain of each class on each cell, per graph; meaningless on taken cells.
    gains: [[Row; 4]; 2],
    /// Size of the group of each taken cell, per graph.
    sizes: [Row; 2],
    /// 255 on empty cells, 0 on taken ones.
    open: Row,
    sets: [[u64; 4]; 2],
    /// Sum of each row of gains over the empty cells.
    sums: [[i32; 4]; 2],
    /// Sum over adjacent empty cells of the product of their gains, each plus 1.
    pairs: [[i32; 4]; 2],
    /// Tiles each player has still to place, by owner, graph and class.
    left: [[[u8; 4]; 2]; 2],
    empty: u64,
    hash: u64,
    /// Both hands.
    pub hands: [Tiles; 2],
    /// FIRST's points less SECOND's.
    pub margin: i32,
    /// Tiles placed.
    pub turn: u8,
}

const _: () = assert!(core::mem::size_of::<Field>() <= 960);

impl Field {
    /// The same position with gains.
    pub fn new(state: &State) -> Self {
        let board: &Board = &state.board;
        let mut out = Self {
            gains: [[Row([1; 64]); 4]; 2],
            sizes: [Row::ZERO; 2],
            open: Row([255; 64]),
            sets: [[0; 4]; 2],
            sums: [[64; 4]; 2],
            pairs: [[EDGES * 4; 4]; 2],
            left: [[[0; 4]; 2]; 2],
            empty: !0,
            hash: 0,
            hands: state.hands,
            margin: 0,
            turn: state.turn,
        };
        for seat in 0..2 {
            let owned = Tiles(state.hands[seat].0 + state.bags[seat].0);
            for kind in owned.kinds() {
                for graph in 0..2 {
                    out.left[seat][graph][kind.class(graph)] += owned.count(kind) as u8;
                }
            }
        }
        for cell in Bits(board.occupied()).map(|c| Cell(c as u8)) {
            if let Some(kind) = board.tile(cell) {
                out.put(cell, kind);
            }
        }
        out
    }

    /// Seat to move.
    #[inline(always)]
    pub const fn mover(&self) -> usize {
        (self.turn & 1) as usize
    }

    /// Empty cells.
    #[inline(always)]
    pub const fn empty(&self) -> u64 {
        self.empty
    }

    /// Gains plus 1 of one class, summed over the empty neighbours of a cell.
    #[inline(always)]
    fn beside(&self, graph: usize, class: usize, cell: Cell) -> i32 {
        let mut sum = 0;
        for n in Bits(cell.neighbours() & self.empty) {
            sum += i32::from(self.gains[graph][class].0[(n & 63) as usize]) + 1;
        }
        sum
    }

    /// What an average tile of those that `owner` has still to place would gain in `graph` by links,
    /// summed over all empty cells, in 1/32 of a point.
    #[inline(always)]
    pub fn links(&self, owner: usize, graph: usize) -> i32 {
        let empty = self.empty.count_ones() as i32;
        let left = &self.left[owner][graph];
        let (mut sum, mut tiles) = (0, 0);
        for (&n, &gains) in left.iter().zip(&self.sums[graph]) {
            sum += i32::from(n) * (gains - empty);
            tiles += i32::from(n);
        }
        sum * 32 / tiles.max(1)
    }

    /// What two tiles of the same class on adjacent empty cells would join, summed over all such cells
    /// and weighted with the chance that two tiles still to come are both of that class, in 1/32 of a
    /// point.
    #[inline(always)]
    pub fn joints(&self, graph: usize) -> i32 {
        let mut sum = 0.0;
        for class in 0..4 {
            let n = 16.0 - self.sets[graph][class].count_ones() as f32;
            sum += n * (n - 1.0) * self.pairs[graph][class] as f32;
        }
        let tiles = (64.0 - f32::from(self.turn)).max(2.0);
        (sum * 16.0 / (tiles * (tiles - 1.0))) as i32
    }

    /// 255 on empty cells, 0 on taken ones.
    #[inline(always)]
    pub const fn open(&self) -> &Row {
        &self.open
    }

    /// Equal for equal boards and hands. The turn follows from the board.
    #[inline(always)]
    pub const fn hash(&self) -> u64 {
        let hands = self.hands[0].0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ self.hands[1]
                .0
                .wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
                .rotate_left(29);
        self.hash ^ hands ^ (hands >> 31)
    }

    /// What a tile is worth to `seat` on every empty cell, biased; 0 on taken cells.
    #[inline(always)]
    pub fn values(&self, seat: usize, kind: Kind) -> Row {
        let own = &self.gains[seat][kind.class(seat)];
        let other = &self.gains[1 - seat][kind.class(1 - seat)];
        let mut out = Row::ZERO;
        for i in 0..64 {
            out.0[i] = own.0[i].saturating_add(BIAS).saturating_sub(other.0[i]) & self.open.0[i];
        }
        out
    }

    /// The best of all tiles in `seat`'s hand on every cell, biased; 0 on taken cells and for no tile.
    #[inline(always)]
    pub fn best_values(&self, seat: usize) -> Row {
        let mut out = Row::ZERO;
        for kind in self.hands[seat].kinds() {
            let own = &self.gains[seat][kind.class(seat)];
            let other = &self.gains[1 - seat][kind.class(1 - seat)];
            for i in 0..64 {
                let v = own.0[i].saturating_add(BIAS).saturating_sub(other.0[i]);
                out.0[i] = out.0[i].max(v);
            }
        }
        for i in 0..64 {
            out.0[i] &= self.open.0[i];
        }
        out
    }

    /// What the margin changes by a tile on an empty cell, exact.
    #[inline(always)]
    pub fn change(&self, mv: Move) -> i32 {
        let gain =
            |graph: usize| i32::from(self.gains[graph][mv.kind.class(graph)].0[(mv.cell.0 & 63) as usize]);
        gain(0) - gain(1)
    }

    /// Plays the mover's move, without a draw.
    #[inline(always)]
    pub fn play(&mut self, mv: Move) {
        let seat = self.mover();
        self.hands[seat].remove(mv.kind);
        for graph in 0..2 {
            self.left[seat][graph][mv.kind.class(graph)] -= 1;
        }
        self.turn += 1;
        self.put(mv.cell, mv.kind);
    }

    /// Puts a tile on an empty cell and brings the gains around it up to date.
    #[inline(always)]
    fn put(&mut self, cell: Cell, kind: Kind) {
        let bit = cell.bit();
        let at = (cell.0 & 63) as usize;
        debug_assert!(self.empty & bit != 0);
        self.margin += self.change(Move { cell, kind });
        self.empty ^= bit;
        self.open.0[at] = 0;
        self.hash ^= key(cell, kind);
        for graph in 0..2 {
            for class in 0..4 {
                let gone = i32::from(self.gains[graph][class].0[at]);
                self.sums[graph][class] -= gone;
                self.pairs[graph][class] -= (gone + 1) * self.beside(graph, class, cell);
            }
            let class = kind.class(graph);
            let mut grown = 0;
            let set = self.sets[graph][class] | bit;
            self.sets[graph][class] = set;
            let group = flood(bit, set);
            let size = group.count_ones();
            let mut around = 0;
            for c in Bits(group) {
                self.sizes[graph].0[(c & 63) as usize] = size as u8;
                around |= NEIGHBOURS[(c & 63) as usize];
            }
            for c in Bits(around & self.empty) {
                let others = NEIGHBOURS[(c & 63) as usize] & set & !group;
                let new = gain(size, others, set, &self.sizes[graph]);
                let old = core::mem::replace(&mut self.gains[graph][class].0[(c & 63) as usize], new);
                let more = i32::from(new) - i32::from(old);
                if more != 0 {
                    grown += more;
                    self.pairs[graph][class] += more * self.beside(graph, class, Cell(c as u8));
                }
            }
            self.sums[graph][class] += grown;
        }
    }
}

/// The game with open hands only: draws are made by whoever holds the bags.
impl Game<2> for Field {
    type Move = Move;

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.turn >= TURNS || self.hands[self.mover()].is_empty()
    }

    fn payoff(&self) -> [f32; 2] {
        let first = (self.margin.signum() + 1) as f32 / 2.0;
        [first, 1.0 - first]
    }

    #[inline(always)]
    fn to_move(&self) -> usize {
        self.mover()
    }

    fn moves(&self, seat: usize, out: &mut Vec<Move>) {
        for kind in self.hands[seat].kinds() {
            out.extend(Bits(self.empty).map(|cell| Move {
                cell: Cell(cell as u8),
                kind,
            }));
        }
    }

    #[inline(always)]
    fn advance(&mut self, joint: &[Move; 2], _: &mut Rng) {
        self.play(joint[self.mover()]);
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        Self::hash(self)
    }
}

/// What joins a group of `size` with the groups of the cells `others`, at most two of them.
#[inline(always)]
fn gain(size: u32, others: u64, set: u64, sizes: &Row) -> u8 {
    if others == 0 {
        return (2 * size + 1) as u8;
    }
    let first = others.trailing_zeros();
    let a = u32::from(sizes.0[(first & 63) as usize]);
    let rest = others & (others - 1);
    if rest == 0 || flood(1 << first, set) & rest != 0 {
        return (1 + 2 * (size + a + size * a)) as u8;
    }
    let b = u32::from(sizes.0[(rest.trailing_zeros() & 63) as usize]);
    (1 + 2 * (size + a + b + size * a + size * b + a * b)) as u8
}

#[cfg(test)]
mod tests {
    use super::{Field, BIAS};
    use crate::games::connexion::cells::Cell;
    use crate::games::connexion::state::{Move, State, TURNS};
    use crate::kit::bits::Bits;
    use crate::kit::rng::Rng;

    /// Along random games that like big groups, every gain agrees with the board's.
    #[test]
    fn gains_agree_with_the_board() {
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let mut state = State::deal(&mut rng);
            let mut field = Field::new(&state);
            while state.turn < TURNS {
                for cell in Bits(field.empty()).map(|c| Cell(c as u8)) {
                    for graph in 0..2 {
                        for class in 0..4 {
                            let want = state.board.gain(graph, class, cell);
                            assert_eq!(i16::from(field.gains[graph][class].0[cell.0 as usize]), want);
                        }
                    }
                }
                for seat in 0..2 {
                    let best = field.best_values(seat);
                    for cell in 0..64u8 {
                        let mut want = 0;
                        for kind in field.hands[seat].kinds() {
                            let row = field.values(seat, kind);
                            want = want.max(row.0[cell as usize]);
                            let mv = Move {
                                cell: Cell(cell),
                                kind,
                            };
                            if field.empty() >> cell & 1 == 1 {
                                let change = field.change(mv) * if seat == 0 { 1 } else { -1 };
                                let biased = (change + i32::from(BIAS)).clamp(0, 255);
                                assert_eq!(i32::from(row.0[cell as usize]), biased);
                            }
                        }
                        assert_eq!(best.0[cell as usize], want);
                    }
                    assert_eq!(best.0[best.find(best.max()).0 as usize], best.max());
                }
                let seat = state.mover();
                let mut moves: Vec<Move> = state.legal(seat).collect();
                rng.shuffle(&mut moves);
                let value = |m: &Move| {
                    state
                        .board
                        .gain((seed % 2) as usize, m.kind.class((seed % 2) as usize), m.cell)
                };
                let mv = moves.iter().copied().max_by_key(value).unwrap();
                state.advance_random(mv, &mut rng);
                field.play(mv);
                field.hands = state.hands;
                assert_eq!(field.margin, state.board.margin());
                let fresh = Field::new(&state);
                assert_eq!(
                    (field.sizes, field.sets, field.open),
                    (fresh.sizes, fresh.sets, fresh.open)
                );
                assert_eq!((field.hash(), field.turn), (fresh.hash(), fresh.turn));
                for graph in 0..2 {
                    for class in 0..4 {
                        let sum =
                            Bits(field.empty()).map(|c| i32::from(field.gains[graph][class].0[c as usize]));
                        assert_eq!(field.sums[graph][class], sum.sum());
                        let plus = |c: u32| i32::from(field.gains[graph][class].0[c as usize]) + 1;
                        let beside = |c: u32| {
                            Bits(Cell(c as u8).neighbours() & field.empty())
                                .map(plus)
                                .sum::<i32>()
                        };
                        let twice: i32 = Bits(field.empty()).map(|c| plus(c) * beside(c)).sum();
                        assert_eq!(field.pairs[graph][class] * 2, twice);
                    }
                    assert_eq!(field.left, fresh.left);
                }
            }
        }
    }
}
