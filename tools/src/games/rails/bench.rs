//! Fixed positions, fixed work: turns of the simulator and the bot's own searches.

use super::builtins::greedy;
use crate::adapter::{BenchLine, mix_turned as mix};
use fifty::games::rails::bot::Bot;
use fifty::games::rails::map::{Map, Rules};
use fifty::games::rails::state::{Plan, State};
use fifty::games::rails::unshipped::mapgen::generate;
use fifty::games::rails::unshipped::orders::resolve;
use fifty::games::rails::unshipped::text::{init_lines, turn_lines};
use fifty::games::rails::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::Budget;
use fifty::kit::cpu::{self, Kernel, Level};

/// Joint turns of a game between two greedy seats, each with the board before it.
fn game(seed: i64, ink_threshold: u8) -> (Map, Vec<(State, [Plan; 2])>) {
    let rules = Rules::inking(ink_threshold);
    let map = generate(seed, true, rules);
    let mut state = State::new();
    let mut turns = Vec::new();
    while !state.is_over() {
        let plans = [0, 1].map(|me| resolve(&map, &state, &greedy(&map, &state, me)).plan);
        turns.push((state, plans));
        state.play(&map, &plans);
    }
    (map, turns)
}

struct Replay<'a>(&'a Map, &'a [(State, [Plan; 2])], u64);

impl Kernel for Replay<'_> {
    type Out = u64;

    #[inline(always)]
    fn run<L: Level>(self) -> u64 {
        let mut signature = self.2;
        for (state, plans) in self.1 {
            let mut next = *state;
            next.play(self.0, plans);
            // Equal greedy seats neutralise each other: the points say less than the board.
            signature = mix(signature, next.mark() ^ u64::from(next.links[0].length));
        }
        signature
    }
}

fn turns() -> BenchLine {
    let games: Vec<_> = (1..7).map(|seed| game(seed, 3 + (seed % 2) as u8)).collect();
    BenchLine::measured("joint turns of greedy games", "turns", || {
        let (mut work, mut signature) = (0, 0);
        for _ in 0..20 {
            for (map, turns) in &games {
                signature = cpu::run(Replay(map, turns, signature));
                work += turns.len() as u64;
            }
        }
        (work, signature)
    })
}

fn search(nodes: u64) -> (u64, u64) {
    let (mut work, mut signature) = (0, 0);
    for seed in 11..14 {
        let (map, turns) = game(seed, 3 + (seed % 2) as u8);
        for at in [0, 12, 25] {
            let Some((state, _)) = turns.get(at) else {
                continue;
            };
            let mut bot = Bot::new(Budget::Work(nodes), Weights::DEFAULT, 0);
            let mut text = init_lines(&map, 0);
            text.extend(turn_lines(&map, state, state.scores.map(i64::from), 0));
            let text = text.join("\n") + "\n";
            let mut out = Vec::new();
            // Streams in memory do not fail.
            let _ = bot.turn(&mut text.as_bytes(), &mut out);
            signature = out.iter().fold(signature, |s, &b| mix(s, u64::from(b)));
            work += nodes;
        }
    }
    (work, signature)
}

/// All measurements.
pub fn lines() -> Vec<BenchLine> {
    vec![
        turns(),
        BenchLine::measured("bot, first answers", "nodes", || search(200)),
    ]
}
