//! wondev for the tools: referee, builtin opponents, recordings, picture.

use super::builtins::{Builtin, Kind};
use super::referee::WondevReferee;
use super::{bench, picture, referee, verify};
use crate::adapter::{Adapter, BenchLine, Engine, Player, Setup};
use crate::recorded::{Checked, Difference};
use crate::referee::Referee;
use fifty::games::wondev::bot::Bot;
use fifty::games::wondev::weights::Weights;
use fifty::kit::clock::Budget;
use fifty::kit::tunables::Tunable;
use serde_json::Value;

/// The game's entry in the tools.
pub static ADAPTER: Wondev = Wondev;

/// wondev.
pub struct Wondev;

impl Adapter for Wondev {
    fn name(&self) -> &'static str {
        "wondev"
    }

    fn options(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        referee::OPTIONS
    }

    fn referee(&self, setup: &Setup) -> anyhow::Result<Box<dyn Referee>> {
        Ok(Box::new(WondevReferee::new(setup)?))
    }

    fn builtins(&self) -> &'static [&'static str] {
        &["random", "greedy"]
    }

    fn builtin(&self, name: &str, seed: u64) -> Option<Box<dyn Player>> {
        let kind = match name {
            "random" => Kind::Random,
            "greedy" => Kind::Greedy,
            _ => return None,
        };
        Some(Box::new(Builtin::new(kind, seed)))
    }

    fn engine(&self, budget: Budget, params: &[(String, f64)]) -> anyhow::Result<Box<dyn Player>> {
        let weights = Weights::with(params)?;
        Ok(Box::new(Engine::new(
            Bot::new(budget, weights, 0),
            Bot::set_budget,
        )))
    }

    fn tunables(&self) -> &'static [Tunable] {
        Weights::LIST
    }

    fn facts(&self, view: &Value) -> Vec<(&'static str, f64)> {
        let rows = view["rows"].as_array().map_or(0, Vec::len);
        let units = view["units"][0].as_array().map_or(0, Vec::len);
        vec![("size", rows as f64), ("units", units as f64)]
    }

    fn verify(&self, _file: &str, record: &Value) -> Result<Checked, Difference> {
        verify::verify(record)
    }

    fn bench(&self) -> Vec<BenchLine> {
        bench::lines()
    }

    fn legend(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("#e8e4da", "height 0"),
            ("#c9bfa5", "1"),
            ("#a68f63", "2"),
            ("#6f5a33", "3"),
            ("#2b2b2b", "4, closed"),
        ]
    }

    fn svg(&self, view: &Value) -> String {
        picture::draw(view)
    }
}
