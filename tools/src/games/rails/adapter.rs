//! rails for the tools: referee, builtin opponents, recordings, picture.

use super::builtins::{Builtin, Kind};
use super::referee::RailsReferee;
use super::{bench, picture, referee, verify};
use crate::adapter::{Adapter, BenchLine, Engine, Player, Setup};
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

    fn referee(&self, setup: &Setup) -> anyhow::Result<Box<dyn Referee>> {
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
        let line = |n: usize| view["init"][n].as_str().and_then(|l| l.parse::<f64>().ok());
        let (Some(width), Some(height)) = (line(1), line(2)) else {
            return Vec::new();
        };
        let towns = line(3 + (width * height) as usize).unwrap_or_default();
        vec![("width", width), ("height", height), ("towns", towns)]
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

    fn legend(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("#e9efd9", "plain"),
            ("#a9d1ea", "river"),
            ("#b9a88c", "mountain"),
            ("#f3d36b", "place of interest"),
            ("#6b6b6b", "tracks of both"),
            ("#3a3a3a", "washed away"),
            ("#a00", "number: instability"),
        ]
    }

    fn course(&self, pv: &str) -> Vec<String> {
        let plain = |word: &str| word.replace('_', " ").replace("PLACE TRACKS", "PLACE_TRACKS");
        pv.split_whitespace().map(plain).collect()
    }

    fn svg(&self, view: &Value) -> String {
        picture::draw(view)
    }
}
