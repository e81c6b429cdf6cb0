//! Fixed positions, fixed work: what the simulator and the search do in a second.

use crate::adapter::{BenchLine, mix};
use fifty::games::slime::policy::GreedyGames;
use fifty::games::slime::search::Search;
use fifty::games::slime::state::State;
use fifty::games::slime::unshipped::ataxx::start;
use fifty::games::slime::unshipped::perft::Perft;
use fifty::games::slime::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::run;

/// Start, two middles, an end.
const POSITIONS: [&str; 4] = [
    "1,1......2,........,........,........,........,........,........,3......4",
    "3,11111222,11111444,11.22444,.1222.4.,333.3244,33333.44,333...44,333....4",
    "4,22..1133,...11133,...23133,..223331,.331333.,.333331.,33331333,.1..1333",
    "1,.4442233,.4442233,44444423,44.44442,44244442,22424442,2222244.,2222222.",
];

/// The lines of `fifty bench slime`.
pub fn bench() -> Vec<BenchLine> {
    vec![
        BenchLine::measured("two-player perft(5)", "nodes", || {
            let count = run(Perft::<2, false> {
                board: start(7),
                seat: 0,
                depth: 5,
            });
            (count, count)
        }),
        BenchLine::measured("playouts by policy", "moves", || {
            run(GreedyGames {
                games: 4_000,
                seed: 1,
            })
        }),
        BenchLine::measured("search", "iterations", || {
            let (mut done, mut signature) = (0, 0u64);
            for position in POSITIONS {
                let Ok(state) = State::parse(position) else {
                    continue;
                };
                let mut search = Search::new(&Weights::DEFAULT, 1);
                let found = search.best(&state, Default::default(), Limit::work(20_000));
                done += found.iterations;
                let mut line = Vec::with_capacity(16);
                search.tree.line(&mut line);
                for m in line {
                    signature = mix(signature, m.index() as u64);
                }
                signature ^= found.nodes as u64;
            }
            (done, signature)
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::bench;

    #[test]
    fn signatures_repeat() {
        let signatures = || -> Vec<u64> { bench().iter().map(|line| line.signature).collect() };
        assert_eq!(signatures(), signatures());
    }
}
