//! rails for the tools: referee, builtin opponents, recordings, picture.

mod bench;
mod builtin;
mod first;
mod partner;
mod referee;
mod svg;
mod verify;

use crate::referee::Referee;
use crate::room::{AgentPlayer, BenchLine, Checked, Difference, Player, Room, Setup};
use builtin::{Builtin, Kind};
use fifty::games::rails::bot::Bot;
use fifty::games::rails::weights::Weights;
use fifty::kit::clock::Budget;
use fifty::kit::tunables::Tunable;
use referee::RailsReferee;
use serde_json::Value;

/// The frozen first version.
fn first(budget: Budget, seed: u64) -> Box<dyn Player> {
    let bot = first::bot::Bot::new(budget, first::weights::Weights::DEFAULT, seed);
    Box::new(AgentPlayer(bot.silent()))
}

/// The game's entry in the tools.
pub static ROOM: Rails = Rails;

/// rails.
pub struct Rails;

impl Room for Rails {
    fn name(&self) -> &'static str {
        "rails"
    }

    fn options(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        referee::OPTIONS
    }

    fn referee(&self, setup: &Setup) -> Result<Box<dyn Referee>, String> {
        Ok(Box::new(RailsReferee::new(setup)?))
    }

    fn builtins(&self) -> &'static [&'static str] {
        &["random", "greedy", "beam", "beam-1000", "first", "first-300"]
    }

    fn builtin(&self, name: &str, seed: u64) -> Option<Box<dyn Player>> {
        let kind = match name {
            "random" => Kind::Random,
            "greedy" => Kind::Greedy,
            "first" => return Some(first(Budget::millis(850, 41), seed)),
            "beam" => Kind::Beam(8000),
            _ if name.starts_with("beam-") => Kind::Beam(name["beam-".len()..].parse().ok()?),
            _ => {
                let work = name.strip_prefix("first-")?.parse().ok()?;
                return Some(first(Budget::Work(work), seed));
            }
        };
        Some(Box::new(Builtin::new(kind, seed)))
    }

    fn engine(&self, budget: Budget, params: &[(String, f64)]) -> Result<Box<dyn Player>, String> {
        let mut weights = Weights::DEFAULT;
        for (name, value) in params {
            if !weights.set(name, *value) {
                return Err(format!("rails has no number named {name}"));
            }
        }
        Ok(Box::new(AgentPlayer(Bot::new(budget, weights, 0))))
    }

    fn tunables(&self) -> &'static [Tunable] {
        Weights::LIST
    }

    /// What was found number by number, by matches, before the tuner ran. Numbers for the search and the clock are
    /// no opinion.
    fn hand(&self) -> Vec<(String, f64)> {
        let set = [
            ("horizon", 12.0),
            ("patience", 0.8),
            ("patience_high", 0.8),
            ("promise", 0.45),
            ("takeover", 2.0),
            ("life", -1.5),
            ("life_hit", 2.0),
            ("wash", 0.4),
            ("home", 5.0),
            ("fade", 15.0),
        ];
        set.map(|(name, value)| (name.to_owned(), value)).into()
    }

    fn verify(&self, _file: &str, record: &Value) -> Result<Checked, Difference> {
        verify::verify(record)
    }

    fn bench(&self) -> Vec<BenchLine> {
        bench::lines()
    }

    fn text(&self, view: &Value) -> String {
        svg::text(view)
    }

    fn svg(&self, view: &Value) -> String {
        svg::draw(view)
    }
}
