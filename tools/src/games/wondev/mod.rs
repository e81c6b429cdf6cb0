//! wondev for the tools: referee, builtin opponents, recordings, picture.

mod bench;
mod builtin;
mod features;
#[allow(dead_code, clippy::all, clippy::pedantic)] // frozen as it was
mod first;
mod judge;
mod referee;
mod svg;
mod verify;

use crate::referee::Referee;
use crate::room::{AgentPlayer, BenchLine, Checked, Difference, Player, Room, Setup};
use builtin::{Builtin, Kind};
use fifty::games::wondev::bot::Bot;
use fifty::games::wondev::weights::Weights;
use fifty::kit::clock::Budget;
use fifty::kit::tunables::Tunable;
use referee::WondevReferee;
use serde_json::Value;

/// The game's entry in the tools.
pub static ROOM: Wondev = Wondev;

/// wondev.
pub struct Wondev;

impl Room for Wondev {
    fn name(&self) -> &'static str {
        "wondev"
    }

    fn options(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        referee::OPTIONS
    }

    fn referee(&self, setup: &Setup) -> Result<Box<dyn Referee>, String> {
        Ok(Box::new(WondevReferee::new(setup)?))
    }

    fn builtins(&self) -> &'static [&'static str] {
        &["random", "greedy", "first", "first-5000"]
    }

    fn builtin(&self, name: &str, seed: u64) -> Option<Box<dyn Player>> {
        if name == "first" {
            // At the real clock, as it was meant to be met.
            let bot = first::bot::Bot::new(Budget::millis(900, 43), first::eval::Weights::DEFAULT, seed);
            return Some(Box::new(AgentPlayer(bot.silent())));
        }
        if let Some(work) = name.strip_prefix("first-").and_then(|n| n.parse().ok()) {
            let bot = first::bot::Bot::new(Budget::Work(work), first::eval::Weights::DEFAULT, seed);
            return Some(Box::new(AgentPlayer(bot.silent())));
        }
        let kind = match name {
            "random" => Kind::Random,
            "greedy" => Kind::Greedy,
            _ => return None,
        };
        Some(Box::new(Builtin::new(kind, seed)))
    }

    fn engine(&self, budget: Budget, params: &[(String, f64)]) -> Result<Box<dyn Player>, String> {
        let mut weights = Weights::DEFAULT;
        for (name, value) in params {
            if !weights.set(name, *value) {
                return Err(format!("wondev has no number named {name}"));
            }
        }
        Ok(Box::new(AgentPlayer(Bot::new(budget, weights, 0))))
    }

    fn tunables(&self) -> &'static [Tunable] {
        Weights::LIST
    }

    /// The first version's opinion in today's terms, the same at every stage of a game. A survivor judges as in
    /// league 1.
    fn hand(&self) -> Vec<(String, f64)> {
        let first = first::eval::Weights::DEFAULT;
        let opinion = |name: &str| {
            let (block, rest) = name.split_once('_')?;
            let (term, _stage) = rest.rsplit_once('_')?;
            let block = if block == "s" { "p" } else { block };
            let of = |term: &str| first.get(&format!("{block}_{term}"));
            let counted = ["area", "step"].iter().find(|all| term.starts_with(**all));
            // Cells of every height count alike there, and each height for itself.
            let value = counted.map_or_else(
                || of(term).unwrap_or(0.0),
                |all| of(all).unwrap_or(0.0) + of(term).unwrap_or(0.0),
            );
            matches!(block, "c" | "p" | "q").then_some(value)
        };
        let value = |t: &Tunable| Some((t.name.to_owned(), opinion(t.name)?));
        Weights::LIST.iter().filter_map(value).collect()
    }

    fn verify(&self, _file: &str, record: &Value) -> Result<Checked, Difference> {
        verify::verify(record)
    }

    fn bench(&self) -> Vec<BenchLine> {
        bench::lines()
    }

    fn svg(&self, view: &Value) -> String {
        svg::draw(view)
    }
}
