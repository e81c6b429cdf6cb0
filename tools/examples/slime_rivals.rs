//! Which search for four seats is best on slime: `cargo run --release -p fifty-tools --example slime_rivals --
//! [GAMES [MS [NAME NAME NAME NAME]]]` plays games of four searches at `MS` milliseconds an answer and prints the
//! mean squares of each, and the differences between them in the same game with their 95 % intervals.
//!
//! Names: `tree` (the bot's max^n tree search), `double` (the same with twice the time) and the alpha-beta family
//! with the bot's network, `maxn`, `paranoid`, `best-reply`. Every four games have one opening of two random
//! rounds, with the seats rotated; the order around the board is drawn for each opening. In one process, so the
//! searches share one clock; a game is scored after 300 turns if it is not over.

use fifty::games::slime::models::Model;
use fifty::games::slime::moves::Move;
use fifty::games::slime::search::Search;
use fifty::games::slime::state::{SEATS, State};
use fifty::games::slime::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::kit::rng::Rng;
use fifty_tools::arena::stats::mean_interval;
use fifty_tools::games::slime::rivals::Rival;
use std::time::Duration;

/// Turns after which a game is scored.
const TURNS: u16 = 300;

/// One of the four.
enum Player {
    Tree(Box<Search>, Duration),
    Rival(Rival),
}

impl Player {
    fn named(name: &str, ms: u64) -> Self {
        let tree = |ms| {
            Self::Tree(
                Box::new(Search::new(&Weights::DEFAULT, 1)),
                Duration::from_millis(ms),
            )
        };
        match name {
            "tree" => tree(ms),
            "double" => tree(2 * ms),
            _ => {
                let rival = Rival::named(&format!("{name}-{ms}ms"));
                Self::Rival(rival.unwrap_or_else(|| panic!("no search of the name {name}")))
            }
        }
    }

    fn best(&mut self, state: &State) -> Move {
        match self {
            Self::Tree(search, think) => {
                let found = search.best(state, [Model::Plans; SEATS], Limit::after(*think));
                found.best.unwrap_or_default()
            }
            Self::Rival(rival) => rival.best(state),
        }
    }
}

/// Two random rounds, without wasted moves.
fn opening(rng: &mut Rng) -> State {
    let mut state = State::start(8);
    while state.turns() < 2 * SEATS as u16 {
        let mut moves = Vec::new();
        state.board().useful_moves(state.seat(), &mut moves);
        // Whoever was eliminated, or would only lose, passes.
        let n = rng.below(moves.len().max(1) as u32) as usize;
        state.play(moves.get(n).copied().unwrap_or(Move::PASS));
    }
    state
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| words.get(i).map_or(default, |n| n.parse().expect("a number"));
    let (games, ms) = (number(0, 400), number(1, 2));
    let names: [&str; SEATS] = if words.len() > 2 {
        std::array::from_fn(|i| words.get(2 + i).expect("four names").as_str())
    } else {
        ["tree", "maxn", "paranoid", "best-reply"]
    };
    let mut players = names.map(|name| Player::named(name, ms));
    let mut rng = Rng::new(2026);
    // One entry a round of four games: a round is one sample, its games lean on each other.
    let mut squares: [Vec<f64>; SEATS] = Default::default();
    for _ in 0..games / SEATS as u64 {
        let start = opening(&mut rng);
        let mut order = [0, 1, 2, 3];
        rng.shuffle(&mut order);
        let mut sums = [0; SEATS];
        for turn in 0..SEATS {
            let mut state = start;
            while !state.is_over() && state.turns() < TURNS {
                let m = players[order[(state.seat() + turn) % SEATS]].best(&state);
                state.play(m);
            }
            for (seat, count) in state.board().counts().into_iter().enumerate() {
                sums[order[(seat + turn) % SEATS]] += count;
            }
        }
        for (all, sum) in squares.iter_mut().zip(sums) {
            all.push(f64::from(sum) / SEATS as f64);
        }
    }
    println!("{games} games, {ms} ms an answer");
    for (i, name) in names.iter().enumerate() {
        let (mean, apart) = mean_interval(&squares[i]);
        print!("{name:12} {mean:5.1} +- {apart:.1} squares");
        for (j, other) in names.iter().enumerate().filter(|&(j, _)| j != i) {
            let gaps: Vec<f64> = squares[i].iter().zip(&squares[j]).map(|(a, b)| a - b).collect();
            let (mean, apart) = mean_interval(&gaps);
            print!(", {mean:+.1} +- {apart:.1} over {other}");
        }
        println!();
    }
}
