//! The shared alpha-beta and, where it can tell, a prover: which is asked first and how they share the limit.
//!
//! What the alpha-beta is told is [`super::policy`]'s matter. The search never sees fog: it is given a full position
//! and plays by league 2 there.

use super::alone::Alone;
use super::policy::{Nets, Opinion};
use super::state::{League, Move, State};
use super::weights::Weights;
use crate::kit::clock::Limit;
use crate::search::alphabeta::{AlphaBeta, Report, WON};
use crate::search::proof::Prover;

/// Moves of a position at most: two units, eight steps, eight builds each, and as many pushes.
const WIDEST: usize = 160;

/// Positions that a prover looks at in the time of one node of alpha-beta.
const CHEAPER: u64 = 8;
/// Positions that a prover remembers, and as many of a region: a mebibyte, which stays in the caches.
const FACTS: usize = 1 << 16;
/// Moves of a prover's line.
const ROOM: usize = 1 << 12;

/// The search with its tables, which live through a game.
pub struct Search {
    deep: AlphaBeta<State, Opinion>,
    prover: Prover<Move>,
    alone: Alone,
    /// Where the last search's answer came from the prover.
    sure: Option<Move>,
}

impl Search {
    /// Fresh tables: `2^bits` entries of 16 bytes.
    pub fn new(weights: Weights, bits: u32) -> Self {
        Self {
            deep: AlphaBeta::new(Opinion::new(weights), 1 << bits, WIDEST),
            prover: Prover::new(FACTS.min(1 << bits), ROOM),
            alone: Alone::new(FACTS.min(1 << bits)),
            sure: None,
        }
    }

    /// Values positions by other networks from now on.
    pub fn set_nets(&mut self, nets: Nets) {
        self.deep.policy.set_nets(nets);
    }

    /// Searches `root` over `moves` (all legal there) until the limit, or until all is proven. In league 0 a prover asks
    /// first whether the mover wins, leaves out moves known to lose, and at last tries to refute the best.
    pub fn think(&mut self, root: &State, moves: &[Move], limit: Limit) -> Report<Move> {
        self.deep.policy.face(root);
        self.sure = None;
        let Weights {
            prove_root,
            prove_best,
            prove_from,
            ..
        } = self.deep.policy.weights;
        if root.league() != League::Climb && moves.len() > 1 && Alone::is_asked(root) {
            let (first, rest) = limit.split(50);
            let best = self.alone.best(root, moves, first);
            let among = best.as_deref().unwrap_or(moves);
            let mut report = self.deep.search_among(&mut root.clone(), among, rest);
            report.nodes += self.alone.nodes;
            return report;
        }
        if root.league() != League::Climb || moves.len() < 2 {
            return self.deep.search_among(&mut root.clone(), moves, limit);
        }
        let me = root.mover();
        let built: u32 = (0..4).map(|k| root.level(k).count_ones()).sum();
        let late = built >= prove_from as u32;
        let (first, rest) = limit.split(if late { prove_root as u64 } else { 0 });
        let (middle, last) = rest.split(100_u64.saturating_sub(prove_best as u64));
        let won = self.proves(root, me, first);
        let mut good: Vec<Move> = Vec::with_capacity(moves.len());
        for &m in moves {
            match self.prover.known(&self.deep.policy, &after(root, m)) {
                Some(true) if won == Some(true) => {
                    self.sure = Some(m);
                    return Report {
                        best: Some(m),
                        value: WON,
                        depth: 0,
                        nodes: self.prover.nodes() / CHEAPER,
                        proven: true,
                    };
                }
                Some(false) => {}
                _ => good.push(m),
            }
        }
        if good.is_empty() {
            good.extend(moves);
        }
        let mut spent = self.prover.nodes() / CHEAPER;
        let mut report = self.deep.search_among(&mut root.clone(), &good, middle);
        if report.value <= -WON && good.len() < moves.len() {
            // All is lost: of all moves the one that lasts longest.
            spent += report.nodes;
            report = self.deep.search_among(&mut root.clone(), moves, last);
        }
        report.nodes += spent;
        if won == Some(false) {
            (report.value, report.proven) = (report.value.min(-WON), true);
        } else if report.value.abs() < WON {
            self.check(root, &mut report, last);
        }
        report
    }

    /// Whether `player` wins, if the prover can tell.
    fn proves(&mut self, root: &State, player: usize, mut limit: Limit) -> Option<bool> {
        limit.work = limit.work.saturating_mul(CHEAPER);
        self.prover.prove(&mut self.deep.policy, root, player, limit)
    }

    /// Takes the next best move for one after which the enemy is proven to win; a proven win is said.
    fn check(&mut self, root: &State, report: &mut Report<Move>, mut limit: Limit) {
        for (_, m) in self.deep.candidates(report.best) {
            let won = self.proves(&after(root, m), root.mover(), limit);
            let spent = self.prover.nodes() / CHEAPER;
            report.nodes += spent;
            limit.work = limit.work.saturating_sub(spent);
            if won == Some(true) {
                (report.value, report.proven) = (WON, true);
            }
            if won != Some(false) {
                report.best = Some(m);
                return;
            }
        }
    }

    /// Values and moves of the last search: see [`AlphaBeta::candidates`].
    pub fn candidates(&self, best: Option<Move>) -> Vec<(i32, Move)> {
        if self.sure.is_some() && self.sure == best {
            return self.sure.map(|m| (WON, m)).into_iter().collect();
        }
        self.deep.candidates(best)
    }

    /// Expected line after `first`.
    pub fn line(&self, root: &State, first: Move) -> Vec<Move> {
        self.deep.line(root, first)
    }
}

/// The position after a move.
fn after(root: &State, m: Move) -> State {
    let mut child = *root;
    child.play(m);
    child
}
