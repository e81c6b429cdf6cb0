//! newgame for the tools: referee, builtin opponents, engine, picture.
//!
//! `verify` (replays games the tools recorded) and `bench` (the bot against itself) are the defaults of [`Adapter`].
//! WRITE your own when a contest gives recordings of its own form, or when single positions tell you more.

use super::builtins::{Builtin, Kind};
use super::picture;
use super::referee::NewgameReferee;
use crate::adapter::{Adapter, AgentPlayer, Player, Setup};
use crate::referee::Referee;
use fifty::games::newgame::bot::Bot;
use fifty::games::newgame::weights::Weights;
use fifty::kit::clock::Budget;
use fifty::kit::tunables::Tunable;
use serde_json::Value;

/// The game's entry in the tools.
pub static ADAPTER: Newgame = Newgame;

/// newgame.
pub struct Newgame;

impl Adapter for Newgame {
    fn name(&self) -> &'static str {
        "newgame"
    }

    fn referee(&self, setup: &Setup) -> Result<Box<dyn Referee>, String> {
        if let Some(name) = setup.options.keys().next() {
            return Err(format!("newgame has no option {name:?}"));
        }
        Ok(Box::new(NewgameReferee::default()))
    }

    fn builtin(&self, name: &str, seed: u64) -> Option<Box<dyn Player>> {
        let kind = match name {
            "random" => Kind::Random,
            "greedy" => Kind::Greedy,
            _ => return None,
        };
        Some(Box::new(Builtin::new(kind, seed)))
    }

    fn engine(&self, budget: Budget, params: &[(String, f64)]) -> Result<Box<dyn Player>, String> {
        let weights = Weights::with(params).map_err(|e| e.to_string())?;
        Ok(Box::new(AgentPlayer(Bot::new(budget, &weights, 1))))
    }

    fn tunables(&self) -> &'static [Tunable] {
        Weights::LIST
    }

    fn svg(&self, view: &Value) -> String {
        picture::draw(view)
    }
}
