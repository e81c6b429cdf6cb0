//! League 0 on the 5x5 square: how many starts the solver proves in a given time, and whether the bot
//! holds what the solver says is won.
//!
//! - `cargo bench --bench wondev_starts` looks at 20 fixed starts for 50 ms and for 1 s each (half a minute).
//! - `-- --minute` adds 60 s each (`--starts 3` for fewer of them).
//! - `-- --hold 30` plays from 30 starts instead, at fixed work so that load does not matter: the bot at
//!   20,000 nodes against itself at ten times that, sides in turn. Before each of its moves the solver
//!   looks for as long as the stronger side; a game in which it has found a win and which is not won
//!   counts as thrown away. At least 90 % of the starts must be free of that, or it panics.

use fifty::games::wondev::search::Search;
use fifty::games::wondev::state::{Flow, League, Move, State};
use fifty::games::wondev::unshipped::setup::{start, Map, Setup};
use fifty::games::wondev::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::search::alphabeta::{Report, WON};
use fifty::search::game::Game;
use std::time::Duration;

/// Nodes of the bot's answers; its opponent and the solver have ten times as many.
const WORK: u64 = 20_000;
/// Table of a search, as a power of two.
const BITS: u32 = 20;

fn square(seed: i64) -> State {
    let setup = Setup {
        league: League::Climb,
        flow: Flow::Turn,
        seed,
        map: Some(Map::Square),
        symmetric: false,
    };
    start(&setup).0
}

fn think(search: &mut Search, state: &State, limit: Limit) -> Report<Move> {
    search.think(state, &state.legal(), limit)
}

/// One line: starts proven within `span` each.
fn prove(starts: i64, span: Duration) {
    let (mut won, mut lost, mut proofs, mut plies) = (0, 0, Vec::new(), 0);
    for seed in 0..starts {
        let mut search = Search::new(Weights::DEFAULT, BITS);
        let report = think(&mut search, &square(seed), Limit::after(span));
        plies += report.depth;
        won += u32::from(report.value >= WON);
        lost += u32::from(report.value <= -WON);
        if report.value.abs() >= WON {
            proofs.push(report.depth);
        }
    }
    println!(
        "5x5 starts in {:>5} ms each: {won} won, {lost} lost, {} open of {starts}; proven by depths {proofs:?}; \
         mean depth {:.1}",
        span.as_millis(),
        starts - i64::from(won + lost),
        f64::from(plies) / starts as f64
    );
}

/// Whether the solver found a win for the bot in this game, and whether the bot won it.
fn hold(seed: i64) -> (bool, bool) {
    let mut state = square(seed);
    let bot = (seed & 1) as usize;
    let [mut weak, mut strong, mut solver] = [0; 3].map(|_| Search::new(Weights::DEFAULT, BITS));
    let mut seen = false;
    while !state.is_over() {
        let chosen = if !state.can_act() {
            Move::DEFEAT
        } else if state.mover() == bot {
            seen = seen || think(&mut solver, &state, Limit::work(10 * WORK)).value >= WON;
            think(&mut weak, &state, Limit::work(WORK))
                .best
                .unwrap_or(Move::DEFEAT)
        } else {
            think(&mut strong, &state, Limit::work(10 * WORK))
                .best
                .unwrap_or(Move::DEFEAT)
        };
        state.play(chosen);
    }
    (seen, state.winner() == Some(bot))
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: i64| {
        let at = args.iter().position(|a| a == name);
        at.and_then(|i| args.get(i + 1)?.parse().ok()).unwrap_or(default)
    };
    let games = number("--hold", 0);
    if games > 0 {
        let played: Vec<(bool, bool)> = (0..games).map(hold).collect();
        let seen = played.iter().filter(|game| game.0).count();
        let won = played.iter().filter(|game| game.1).count();
        let thrown = played.iter().filter(|game| game.0 && !game.1).count();
        println!(
            "bot at {WORK} nodes against itself at ten times that: {won} of {games} won; a win seen by the \
             solver in {seen}, thrown away in {thrown}"
        );
        assert!(10 * thrown as i64 <= games && seen > 0, "won games must be won");
        return;
    }
    let starts = number("--starts", 20);
    for ms in [50, 1000] {
        prove(starts, Duration::from_millis(ms));
    }
    if args.iter().any(|a| a == "--minute") {
        prove(starts, Duration::from_secs(60));
    }
}
