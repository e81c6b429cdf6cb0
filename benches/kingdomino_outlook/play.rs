//! Games to learn from.

use super::view::{seen, View};
use fifty::games::kingdomino::exact::{is_open, Solver};
use fifty::games::kingdomino::playout::{greedy_playout, greedy_put, greedy_slot, Deck};
use fifty::games::kingdomino::search::Search;
use fifty::games::kingdomino::state::{Action, State, Variant};
use fifty::games::kingdomino::tile::Tile;
use fifty::games::kingdomino::weights::Weights;
use fifty::games::kingdomino::zones::Sight;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::{run, Kernel, Level};
use fifty::kit::rng::Rng;
use fifty::search::game::Game;

/// Nodes of the exact solver, an answer.
const SOLVE: u64 = 20_000;
/// Playouts that the network is compared with, a position.
const PLAYOUTS: u32 = 64;
/// One answer in so many is drawn instead of searched, in half of the games.
const STRAY: u32 = 48;

/// A position before a draw.
#[derive(Clone)]
pub struct Sample {
    /// What the network sees of either kingdom.
    pub views: [View; 2],
    /// What they came to.
    pub scores: [f32; 2],
    /// Points of seat 0.
    pub won: f32,
    /// The turn whose draw is next.
    pub turn: u8,
    /// Margin of seat 0 in the mean of greedy playouts.
    pub playouts: f32,
}

impl Sample {
    fn of(state: &State<2>, views: [View; 2], playouts: f32) -> Self {
        Self {
            views,
            scores: [0.0; 2],
            won: 0.0,
            turn: state.turn,
            playouts,
        }
    }
}

/// Mean margin of playouts, and what is seen.
struct Look<'a>(&'a State<2>, u64);

impl Kernel for Look<'_> {
    type Out = ([View; 2], f32);

    #[inline(always)]
    fn run<L: Level>(self) -> Self::Out {
        let Look(state, seed) = self;
        let mut rng = Rng::new(seed);
        let mut deck = Deck::new(state.deck, Tile::of_box);
        let views = seen(state, &mut rng);
        let mut margin = 0.0;
        for _ in 0..PLAYOUTS {
            let mut end = state.clone();
            deck.shuffle(&mut rng);
            greedy_playout::<L, 2>(&mut end, &mut deck, &Weights::DEFAULT, &mut rng);
            margin += end.kingdoms[0].score() as f32 - end.kingdoms[1].score() as f32;
        }
        (views, margin / PLAYOUTS as f32)
    }
}

/// A game of greedy players: a thousand cost what a searched one does, to begin learning with.
pub fn quick(seed: u64) -> Vec<Sample> {
    let mut rng = Rng::new(seed);
    let mut state = State::<2>::new(Variant::MAIN);
    let mut sights = [0, 1].map(|seat: usize| Sight::new(&state.kingdoms[seat]));
    let mut samples = Vec::new();
    while !state.over() {
        if state.wants_draw() {
            if state.turn > 2 && state.turn < state.variant.turns - 1 {
                samples.push(Sample::of(&state, seen(&state, &mut rng), 0.0));
            }
            state.draw(&mut rng, Tile::of_box);
        }
        let (me, tile) = (state.mover(), state.tile_in_play());
        if tile != Tile::NONE {
            let kingdom = &mut state.kingdoms[me];
            if let Some(put) = greedy_put(kingdom, &sights[me], tile, &Weights::DEFAULT, &mut rng) {
                kingdom.play(tile, put);
                sights[me].update(kingdom, tile);
            }
        }
        let slot = greedy_slot(&state, &sights, me, &Weights::DEFAULT, &mut rng);
        state.take(slot);
    }
    finish(&mut samples, &state);
    samples
}

/// Tells all samples how the game ended.
fn finish(samples: &mut [Sample], state: &State<2>) {
    let scores = [0, 1].map(|seat: usize| state.kingdoms[seat].score() as f32);
    let won = state.points()[0];
    for sample in samples {
        (sample.scores, sample.won) = (scores, won);
    }
}

/// The bot plays one game against itself; positions before its last stray answer are left out.
pub fn play(work: u64, seed: u64) -> Vec<Sample> {
    let mut rng = Rng::new(seed);
    let mut search = Search::<2>::new(&Weights::DEFAULT, rng.next_u64());
    let mut solver = Solver::new();
    let strays = rng.below(2) == 0;
    let mut state = State::<2>::new(Variant::MAIN);
    let mut samples = Vec::new();
    while !state.over() {
        if state.wants_draw() {
            if state.turn > 2 && state.turn < state.variant.turns - 1 {
                let (views, playouts) = run(Look(&state, rng.next_u64()));
                samples.push(Sample::of(&state, views, playouts));
            }
            state.draw(&mut rng, Tile::of_box);
        }
        let mut actions = Vec::new();
        state.moves(state.mover(), &mut actions);
        let open = is_open(&state);
        let action = if strays && !open && rng.below(STRAY) == 0 {
            samples.clear();
            actions[rng.below(actions.len() as u32) as usize]
        } else {
            answer(&mut search, &mut solver, &state, &actions, work)
        };
        state.play(action);
    }
    finish(&mut samples, &state);
    samples
}

fn answer(
    search: &mut Search<2>,
    solver: &mut Solver,
    state: &State<2>,
    actions: &[Action],
    work: u64,
) -> Action {
    if let [only] = actions {
        return *only;
    }
    if is_open(state) {
        if let Some(solved) = solver.solve(state, Tile::of_box, Limit::work(SOLVE)) {
            return solved.action;
        }
    }
    let deck = Deck::new(state.deck, Tile::of_box);
    search
        .search(state, deck, Limit::work(work))
        .best
        .unwrap_or(actions[0])
}
