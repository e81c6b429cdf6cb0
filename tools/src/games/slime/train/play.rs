//! Games to learn from: seats that search, seats with opponent models, strangers; and a match of two opinions.

use super::super::adapter::ADAPTER;
use super::super::hand;
use super::super::planners::Planner;
use super::super::protocol::read_answer;
use super::Start;
use crate::adapter::Player;
use crate::arena::opponents;
use crate::arena::stats::mean_interval;
use fifty::games::slime::board::Board;
use fifty::games::slime::features::{INPUTS, features};
use fifty::games::slime::models::{MODELS, Model};
use fifty::games::slime::moves::Move;
use fifty::games::slime::prior::Prior;
use fifty::games::slime::replies::worth;
use fifty::games::slime::search::Search;
use fifty::games::slime::state::{SEATS, State};
use fifty::games::slime::traits::{Around, TRAITS};
use fifty::games::slime::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::kit::rng::Rng;
use rayon::prelude::*;

/// One searcher's move in so many is drawn from its likeliest moves.
const STRAY: u32 = 16;
/// Turns after which a game is left unfinished.
const TURNS: u16 = 300;

/// A position for the network: inputs, squares owned and squares at the end as shares, mover first.
#[derive(Clone)]
pub struct Sample {
    /// Of the network.
    pub inputs: [f32; INPUTS],
    /// Squares owned.
    pub owned: [f32; SEATS],
    /// Shares to be said.
    pub end: [f32; SEATS],
}

/// A move for the prior.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Places in the table, the first `used`.
    places: [u8; TRAITS],
    used: u8,
    /// What is added to the table's logit.
    pub beside: f32,
}

impl Choice {
    /// Places in the table.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.places[..usize::from(self.used)].iter().copied().map(usize::from)
    }
}

/// A position for the prior: its moves, and which of them was played.
pub struct Root {
    /// All that the prior lists.
    pub choices: Vec<Choice>,
    /// Place of the one played.
    pub played: usize,
}

/// The moves of `seat` on `board`, of which one led to `after`; `None` where none did that the prior lists.
fn root(prior: &mut Prior, (board, seat): (&Board<SEATS>, usize), after: &Board<SEATS>) -> Option<Root> {
    let moves: Vec<Move> = prior.best(board, seat, 255).iter().map(|&(_, m)| m).collect();
    // Sources that make no difference are one move.
    let played = moves.iter().position(|&m| {
        let mut next = *board;
        next.play(seat, m);
        next == *after
    })?;
    let around = Around::new(board, seat);
    let choice = |m: Move| {
        let (places, used) = Prior::entries(&around, m);
        Choice {
            places: places.map(|place| place as u8),
            used: used as u8,
            beside: prior.replies * worth(board, seat, m),
        }
    };
    let choices = moves.into_iter().map(choice).collect();
    Some(Root { choices, played })
}

/// Who plans besides the learner.
enum Stranger {
    /// The first version, an old bot.
    First(Box<dyn Player>),
    /// The opinion set by hand.
    Hand(Box<Search>),
    /// A search that shares nothing with the learner but the rules, and its draws.
    Planner(Planner, Rng),
}

impl Stranger {
    /// Another planner for one game; mostly none, which is the learner once more.
    fn drawn(like: &Search, work: u64, seed: u64, rng: &mut Rng) -> Option<Self> {
        match rng.below(4) {
            0 => {
                let name = format!("first-{}", 4 * work);
                let first = opponents::player(&ADAPTER, &name, seed);
                Some(Self::First(first.unwrap_or_else(|e| panic!("compiled when training began: {e:#}"))))
            }
            1 => {
                let mut search = copy(like, seed);
                hand::set(&mut search);
                Some(Self::Hand(search))
            }
            _ => None,
        }
    }

    /// One of the pool at about the learner's time; one in four is the learner once more.
    fn pool(work: u64, seed: u64, rng: &mut Rng) -> Option<Self> {
        let name = match rng.below(4) {
            0 => format!("planner-paranoid-{}", 5 * work),
            1 => format!("planner-maxn-{}", 9 * work),
            2 => format!("planner-tree-{}", work / 2),
            _ => return None,
        };
        Planner::named(&name).map(|planner| Self::Planner(planner, Rng::new(seed)))
    }

    /// Plays its move.
    fn play(&mut self, state: &mut State, models: [Model; SEATS], work: u64) {
        match self {
            Self::First(first) => {
                let answer = read_answer(&first.respond(&state.argument(), 1));
                state.play_coordinates(answer.expect("an old bot answers"));
            }
            Self::Hand(search) => {
                let found = search.best(state, models, Limit::work(work));
                state.play(found.best.unwrap_or_default());
            }
            Self::Planner(planner, rng) => {
                let best = planner.best(state, rng);
                state.play(best);
            }
        }
    }
}

/// What one game gave.
#[derive(Default)]
pub struct Played {
    /// How many planners there were.
    pub planners: usize,
    /// Every position.
    pub samples: Vec<Sample>,
    /// Of a quarter of the planners' moves.
    pub roots: Vec<Root>,
    /// Squares of each seat of the learner.
    pub squares: Vec<u32>,
}

/// A search of its own for one game, with what `like` has learned.
pub fn copy(like: &Search, seed: u64) -> Box<Search> {
    let mut search = Box::new(Search::new(&Weights::DEFAULT, seed));
    search.tree.leaf.nets.clone_from(&like.tree.leaf.nets);
    search.tree.policy.table = like.tree.policy.table;
    search.tree.policy.replies = like.tree.policy.replies;
    search
}

/// Plays one game.
pub fn play(like: &Search, start: Start, work: u64, seed: u64) -> Played {
    let (mut rng, mut search) = (Rng::new(seed), copy(like, seed));
    let planners = match start {
        Start::Alone => 1,
        Start::Pool => [4, 4, 4, 3][rng.below(4) as usize],
        _ => [4, 3, 2, 2, 2, 1, 1, 1][rng.below(8) as usize],
    };
    let mut strangers: [Option<Stranger>; SEATS] = Default::default();
    let mut models = [Model::Plans; SEATS];
    for model in &mut models[planners..] {
        *model = MODELS[[1, 1, 1, 2, 3, 3][rng.below(6) as usize]];
    }
    if start == Start::Alone && rng.below(2) == 0 {
        models[1..].fill(Model::Grabs);
    }
    rng.shuffle(&mut models);
    // All but one of the planners may be strangers; where all plan, the seat of that one is drawn.
    let mut seats: Vec<usize> = (0..SEATS).filter(|&seat| models[seat] == Model::Plans).collect();
    let (pool, first) = (start == Start::Pool, rng.below(seats.len() as u32) as usize);
    seats.remove(first);
    if planners < SEATS || pool {
        for seat in seats {
            let seed = seed + seat as u64;
            strangers[seat] = if pool {
                Stranger::pool(work, seed, &mut rng)
            } else {
                Stranger::drawn(like, work, seed, &mut rng)
            };
        }
    }
    let weak = models.map(Model::weakness);
    let mut state = State::start(8);
    let mut moves = Vec::new();
    let mut played = Played {
        planners,
        ..Played::default()
    };
    // Seat on turn of each sample, and what the search said of the planners' (absolute seats).
    let mut movers: Vec<(usize, Option<[f32; SEATS]>)> = Vec::new();
    while !state.is_over() && state.turns() < TURNS {
        let (board, seat) = (*state.board(), state.seat());
        played.samples.push(Sample {
            inputs: features(&board, seat, &weak),
            owned: [0, 1, 2, 3].map(|i| board.counts()[(seat + i) % SEATS] as f32),
            end: [0.0; SEATS],
        });
        moves.clear();
        if models[seat] != Model::Plans {
            movers.push((seat, None));
            models[seat].list(&board, seat, &mut moves);
            state.play(moves[rng.below(moves.len() as u32) as usize]);
            continue;
        }
        if let Some(stranger) = &mut strangers[seat] {
            movers.push((seat, None));
            stranger.play(&mut state, models, work);
            if pool && rng.below(4) == 0 {
                played.roots.extend(root(&mut search.tree.policy, (&board, seat), state.board()));
            }
            continue;
        }
        let found = search.best(&state, models, Limit::work(work));
        // The search prefers short ways: its values do not sum to one.
        let sum: f32 = found.value.iter().sum();
        movers.push((seat, Some(found.value.map(|value| value / sum))));
        let best = found.best.unwrap_or_default();
        if rng.below(4) == 0 {
            let mut after = board;
            after.play(seat, best);
            played.roots.extend(root(&mut search.tree.policy, (&board, seat), &after));
        }
        let likely = search.tree.policy.best(&board, seat, 8);
        let stray = likely[rng.below(likely.len() as u32) as usize].1;
        state.play(if rng.below(STRAY) == 0 { stray } else { best });
    }
    let counts = state.board().counts();
    let all: u32 = counts.iter().sum();
    let end = counts.map(|count| count as f32 / all as f32);
    let mut said = end;
    for (sample, (seat, found)) in played.samples.iter_mut().zip(movers).rev() {
        said = found.unwrap_or(said);
        sample.end = std::array::from_fn(|i| {
            let s = (seat + i) % SEATS;
            0.5 * (end[s] + said[s])
        });
    }
    let seats = (0..SEATS).filter(|&seat| models[seat] == Model::Plans && strangers[seat].is_none());
    played.squares = seats.map(|seat| counts[seat]).collect();
    played
}

/// Mean squares of a seat with the first opinion in games of two seats each.
pub fn compare(one: &Search, other: &Search, work: u64, games: u64) -> (f64, f64) {
    let squares: Vec<f64> = (0..games)
        .into_par_iter()
        .map(|game| {
            let mut sides = [copy(one, game), copy(other, game)];
            // The six ways to give two of four seats.
            let ours = [0b0011, 0b0101, 0b1001, 0b1100, 0b1010, 0b0110][game as usize % 6];
            let (mut state, mut rng) = (State::start(8), Rng::new(game));
            while !state.is_over() && state.turns() < TURNS {
                let seat = state.seat();
                let side = &mut sides[usize::from(ours >> seat & 1 == 0)];
                let likely = side.tree.policy.best(state.board(), seat, 3);
                let stray = likely[rng.below(likely.len() as u32) as usize].1;
                let found = side.best(&state, [Model::Plans; SEATS], Limit::work(work));
                // The first two rounds stray, so that games differ.
                let opening = state.turns() < 8;
                state.play(if opening {
                    stray
                } else {
                    found.best.unwrap_or_default()
                });
            }
            let counts = state.board().counts().into_iter().enumerate();
            counts
                .filter(|(seat, _)| ours >> seat & 1 == 1)
                .map(|(_, count)| f64::from(count) / 2.0)
                .sum()
        })
        .collect();
    mean_interval(&squares)
}
