//! slime for the tools: referee, builtin opponents, recordings, picture.

use anyhow::{Context, bail};
use super::{bench, builtins, entry, hand, picture, protocol, referee, verify};
use crate::adapter::{Adapter, BenchLine, Engine, Player, Setup, Transport};
use crate::elsewhere::Recorded;
use crate::recorded::{Checked, Difference};
use crate::referee::Referee;
use fifty::games::slime::bot::Bot;
use fifty::games::slime::state::SEATS;
use fifty::games::slime::weights::Weights;
use fifty::kit::clock::Budget;
use fifty::kit::tunables::Tunable;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// The game's entry in the tools.
pub static ADAPTER: Slime = Slime;

/// slime.
pub struct Slime;

/// Not a number of the bot: with 0 its opinion is that of [`hand`].
const LEARNED: &str = "learned";

/// Board sizes by their option.
const SIZES: [&str; 5] = ["4", "5", "6", "7", "8"];
/// Longest drawn opening, in plies.
const OPENING: u16 = 16;

impl Adapter for Slime {
    fn name(&self) -> &'static str {
        "slime"
    }

    fn seats(&self, _options: &BTreeMap<String, String>) -> usize {
        SEATS
    }

    fn transport(&self) -> Transport {
        Transport::Argument
    }

    fn limits(&self) -> (Duration, Duration) {
        (referee::LIMIT, referee::LIMIT)
    }

    fn options(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        &[
            ("size", "8", "rows and columns of the board, 4 to 8"),
            ("opening", "0", "first moves drawn by the game's seed, 0 to 16"),
        ]
    }

    fn referee(&self, setup: &Setup) -> anyhow::Result<Box<dyn Referee>> {
        let (mut size, mut opening) = (8, 0);
        for (name, value) in &setup.options {
            match name.as_str() {
                "size" => {
                    let known = SIZES.iter().position(|size| size == value);
                    size = known.with_context(|| format!("size: expected 4 to 8, met {value:?}"))? as u32 + 4;
                }
                "opening" => {
                    let plies = value.parse().ok().filter(|&plies| plies <= OPENING);
                    opening =
                        plies.with_context(|| format!("opening: expected 0 to {OPENING}, met {value:?}"))?;
                }
                _ => bail!("slime has no option {name:?}, only \"size\" and \"opening\""),
            }
        }
        Ok(Box::new(referee::SlimeReferee::opened(size, opening, setup.seed)))
    }

    fn builtins(&self) -> &'static [&'static str] {
        &[
            "random",
            "greedy",
            "maxn",
            "paranoid",
            "best-reply",
            "planner-paranoid",
            "planner-maxn",
            "planner-tree",
        ]
    }

    fn builtin(&self, name: &str, seed: u64) -> Option<Box<dyn Player>> {
        Some(Box::new(builtins::Builtin::new(name, seed)?))
    }

    fn engine(&self, budget: Budget, params: &[(String, f64)]) -> anyhow::Result<Box<dyn Player>> {
        let (learned, params): (Vec<_>, Vec<_>) =
            params.iter().cloned().partition(|(name, _)| name == LEARNED);
        if let Some((name, value)) = learned.iter().find(|(_, value)| ![0.0, 1.0].contains(value)) {
            anyhow::bail!("{name}: 0 or 1, not {value}");
        }
        let weights = Weights::with(&params)?;
        let mut bot = Bot::new(budget, weights, 1);
        if learned.iter().any(|(_, value)| *value == 0.0) {
            hand::set(&mut bot.search);
        }
        Ok(Box::new(Engine::new(bot, Bot::set_budget)))
    }

    fn hand(&self) -> Vec<(String, f64)> {
        vec![(LEARNED.to_owned(), 0.0)]
    }

    /// By the clock; with fixed work the bot remembers nothing itself.
    fn remembers(&self) -> bool {
        true
    }

    fn tunables(&self) -> &'static [Tunable] {
        Weights::LIST
    }

    /// What the controller asked and was answered: an object with `positions`, or one `ARGUMENT MOVE` a line.
    fn recorded(&self, text: &str) -> Option<Vec<anyhow::Result<Recorded>>> {
        protocol::recorded(text)
    }

    fn open_start(&self, options: &BTreeMap<String, String>) -> bool {
        options.get("opening").is_none_or(|plies| plies == "0")
    }

    fn facts(&self, view: &Value) -> Vec<(&'static str, f64)> {
        vec![("size", view["rows"].as_array().map_or(0, Vec::len) as f64)]
    }

    fn verify(&self, _file: &str, record: &Value) -> Result<Checked, Difference> {
        verify::verify(record)
    }

    fn bench(&self) -> Vec<BenchLine> {
        bench::bench()
    }

    fn extras(&self, bundle: &str) -> Vec<(String, String)> {
        vec![("slime.md".to_owned(), entry::entry(bundle))]
    }

    fn course(&self, pv: &str) -> Vec<String> {
        // `0112` or `0_1_1_2`.
        let numbers = |word: &str| word.chars().filter(|&c| c != '_').map(String::from).collect::<Vec<_>>();
        pv.split(',').map(|word| numbers(word).join(" ")).collect()
    }

    fn svg(&self, view: &Value) -> String {
        picture::draw(view)
    }
}

#[cfg(test)]
mod tests {
    use super::ADAPTER;
    use crate::adapter::{Adapter, Setup};
    use crate::referee::Reply;
    use fifty::kit::clock::Budget;
    use std::time::Duration;

    /// A whole game in process: our bot at little work against builtins, through the referee.
    #[test]
    fn the_engine_plays_whole_games_and_beats_greedy() {
        let mut mine = 0.0;
        for seat in 0..4 {
            let mut game = ADAPTER.referee(&Setup::default()).unwrap();
            let mut players: Vec<_> = (0..4)
                .map(|other| {
                    if other == seat {
                        ADAPTER.engine(Budget::Work(400), &[]).unwrap()
                    } else {
                        ADAPTER.builtin("greedy", other as u64).unwrap()
                    }
                })
                .collect();
            loop {
                let asks = game.asks();
                let Some(ask) = asks.first() else { break };
                let output = players[ask.seat].respond(&ask.send, ask.want);
                game.reply(&[Reply {
                    seat: ask.seat,
                    output: Ok(output),
                    elapsed: Duration::ZERO,
                }]);
            }
            mine += game.outcome().unwrap().scores[seat];
        }
        assert!(mine / 4.0 > 20.0, "{mine}");
    }

    #[test]
    fn unknown_names_are_refused() {
        let mut setup = Setup::default();
        setup.options.insert("size".into(), "9".into());
        assert!(ADAPTER.referee(&setup).is_err());
        let mut setup = Setup::default();
        setup.options.insert("opening".into(), "17".into());
        assert!(ADAPTER.referee(&setup).is_err());
        assert!(ADAPTER.builtin("nobody", 1).is_none());
        assert!(
            ADAPTER
                .engine(Budget::Work(1), &[("nothing".into(), 1.0)])
                .is_err()
        );
        let learned = |value| ADAPTER.engine(Budget::Work(1), &[("learned".into(), value)]);
        assert!(learned(0.0).is_ok() && learned(1.0).is_ok() && learned(f64::NAN).is_err());
    }
}
