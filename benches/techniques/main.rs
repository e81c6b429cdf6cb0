//! What each technique of the searches is worth: one list for all games, matches of technique against baseline.
//!
//! `cargo bench --bench techniques -- [GAME…] [GAMES] [NAME…] [--work]` plays every opening once from each seat and
//! prints score, Elo with its 95 % interval (an opening is one sample), and CPU time per move of both sides. Without
//! games: all; without names: all that apply; `--list` names both. Equal time: a few games first tell what a move costs
//! either side, and the technique gets the work that costs as much as the baseline's; the match itself is at fixed
//! work, so load does not change it. `--work` leaves that out: equal work, the same games on every machine. `…double…`
//! compare work, not time. Every move is checked for legality. `cargo test --bench techniques` plays one opening of
//! each at a fiftieth of the work.

mod bags;
mod colonies;
mod columns;
mod deep;
mod frame;
mod kingdoms;
mod settings;
mod toggled;
mod towers;
mod tracks;
mod trees;

use frame::table;
use std::process::ExitCode;

/// Every technique by name, with what it is. A game plays those that apply to it.
const TECHNIQUES: &[(&str, &str)] = &[
    ("same", "tree search against itself: what chance looks like"),
    ("double", "the bot's or the plain search with twice the work"),
    ("double-4", "the same at four times the work"),
    ("solver", "proven results are backed up"),
    ("reuse", "the tree is kept from move to move"),
    ("explore-0.3", "less exploration than 0.5"),
    ("explore-0.7", "more"),
    ("explore-1", "twice as much"),
    ("expand-2", "a leaf gets moves at its second visit"),
    ("expand-4", "at its fourth"),
    ("first-play-0.6", "an untried move counts 0.6"),
    (
        "first-play-below",
        "an untried move counts a little less than the mean",
    ),
    ("by-value", "the best mean is played, not the most visits"),
    ("cut-off-8", "playouts of eight plies and an evaluation"),
    ("static", "an evaluation instead of playouts"),
    ("implicit-0.2", "implicit minimax of an evaluation"),
    ("bias", "progressive bias"),
    ("puct", "shares as priors"),
    ("widen", "progressive widening"),
    ("prior", "what is expected of moves, against all alike"),
    ("keyed", "common random numbers at the leaves"),
    ("alpha-beta", "against the tree search"),
    ("alpha-beta-double", "with twice the nodes"),
    ("table", "transposition table"),
    ("keep-deep", "the table keeps deep entries"),
    ("killers", "killer moves"),
    ("history", "history"),
    ("reductions", "late moves are searched less deep"),
    ("late-move-cut", "late moves are left out"),
    ("futility", "static cuts near the leaves"),
    (
        "null-move",
        "a side that stands well without moving is not searched in full",
    ),
    ("blind", "less depth where the table knows nothing"),
    ("staged", "table move and killers before any list"),
    ("root-order", "the root's first order by one ply"),
    ("scout", "windows of no width after the first move"),
    ("aspiration", "windows around the last value"),
    (
        "static-alpha-beta",
        "tree search with the evaluation at its leaves against alpha-beta",
    ),
    ("batch-4", "four playouts a leaf at once"),
    ("orders", "several sampled orders of what is drawn, against one"),
    ("orders-double", "twice as many orders with twice the work"),
    ("open-double", "open-loop tree with twice the work"),
    (
        "open-loop",
        "draws sampled anew in each iteration, against one deck",
    ),
    ("open-flat", "open-loop tree against flat sampling"),
    ("beam-double", "plans with twice the states"),
    ("beam-keep", "last turn's plan stays in the beam"),
    ("beam-distinct", "equal states are kept once"),
    ("beam-diverse-2", "two states of a layer for each first cell"),
    (
        "beam-adaptive",
        "width by what is left of the limit, against a fixed one",
    ),
    ("decoupled", "both seats choose at once, against taking turns"),
    (
        "decoupled-mixed",
        "a move drawn by visits, against the most visited",
    ),
];

/// Plays the table of one game: names, games, part of the work, equal time.
type Play = fn(&[&str], usize, f64, bool) -> usize;

/// Games by name.
const GAMES: &[(&str, Play)] = &[
    ("connect4", table::<columns::Columns, 2>),
    ("wondev", table::<towers::Towers, 2>),
    ("rails", table::<tracks::Tracks, 2>),
    ("kingdomino", table::<kingdoms::Kingdoms, 2>),
    ("slime", table::<colonies::Colonies, 4>),
    ("connexion", table::<bags::Bags, 2>),
];

/// What the command line asks for.
struct Wanted {
    games: Vec<&'static (&'static str, Play)>,
    names: Vec<&'static str>,
    count: usize,
    equal_time: bool,
}

impl Wanted {
    /// Errors name the word that means nothing.
    fn read(words: &[String]) -> Result<Self, String> {
        let mut wanted = Self {
            games: Vec::new(),
            names: Vec::new(),
            count: 400,
            equal_time: true,
        };
        for word in words {
            if let Some(game) = GAMES.iter().find(|(name, _)| name == word) {
                wanted.games.push(game);
            } else if let Some((name, _)) = TECHNIQUES.iter().find(|(name, _)| name == word) {
                wanted.names.push(name);
            } else if let Ok(count) = word.parse() {
                wanted.count = count;
            } else if word == "--work" {
                wanted.equal_time = false;
            } else {
                return Err(format!(
                    "{word}: expected a game, a technique, a number of games, --work or --list"
                ));
            }
        }
        if wanted.games.is_empty() {
            wanted.games = GAMES.iter().collect();
        }
        if wanted.names.is_empty() {
            wanted.names = TECHNIQUES.iter().map(|(name, _)| *name).collect();
        }
        Ok(wanted)
    }
}

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    // Cargo says so when it measures; without it, it tests.
    let measured = words.iter().any(|word| word == "--bench");
    words.retain(|word| word != "--bench");
    if words.iter().any(|word| word == "--list") {
        GAMES.iter().for_each(|(name, _)| println!("{name}"));
        TECHNIQUES
            .iter()
            .for_each(|(name, what)| println!("{name:18} {what}"));
        return ExitCode::SUCCESS;
    }
    if !measured {
        let names: Vec<&str> = TECHNIQUES.iter().map(|(name, _)| *name).collect();
        for (name, play) in GAMES {
            assert!(play(&names, 2, 0.02, false) > 0, "{name}: no technique applies");
        }
        return ExitCode::SUCCESS;
    }
    let wanted = match Wanted::read(&words) {
        Ok(wanted) => wanted,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    for (_, play) in wanted.games {
        play(&wanted.names, wanted.count, 1.0, wanted.equal_time);
    }
    ExitCode::SUCCESS
}
