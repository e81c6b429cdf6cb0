//! rails for the tools: referee, builtin opponents, recordings, picture.

use super::builtins::{Builtin, Kind};
use super::referee::RailsReferee;
use super::{bench, picture, referee, verify};
use crate::adapter::{Adapter, AgentPlayer, BenchLine, Player, Setup};
use crate::recorded::{Checked, Difference};
use crate::referee::Referee;
use fifty::games::rails::bot::Bot;
use fifty::games::rails::weights::Weights;
use fifty::kit::clock::Budget;
use fifty::kit::tunables::Tunable;
use serde_json::Value;

/// The game's entry in the tools.
pub static ADAPTER: Rails = Rails;

/// rails.
pub struct Rails;

impl Adapter for Rails {
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
        &["random", "greedy", "beam", "beam-1000"]
    }

    fn builtin(&self, name: &str, seed: u64) -> Option<Box<dyn Player>> {
        let kind = match name {
            "random" => Kind::Random,
            "greedy" => Kind::Greedy,
            "beam" => Kind::Beam(8000),
            _ => Kind::Beam(name.strip_prefix("beam-")?.parse().ok()?),
        };
        Some(Box::new(Builtin::new(kind, seed)))
    }

    fn engine(&self, budget: Budget, params: &[(String, f64)]) -> Result<Box<dyn Player>, String> {
        let weights = Weights::with(params).map_err(|e| e.to_string())?;
        Ok(Box::new(AgentPlayer(Bot::new(budget, weights, 0))))
    }

    fn tunables(&self) -> &'static [Tunable] {
        Weights::LIST
    }

    fn verify(&self, _file: &str, record: &Value) -> Result<Checked, Difference> {
        verify::verify(record)
    }

    fn bench(&self) -> Vec<BenchLine> {
        bench::lines()
    }

    fn text(&self, view: &Value) -> String {
        picture::text(view)
    }

    fn svg(&self, view: &Value) -> String {
        picture::draw(view)
    }
}
