//! How likely each move is to be the one searched most, before any search.
//!
//! A move's logit is the sum of one table entry per count of [`super::traits`], and of what the hardest replies leave
//! of it ([`super::replies`]); the table is fitted with the latter beside it. Only the likeliest by the table are looked
//! at: they come out of a counting sort by steps of an eighth below the best.

use super::board::{dilate, Board, Square};
use super::learned::{decode, PRIOR};
use super::models::Model;
use super::moves::{Kind, Move};
use super::replies::worth;
use super::state::{State, SEATS};
use super::traits::{Around, LEVELS, TRAITS};
use super::weights::Weights;
use crate::kit::bits::Bits;
use crate::kit::cpu::Level;
use crate::search::policy::TreePolicy;

/// Entries of the tables: kind, trait, level.
pub const ENTRIES: usize = 4 * TRAITS * LEVELS;
/// Steps of the counting sort, eight to a logit; what is further below the best is dropped.
const STEPS: usize = 64;

/// The tables, and room to sort in.
#[derive(Clone, Debug)]
pub struct Prior {
    /// By kind, trait and level.
    pub table: [f32; ENTRIES],
    /// Moves a node keeps, at most 255.
    pub width: usize,
    /// What each seat is expected to do.
    pub models: [Model; SEATS],
    /// A modelled seat draws from `1 + widen * sqrt(visits)` of its moves.
    pub widen: f32,
    /// Logits that the whole board is worth after the hardest replies.
    pub replies: f32,
    found: Vec<(f32, Move)>,
    sorted: Vec<(f32, Move)>,
}

/// `e^x` for `x` in -20..=0, to about 0.2 %.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let y = x * std::f32::consts::LOG2_E;
    let whole = y.floor();
    let part = y - whole;
    let power = f32::from_bits(((whole as i32 + 127) << 23) as u32);
    power * (1.0 + part * (0.695_65 + part * (0.226_1 + part * 0.078_2)))
}

impl Prior {
    /// The tables as they were learned.
    pub fn learned(width: usize) -> Self {
        let mut table = [0.0; ENTRIES];
        for (entry, number) in table.iter_mut().zip(decode(PRIOR)) {
            *entry = number;
        }
        Self {
            width,
            models: [Model::Plans; SEATS],
            widen: 1.0,
            replies: Weights::DEFAULT.replies,
            table,
            found: Vec::with_capacity(1024),
            sorted: Vec::with_capacity(256),
        }
    }

    /// Places in the table whose numbers sum to the logit of a move; the first so many count.
    #[inline(always)]
    pub fn entries(around: &Around, m: Move) -> ([usize; TRAITS], usize) {
        let base = m.kind() as usize * TRAITS * LEVELS;
        let mut places = around.traits(m);
        for (i, place) in places.iter_mut().enumerate() {
            *place += base + i * LEVELS;
        }
        let used = match m.kind() {
            Kind::Pass => 1,
            Kind::Spread => 4,
            _ => TRAITS,
        };
        (places, used)
    }

    #[inline(always)]
    fn add(&mut self, around: &Around, m: Move) {
        let (places, used) = Self::entries(around, m);
        let logit = places[..used].iter().map(|&place| self.table[place]).sum();
        self.found.push((logit, m));
    }

    /// The moves of `seat` likeliest by the table, at most `width` (up to 255) of them, in the order of their shares of
    /// the probability; never empty.
    #[inline(always)]
    pub fn best(&mut self, board: &Board<SEATS>, seat: usize, width: usize) -> &[(f32, Move)] {
        self.likeliest(board, seat, width);
        let mut top = f32::MIN;
        for (logit, m) in &mut self.sorted {
            *logit += self.replies * worth(board, seat, *m);
            top = top.max(*logit);
        }
        let mut sum = 0.0;
        for (share, _) in &mut self.sorted {
            *share = exp((*share - top).max(-20.0));
            sum += *share;
        }
        for (share, _) in &mut self.sorted {
            *share /= sum;
        }
        self.sorted.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        &self.sorted
    }

    /// The same moves with the table's logits, in their order up to an eighth.
    #[inline(always)]
    fn likeliest(&mut self, board: &Board<SEATS>, seat: usize, width: usize) {
        self.found.clear();
        let around = Around::new(board, seat);
        let own = board.own[seat];
        self.add(&around, Move::PASS);
        for to in Bits(board.spreads(seat)) {
            let to = Square(to as u8);
            self.add(
                &around,
                Move::new(Kind::Spread, board.spread_source(seat, to), to),
            );
        }
        let into = board.merge_targets(seat);
        for from in Bits(own & dilate(into)) {
            let from = Square(from as u8);
            for to in Bits(from.near() & into) {
                self.add(&around, Move::new(Kind::Merge, from, Square(to as u8)));
            }
        }
        // Jumps that take nothing matter only where there is little else.
        let mut jumps = board.within_two(seat);
        if self.found.len() > 12 {
            jumps &= super::board::neighbours(board.enemies(seat));
        }
        for to in Bits(jumps) {
            let to = Square(to as u8);
            for from in Bits(to.ring() & own) {
                self.add(&around, Move::new(Kind::Jump, Square(from as u8), to));
            }
        }
        self.sort(width);
    }

    #[inline(always)]
    fn sort(&mut self, width: usize) {
        let top = self
            .found
            .iter()
            .fold(f32::MIN, |top, &(logit, _)| top.max(logit));
        let step = |logit: f32| ((top - logit) * 8.0) as usize;
        let mut places = [0u16; STEPS + 1];
        for &(logit, _) in &self.found {
            places[step(logit).min(STEPS)] += 1;
        }
        let mut next = 0;
        for place in &mut places {
            (*place, next) = (next, next + *place);
        }
        let kept = usize::from(places[STEPS]).min(width);
        self.sorted.clear();
        self.sorted.resize(kept, (0.0, Move::PASS));
        for &(logit, m) in &self.found {
            let step = step(logit).min(STEPS);
            let place = usize::from(places[step]);
            places[step] += 1;
            if place < kept && step < STEPS {
                self.sorted[place] = (logit, m);
            }
        }
    }
}

impl TreePolicy<State, SEATS> for Prior {
    type Prior = f32;
    const PUCT: bool = true;
    const TRY_ALL: bool = false;
    const FPU_REDUCTION: bool = true;
    const SORTED: bool = true;
    const MODELS: bool = true;
    const DISCOUNT: bool = true;
    const SOLVER: bool = false;
    const REUSE: bool = false;

    #[inline(always)]
    fn modelled(&self, seat: usize) -> bool {
        self.models[seat] != Model::Plans
    }

    #[inline(always)]
    fn may_stop(&self, state: &State) -> bool {
        !self.modelled(state.seat())
    }

    #[inline(always)]
    fn shown(&self, state: &State, visits: u32, len: usize) -> usize {
        if self.modelled(state.seat()) {
            1 + (self.widen * (visits as f32).sqrt()) as usize
        } else {
            len
        }
    }

    #[inline(always)]
    fn list<L: Level>(
        &mut self,
        state: &State,
        seat: usize,
        root: bool,
        moves: &mut Vec<Move>,
        priors: &mut Vec<f32>,
    ) {
        if self.modelled(seat) {
            self.models[seat].list(state.board(), seat, moves);
        } else {
            let width = if root { 255 } else { self.width };
            let best = self.best(state.board(), seat, width);
            moves.extend(best.iter().map(|&(_, m)| m));
            priors.extend(best.iter().map(|&(share, _)| share));
        }
    }
}
