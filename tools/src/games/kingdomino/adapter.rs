//! kingdomino for the tools: referee, builtin opponents, recordings, picture.

use anyhow::bail;
use super::builtins::{Builtin, Policy};
use super::referee::{KingdominoReferee, shuffled};
use super::{bench, picture, verify};
use crate::adapter::{Adapter, BenchLine, Engine, Player, Setup};
use crate::recorded::{Checked, Difference};
use crate::referee::Referee;
use fifty::games::kingdomino::bot::Bot;
use fifty::games::kingdomino::protocol::Shape;
use fifty::games::kingdomino::state::Variant;
use fifty::games::kingdomino::weights::Weights;
use fifty::kit::clock::Budget;
use fifty::kit::tunables::Tunable;
use serde_json::Value;
use std::collections::BTreeMap;

/// The game's entry in the tools.
pub static ADAPTER: Kingdomino = Kingdomino;

/// kingdomino.
pub struct Kingdomino;

/// Variant and number of players, and whether an illegal PUT is forgiven.
fn rules(options: &BTreeMap<String, String>) -> anyhow::Result<(Shape, bool)> {
    let (mut classic, mut players, mut forgiving) = (false, 2, false);
    for (name, value) in options {
        match (name.as_str(), value.as_str()) {
            ("variant", "main") => classic = false,
            ("variant", "classic") => classic = true,
            ("variant", _) => bail!("variant: expected main or classic, met `{value}`"),
            ("players", "2" | "3" | "4") => players = usize::from(value.as_bytes()[0] - b'0'),
            ("players", _) => bail!("players: expected 2, 3 or 4, met `{value}`"),
            ("fault", "abort") => forgiving = false,
            ("fault", "discard") => forgiving = true,
            ("fault", _) => bail!("fault: expected abort or discard, met `{value}`"),
            _ => bail!("expected variant, players or fault, met option `{name}`"),
        }
    }
    if players != 2 && !classic {
        bail!("players: {players} need variant=classic");
    }
    let variant = if classic {
        Variant::classic(players)
    } else {
        Variant::MAIN
    };
    Ok((Shape { players, variant }, forgiving))
}

impl Adapter for Kingdomino {
    fn name(&self) -> &'static str {
        "kingdomino"
    }

    fn seats(&self, options: &BTreeMap<String, String>) -> usize {
        rules(options).map_or(2, |(shape, _)| shape.players)
    }

    fn options(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        &[
            ("variant", "main", "main (7x7, 2 players) or classic (5x5)"),
            ("players", "2", "2, or with variant=classic 3 or 4"),
            (
                "fault",
                "abort",
                "what an illegal PUT costs: abort (the game) or discard (the tile)",
            ),
        ]
    }

    fn referee(&self, setup: &Setup) -> anyhow::Result<Box<dyn Referee>> {
        let (shape, forgiving) = rules(&setup.options)?;
        let deck = shuffled(setup.seed);
        Ok(match shape.players {
            3 => Box::new(KingdominoReferee::<3>::new(shape, deck, forgiving)),
            4 => Box::new(KingdominoReferee::<4>::new(shape, deck, forgiving)),
            _ => Box::new(KingdominoReferee::<2>::new(shape, deck, forgiving)),
        })
    }

    fn builtins(&self) -> &'static [&'static str] {
        &["random", "greedy", "hard", "flatmc", "flattuned", "flatfirst"]
    }

    fn builtin(&self, name: &str, seed: u64) -> Option<Box<dyn Player>> {
        let policy = match name {
            "random" => Policy::Random,
            "greedy" => Policy::Greedy,
            "hard" => Policy::Hard,
            "flatmc" => Policy::Flat,
            "flattuned" => Policy::FlatTuned,
            "flatfirst" => Policy::FlatFirst,
            _ => return None,
        };
        let weights = Weights::DEFAULT;
        let budget = Budget::from_env(weights.first_ms as u64, weights.later_ms as u64);
        Some(Box::new(Builtin::new(policy, budget, seed)))
    }

    fn engine(&self, budget: Budget, params: &[(String, f64)]) -> anyhow::Result<Box<dyn Player>> {
        let weights = Weights::with(params)?;
        Ok(Box::new(Engine::new(
            Bot::new(budget, weights, 1),
            Bot::set_budget,
        )))
    }

    fn tunables(&self) -> &'static [Tunable] {
        Weights::LIST
    }

    fn facts(&self, view: &Value) -> Vec<(&'static str, f64)> {
        vec![("players", view["grids"].as_array().map_or(0, Vec::len) as f64)]
    }

    fn verify(&self, _file: &str, record: &Value) -> Result<Checked, Difference> {
        verify::record(record)
    }

    fn bench(&self) -> Vec<BenchLine> {
        bench::lines()
    }

    fn text(&self, view: &Value) -> String {
        picture::text(view)
    }

    fn legend(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("#e8c547", "corn (c)"),
            ("#2f6b3a", "forest (f)"),
            ("#9ccc65", "grass (g)"),
            ("#4a90d9", "lake (l)"),
            ("#b5a58a", "wasteland (w)"),
            ("#5b4b49", "mine (m)"),
            ("#ffe680", "crowns"),
        ]
    }

    fn course(&self, pv: &str) -> Vec<String> {
        vec![pv.replace('_', " ").replace(';', "\n")]
    }

    fn svg(&self, view: &Value) -> String {
        picture::svg(view)
    }
}
