//! Games to learn from, and a match of two networks.

use fifty::games::wondev::board::{NEAR, Sq};
use fifty::games::wondev::eval::{chance, counts, row, stage, terms, weighed};
use fifty::games::wondev::net::HEIGHTS;
use fifty::games::wondev::policy::Nets;
use fifty::games::wondev::search::Search;
use fifty::games::wondev::state::{Flow, League, Move, State};
use fifty::games::wondev::unshipped::setup::{Setup, start};
use fifty::games::wondev::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::{Report, WON};
use fifty::search::game::Game;
use rayon::prelude::*;

/// Entries of a search's table, as a power of two.
const BITS: u32 = 14;
/// What a game's end counts in a position's value; the search's word counts the rest.
const END: f32 = 0.3;

/// A position to learn from.
#[derive(Clone)]
pub struct Sample {
    /// League 0: what own and other unit see: 25 times the kind of row, plus the cell of the window, its centre for far
    /// away.
    pub seen: [Vec<u16>; 2],
    /// Counts in quarters, in league 0 own minus enemy, and four times the share of levels built.
    pub counts: Vec<f32>,
    /// Value by the counts alone, in logistic units.
    pub before: f32,
    /// Chance to win.
    pub want: f32,
}

/// A search of its own with these networks.
fn searcher(nets: &Nets) -> Search {
    let mut search = Search::new(Weights::DEFAULT, BITS);
    search.set_nets(nets.clone());
    search
}

fn opening(league: League, seed: u64) -> State {
    let setup = Setup::new(league, Flow::Turn, seed as i64);
    start(&setup).0
}

/// The mover's moves; who has none dies, and then it is the other's turn. `None` at the game's end.
fn choices(state: &mut State) -> Option<Vec<Move>> {
    while !state.is_over() {
        let moves = state.legal();
        if !moves.is_empty() {
            return Some(moves);
        }
        state.die();
    }
    None
}

/// Whether a network is asked here: in league 0 nobody can climb to the top at once, in the others both live and meet.
fn quiet(state: &State) -> bool {
    if state.league() != League::Climb {
        return !state.is_over() && state.can_act() && !counts(state).1;
    }
    let tops = state.level(2) & !state.level(3) & !state.mask(0) & !state.mask(1);
    let climbs = |sq: Sq| state.height(sq) >= 2 && NEAR[sq.index()] & tops != 0;
    !state.is_over() && state.can_act() && (0..2).all(|player| !climbs(state.units(player)[0]))
}

/// The rows of one unit.
fn seen(state: &State, a: Sq, b: Sq) -> Vec<u16> {
    let height = state.height(a) as usize;
    let (ax, ay) = (i32::from(a.x()), i32::from(a.y()));
    let mut out = Vec::with_capacity(24);
    for k in (0..25).filter(|&k| k != 12) {
        let (x, y) = (ax + k % 5 - 2, ay + k / 5 - 2);
        let inside = (0..7).contains(&x) && (0..7).contains(&y);
        let sq = inside.then(|| Sq::at(x as u8, y as u8));
        let mut push = |kind: usize| out.push(((height * 5 + kind) * 25) as u16 + k as u16);
        match sq.filter(|sq| state.cells() & sq.bit() != 0) {
            Some(sq) => (0..state.height(sq) as usize).for_each(push),
            None => push(4),
        }
    }
    let (dx, dy) = (i32::from(b.x()) - ax, i32::from(b.y()) - ay);
    let place = if dx.abs() <= 2 && dy.abs() <= 2 { 5 * (dy + 2) + dx + 2 } else { 12 };
    out.push(((5 * HEIGHTS + state.height(b) as usize) * 25) as u16 + place as u16);
    out
}

fn sample(state: &State, value: i32) -> Sample {
    let row = row(&Weights::DEFAULT, state.league(), state.cells());
    let (both, alone) = counts(state);
    let before = weighed(&both, alone, stage(state, &row), &row) as f32 / 200.0;
    let built: u32 = (0..4).map(|k| state.level(k).count_ones()).sum();
    let (seen, counts) = if state.league() == League::Climb {
        let [own, foe] = [0, 1].map(|k| state.units(state.mover() ^ k)[0]);
        ([seen(state, own, foe), seen(state, foe, own)], terms(&both).to_vec())
    } else {
        ([vec![], vec![]], both.concat())
    };
    let quarters = counts.iter().map(|&count| count as f32 / 4.0);
    Sample {
        seen,
        counts: quarters.chain([built as f32 / state.cells().count_ones() as f32]).collect(),
        before,
        want: chance(value),
    }
}

/// Plays one game. Beside each position a neighbour one drawn move away is searched too, as leaves are no better played.
pub fn play(nets: &Nets, league: League, work: u64, seed: u64) -> Vec<Sample> {
    let mut rng = Rng::new(seed);
    let mut search = searcher(nets);
    let mut think = |state: &State| -> Report<Move> { search.think(state, &state.legal(), Limit::work(work)) };
    let mut state = opening(league, rng.next_u64());
    let drawn = rng.below(7);
    let stray = [0, 4, 8, 16][rng.below(4) as usize];
    let mut samples = Vec::new();
    // Those of the game itself, with their movers, since the last stray move.
    let mut line: Vec<(usize, usize)> = Vec::new();
    for ply in 0.. {
        let Some(moves) = choices(&mut state) else { break };
        let any = moves[rng.below(moves.len() as u32) as usize];
        if ply < drawn {
            state.play(any);
            continue;
        }
        let mut beside = state;
        beside.play(moves[rng.below(moves.len() as u32) as usize]);
        if quiet(&beside) {
            samples.push(sample(&beside, think(&beside).value));
        }
        let found = think(&state);
        let proven = found.value.abs() >= WON;
        if quiet(&state) {
            if !proven {
                line.push((samples.len(), state.mover()));
            }
            samples.push(sample(&state, found.value));
        }
        if stray > 0 && !proven && rng.below(stray) == 0 {
            line.clear();
            state.play(any);
        } else {
            state.play(found.best.unwrap_or(any));
        }
    }
    for (at, mover) in line {
        let end = state.payoff()[mover];
        samples[at].want += END * (end - samples[at].want);
    }
    samples
}

/// Share of the points that `one` makes against `other`, in pairs of games with seats swapped.
pub fn compare(one: &Nets, other: &Nets, league: League, work: u64, pairs: u64) -> f32 {
    let points: Vec<f32> = (0..2 * pairs)
        .into_par_iter()
        .map(|game| {
            let seat = game as usize % 2;
            let mut sides = [one, other].map(|nets| Box::new(searcher(nets)));
            let mut state = opening(league, game / 2);
            let mut rng = Rng::new(game / 2);
            for ply in 0.. {
                let Some(moves) = choices(&mut state) else { break };
                let any = moves[rng.below(moves.len() as u32) as usize];
                let side = &mut sides[usize::from(state.mover() != seat)];
                let best = if ply < 2 { None } else { side.think(&state, &moves, Limit::work(work)).best };
                state.play(best.unwrap_or(any));
            }
            state.payoff()[seat]
        })
        .collect();
    points.iter().sum::<f32>() / points.len().max(1) as f32
}
