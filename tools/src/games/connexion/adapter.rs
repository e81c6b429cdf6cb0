//! connexion for the tools: referee, builtin opponents, recordings, picture.

use super::builtins::{Builtin, Policy};
use super::formats::Bags;
use super::referee::log_from_view;
use super::{bench, picture, referee, verify};
use crate::adapter::{Adapter, AgentPlayer, BenchLine, Player, Setup};
use crate::recorded::{Checked, Difference};
use crate::referee::Referee;
use crate::show::trace::Trace;
use fifty::games::connexion::bot::Bot;
use fifty::games::connexion::weights::Weights;
use fifty::kit::clock::Budget;
use fifty::kit::rng::Rng;
use fifty::kit::tunables::Tunable;
use serde_json::Value;
use std::time::Duration;

/// The game's entry in the tools.
pub static ADAPTER: Connexion = Connexion;

/// connexion.
pub struct Connexion;

impl Adapter for Connexion {
    fn name(&self) -> &'static str {
        "connexion"
    }

    fn limits(&self) -> (Duration, Duration) {
        (Duration::from_secs(3), Duration::from_secs(10))
    }

    fn options(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        &[
            (
                "bags",
                "",
                "file with 2 lines of 32 tiles in draw order; without it the seed decides",
            ),
            (
                "clock_ms",
                "10000",
                "milliseconds a player has for the whole game",
            ),
        ]
    }

    fn referee(&self, setup: &Setup) -> Result<Box<dyn Referee>, String> {
        let (mut bags, mut clock) = (None, referee::CLOCK_MS);
        for (name, value) in &setup.options {
            match name.as_str() {
                "bags" if value.is_empty() => {}
                "bags" => {
                    let text = std::fs::read_to_string(value)
                        .map_err(|e| format!("bags: expected a readable file, met {value}: {e}"))?;
                    bags = Some(Bags::parse(&text).map_err(|e| format!("bags: {value}: {e}"))?);
                }
                "clock_ms" => {
                    clock = value
                        .parse()
                        .map_err(|_| format!("clock_ms: expected milliseconds, met `{value}`"))?;
                }
                other => return Err(format!("expected bags or clock_ms, met option `{other}`")),
            }
        }
        let bags = bags.unwrap_or_else(|| Bags::random(setup.seed));
        Ok(Box::new(referee::ConnexionReferee::new(bags, clock)))
    }

    fn builtins(&self) -> &'static [&'static str] {
        &["random", "greedy", "margin", "ab5"]
    }

    fn builtin(&self, name: &str, seed: u64) -> Option<Box<dyn Player>> {
        let policy = match name {
            "random" => Policy::Random(Rng::new(seed)),
            "greedy" => Policy::Greedy,
            "margin" => Policy::Margin,
            "ab5" => Policy::AlphaBeta(5, 12, 6),
            _ => return None,
        };
        Some(Box::new(AgentPlayer(Builtin::new(policy))))
    }

    fn engine(&self, budget: Budget, params: &[(String, f64)]) -> Result<Box<dyn Player>, String> {
        let weights = Weights::with(params).map_err(|e| e.to_string())?;
        Ok(Box::new(AgentPlayer(Bot::new(budget, weights, 1))))
    }

    fn tunables(&self) -> &'static [Tunable] {
        Weights::LIST
    }

    fn verify(&self, _file: &str, record: &Value) -> Result<Checked, Difference> {
        verify::record(record)
    }

    fn bench(&self) -> Vec<BenchLine> {
        bench::bench()
    }

    fn log(&self, trace: &Trace) -> Result<String, String> {
        let view = trace.steps.last().map(|step| &step.view);
        let commands = [0, 1].map(|seat: usize| trace.bots.get(seat).cloned().unwrap_or_default());
        let exchanges = trace.steps.iter().flat_map(|step| &step.exchanges);
        let debug: Vec<(usize, String)> = exchanges
            .flat_map(|e| e.stderr.lines().map(|line| (e.seat, line.to_owned())))
            .collect();
        Ok(log_from_view(view.ok_or("expected a game with positions")?, commands)?.render(&debug))
    }

    fn text(&self, view: &Value) -> String {
        picture::text(view)
    }

    fn svg(&self, view: &Value) -> String {
        picture::draw(view)
    }
}

#[cfg(test)]
mod tests {
    use super::ADAPTER;
    use crate::adapter::{Adapter, Setup};
    use crate::referee::{Outcome, Reply};
    use std::time::Duration;

    fn game(names: [&str; 2], seed: u64) -> (Outcome, serde_json::Value) {
        let setup = Setup {
            seed,
            ..Setup::default()
        };
        let mut judge = ADAPTER.referee(&setup).unwrap();
        let mut players = names.map(|name| ADAPTER.builtin(name, seed).unwrap());
        loop {
            let asks = judge.asks();
            if asks.is_empty() {
                return (judge.outcome().unwrap(), judge.view());
            }
            let mut replies = Vec::new();
            for ask in asks {
                let output = players[ask.seat].respond(&ask.send, ask.want);
                if ask.want > 0 {
                    replies.push(Reply {
                        seat: ask.seat,
                        output: Ok(output),
                        elapsed: Duration::from_micros(2700),
                    });
                }
            }
            judge.reply(&replies);
        }
    }

    #[test]
    fn the_builtins_rank_as_known() {
        let points = |a: &str, b: &str| -> f64 {
            (0..6)
                .map(|seed| {
                    let (there, _) = game([a, b], seed);
                    let (back, _) = game([b, a], seed);
                    assert_eq!(there.end, "all cells filled");
                    there.points[0] + back.points[1]
                })
                .sum::<f64>()
                / 12.0
        };
        assert!(points("greedy", "random") > 0.9);
        assert!(points("margin", "greedy") > 0.6);
        assert!(points("ab5", "margin") > 0.8);
    }

    #[test]
    fn clocks_run_down_and_the_view_gives_log_and_picture() {
        let (outcome, view) = game(["margin", "random"], 3);
        assert_eq!(view["clocks"], serde_json::json!([9936, 9936]));
        let log = super::referee::log_from_view(&view, ["a".into(), "b".into()]).unwrap();
        assert_eq!(log.moves.len(), 64);
        assert_eq!(super::super::formats::Log::parse(&log.render(&[])).unwrap(), log);
        assert_eq!(log.end.result() == "1-0", outcome.points[0] == 1.0);
        let svg = ADAPTER.svg(&view);
        assert!(svg.starts_with("<svg") && svg.matches("<circle").count() == 65);
    }

    #[test]
    fn options_that_do_not_exist_are_refused() {
        let mut setup = Setup::default();
        setup.options.insert("clock".into(), "1".into());
        assert!(ADAPTER.referee(&setup).is_err());
    }
}
