//! wondev for the tools: referee, builtin opponents, recordings, picture.

use crate::referee::Referee;
use crate::room::{BenchLine, Checked, Difference, Player, Room, Setup};
use fifty::kit::clock::Budget;
use serde_json::Value;

/// The game's entry in the tools.
pub static ROOM: Wondev = Wondev;

/// wondev.
pub struct Wondev;

impl Room for Wondev {
    fn name(&self) -> &'static str {
        "wondev"
    }

    fn referee(&self, _setup: &Setup) -> Result<Box<dyn Referee>, String> {
        Err("not yet".into())
    }

    fn builtin(&self, _name: &str, _seed: u64) -> Option<Box<dyn Player>> {
        None
    }

    fn engine(&self, _budget: Budget, _params: &[(String, f64)]) -> Result<Box<dyn Player>, String> {
        Err("not yet".into())
    }

    fn verify(&self, _file: &str, _record: &Value) -> Result<Checked, Difference> {
        Err(Difference {
            at: "start".into(),
            expected: "a simulator".into(),
            got: "none yet".into(),
        })
    }

    fn bench(&self) -> Vec<BenchLine> {
        Vec::new()
    }

    fn svg(&self, _view: &Value) -> String {
        String::new()
    }
}
