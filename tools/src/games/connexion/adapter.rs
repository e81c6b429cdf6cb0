//! connexion for the tools: referee, builtin opponents, recordings, picture.

use anyhow::{Context, bail};
use super::builtins::{Builtin, Policy};
use super::formats::{Bags, Log};
use super::referee::log_from_view;
use super::{bench, picture, referee, verify};
use crate::adapter::{Adapter, BenchLine, Engine, Player, Setup};
use crate::elsewhere::Recorded;
use crate::recorded::{Checked, Difference};
use crate::referee::Referee;
use crate::show::trace::Trace;
use fifty::games::connexion::bot::Bot;
use fifty::games::connexion::state::{Move, TURNS};
use fifty::games::connexion::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::Budget;
use fifty::kit::rng::Rng;
use fifty::kit::tunables::Tunable;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// The game's entry in the tools.
pub static ADAPTER: Connexion = Connexion;

/// connexion.
pub struct Connexion;

/// Who has to remember its own placements, since the judge does not repeat them.
trait Remembers: Agent {
    fn put(&mut self, mv: Move);
}

impl Remembers for Bot {
    fn put(&mut self, mv: Move) {
        Bot::put(self, mv);
    }
}

impl Remembers for Builtin {
    fn put(&mut self, mv: Move) {
        Builtin::put(self, mv);
    }
}

/// Reads all but the question; takes the recorded placement for its own.
fn relive<A: Remembers>(agent: &mut A, send: &str, answer: &str) -> Vec<u8> {
    for line in send.lines().filter(|line| !line.starts_with("TIME")) {
        // Into memory: cannot fail, and an end of the game is no trouble here.
        let _ = agent.turn(&mut line.as_bytes(), &mut std::io::sink());
    }
    if let Ok(mv) = referee::parse_put(answer.trim_end()) {
        agent.put(mv);
    }
    answer.as_bytes().to_vec()
}

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
                "file with 2 lines of 32 tiles in draw order, or those lines with ; between; without it the seed decides",
            ),
            (
                "clock_ms",
                "10000",
                "milliseconds a player has for the whole game",
            ),
        ]
    }

    fn referee(&self, setup: &Setup) -> anyhow::Result<Box<dyn Referee>> {
        let (mut bags, mut clock) = (None, referee::CLOCK_MS);
        for (name, value) in &setup.options {
            match name.as_str() {
                "bags" if value.is_empty() => {}
                "bags" if value.contains(';') => {
                    bags = Some(Bags::parse(&value.replace(';', "\n")).context("bags")?);
                }
                "bags" => {
                    let text = std::fs::read_to_string(value)
                        .with_context(|| format!("bags: expected a readable file, met {value}"))?;
                    bags = Some(Bags::parse(&text).with_context(|| format!("bags: {value}"))?);
                }
                "clock_ms" => {
                    clock = value
                        .parse()
                        .ok().with_context(|| format!("clock_ms: expected milliseconds, met `{value}`"))?;
                }
                other => bail!("expected bags or clock_ms, met option `{other}`"),
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
        let builtin = Engine::new(Builtin::new(policy), |_, _| {});
        Some(Box::new(builtin.reliving(relive)))
    }

    fn engine(&self, budget: Budget, params: &[(String, f64)]) -> anyhow::Result<Box<dyn Player>> {
        let weights = Weights::with(params)?;
        let bot = Engine::new(Bot::new(budget, weights, 1), Bot::set_budget);
        Ok(Box::new(bot.reliving(relive)))
    }

    fn tunables(&self) -> &'static [Tunable] {
        Weights::LIST
    }

    /// The log of the testing tool.
    fn recorded(&self, text: &str) -> Option<Vec<anyhow::Result<Recorded>>> {
        let first = text
            .lines()
            .find(|line| !line.trim().is_empty() && !line.starts_with('#'))?;
        let headed =
            first.starts_with("[FIRST ") || first.starts_with("[SECOND ") || first.starts_with("INIT ");
        headed.then(|| vec![Log::parse(text).and_then(|log| log.recorded())])
    }

    fn open_start(&self, options: &BTreeMap<String, String>) -> bool {
        options.contains_key("bags")
    }

    fn shows_all(&self) -> bool {
        false
    }

    fn game_clock(&self, options: &BTreeMap<String, String>) -> Option<(u64, u64)> {
        let set = options.get("clock_ms").and_then(|ms| ms.parse().ok());
        Some((set.unwrap_or(referee::CLOCK_MS), u64::from(TURNS) / 2))
    }

    /// A bot divides its clock among the answers to come.
    fn grant(&self, send: &str, ms: u64, left: usize) -> String {
        let all = ms * left as u64;
        let line = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
            ["TIME", _, other] => format!("TIME {all} {other}\n"),
            _ => format!("{line}\n"),
        };
        send.lines().map(line).collect()
    }

    fn elapsed(&self, before: &Value, after: &Value, seat: usize) -> Option<Duration> {
        let clock = |view: &Value| view["clocks"][seat].as_u64();
        Some(Duration::from_millis(
            clock(before)?.saturating_sub(clock(after)?),
        ))
    }

    fn verify(&self, _file: &str, record: &Value) -> Result<Checked, Difference> {
        verify::record(record)
    }

    fn bench(&self) -> Vec<BenchLine> {
        bench::bench()
    }

    fn log(&self, trace: &Trace) -> anyhow::Result<String> {
        let view = trace.steps.last().map(|step| &step.view);
        let commands = [0, 1].map(|seat: usize| trace.bots.get(seat).cloned().unwrap_or_default());
        let debug: Vec<(usize, String)> = trace
            .exchanges()
            .flat_map(|e| e.stderr.lines().map(|line| (e.seat, line.to_owned())))
            .collect();
        Ok(log_from_view(view.context("expected a game with positions")?, commands)?.render(&debug))
    }

    fn text(&self, view: &Value) -> String {
        picture::text(view)
    }

    fn course(&self, pv: &str) -> Vec<String> {
        vec![format!("PUT {}", pv.replace('_', " "))]
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
        let mut referee = ADAPTER.referee(&setup).unwrap();
        let mut players = names.map(|name| ADAPTER.builtin(name, seed).unwrap());
        loop {
            let asks = referee.asks();
            if asks.is_empty() {
                return (referee.outcome().unwrap(), referee.view());
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
            referee.reply(&replies);
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
