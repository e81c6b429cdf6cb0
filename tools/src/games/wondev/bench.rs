//! Fixed positions, fixed work: perft of the simulator and the bot's search in every league, and how
//! many starts of league 0 a given amount of work proves.

use crate::adapter::{BenchLine, mix_turned as mix};
use fifty::games::wondev::rules::Perft;
use fifty::games::wondev::search::Search;
use fifty::games::wondev::state::{Flow, League, Move, State};
use fifty::games::wondev::unshipped::setup::{Map, Setup, start};
use fifty::games::wondev::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::kit::cpu;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::WON;
use fifty::search::game::Game;

const LEAGUES: [(League, &str); 3] = [
    (League::Climb, "league 0"),
    (League::Points, "league 1"),
    (League::Push, "leagues 2, 3"),
];
const MAPS: [Map; 3] = [Map::Square, Map::Diamond, Map::Random];

/// A position after `plies` random actions.
fn position(league: League, map: Map, seed: i64, plies: u32) -> State {
    let (mut state, _) = start(&Setup {
        league,
        flow: Flow::Turn,
        seed,
        map: Some(map),
        symmetric: false,
    });
    let mut rng = Rng::new(seed as u64);
    for _ in 0..plies {
        let list = state.legal();
        if list.is_empty() || state.is_over() {
            break;
        }
        let before = state;
        state.play(list[rng.below(list.len() as u32) as usize]);
        if state.is_over() {
            return before;
        }
    }
    state
}

/// Positions below a few roots, each one made.
fn perft(league: League, name: &str) -> BenchLine {
    BenchLine::measured(format!("perft, {name}"), "positions", || {
        let (mut work, mut signature) = (0, 0);
        for (k, map) in MAPS.into_iter().enumerate() {
            let state = position(league, map, 50 + k as i64, 6);
            let depth = if league == League::Push { 3 } else { 4 };
            let nodes = cpu::run(Perft { state, depth });
            work += nodes;
            signature = mix(signature, nodes);
        }
        (work, signature)
    })
}

/// The bot's search at fixed work.
fn search(league: League, name: &str) -> BenchLine {
    let (mut plies, mut count) = (0, 0);
    let line = BenchLine::measured("", "nodes", || {
        let (mut work, mut signature) = (0, 0);
        for (k, map) in MAPS.into_iter().enumerate() {
            for stage in [0, 8, 20] {
                let state = position(league, map, 80 + k as i64, stage);
                let mut search = Search::new(Weights::DEFAULT, 18);
                let report = search.think(&state, &state.legal(), Limit::work(60_000));
                work += report.nodes;
                plies += report.depth;
                count += 1;
                signature = mix(signature, report.nodes);
                signature = mix(signature, report.best.unwrap_or(Move::DEFEAT).0.into());
            }
        }
        (work, signature)
    });
    let name = format!("search, {name}, mean depth {:.1}", f64::from(plies) / f64::from(count));
    BenchLine { name, ..line }
}

/// How many starts of league 0 on the square are proven by `nodes` nodes each.
fn proven(nodes: u64, starts: i64) -> BenchLine {
    let (mut won, mut lost, mut deepest) = (0, 0, 0);
    let line = BenchLine::measured("", "nodes", || {
        let (mut work, mut signature) = (0, 0);
        let mut search = Search::new(Weights::DEFAULT, 21);
        for seed in 0..starts {
            let state = position(League::Climb, Map::Square, seed, 0);
            let report = search.think(&state, &state.legal(), Limit::work(nodes));
            work += report.nodes;
            if report.value.abs() >= WON {
                deepest = deepest.max(report.depth);
            }
            won += u32::from(report.value >= WON);
            lost += u32::from(report.value <= -WON);
            signature = mix(signature, report.nodes);
            signature = mix(signature, report.best.unwrap_or(Move::DEFEAT).0.into());
        }
        (work, signature)
    });
    let name = format!(
        "starts 5x5 at {nodes} nodes: {won} won {lost} lost {} open of {starts}, by depth {deepest}",
        starts - i64::from(won + lost)
    );
    BenchLine { name, ..line }
}

/// All lines.
pub fn lines() -> Vec<BenchLine> {
    let mut out = Vec::new();
    for (league, name) in LEAGUES {
        out.push(perft(league, name));
    }
    for (league, name) in LEAGUES {
        out.push(search(league, name));
    }
    out.push(proven(100_000, 20));
    out
}
