//! rails for the tools: referee, builtin opponents, recordings, picture.

mod referee;
mod verify;

use crate::referee::Referee;
use crate::room::{BenchLine, Checked, Difference, Player, Room, Setup};
use fifty::kit::clock::Budget;
use referee::RailsReferee;
use serde_json::Value;

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

    fn builtin(&self, _name: &str, _seed: u64) -> Option<Box<dyn Player>> {
        None
    }

    fn engine(&self, _budget: Budget, _params: &[(String, f64)]) -> Result<Box<dyn Player>, String> {
        Err("not yet".into())
    }

    fn verify(&self, _file: &str, record: &Value) -> Result<Checked, Difference> {
        verify::verify(record)
    }

    fn bench(&self) -> Vec<BenchLine> {
        Vec::new()
    }

    fn svg(&self, _view: &Value) -> String {
        String::new()
    }
}
