//! A game of an outside referee among the tools' games: what can be done with it without knowing its rules, and how
//! what its log holds is shown.

use super::settings::Settings;
use crate::adapter::{Adapter, Player, Setup};
use crate::games;
use crate::referee::{Ask, Outcome, Referee, Reply};
use anyhow::anyhow;
use fifty::kit::clock::Budget;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Lines of a position that are shown, and characters of each.
const SHOWN: (usize, usize) = (40, 100);

/// The games met in this run of the program; they stay to its end.
static MET: Mutex<Vec<&'static Outside>> = Mutex::new(Vec::new());

/// A game of an outside referee.
pub struct Outside {
    name: &'static str,
    settings: Option<Settings>,
}

fn met() -> std::sync::MutexGuard<'static, Vec<&'static Outside>> {
    MET.lock().unwrap_or_else(PoisonError::into_inner)
}

fn add(game: Outside) -> &'static Outside {
    let game: &'static Outside = Box::leak(Box::new(game));
    met().push(game);
    game
}

/// Makes a game of a referee known by its name.
pub fn register(settings: Settings) -> &'static dyn Adapter {
    let known = met()
        .iter()
        .copied()
        .find(|game| game.settings.as_ref() == Some(&settings));
    known.unwrap_or_else(|| {
        add(Outside {
            name: Box::leak(settings.name.clone().into_boxed_str()),
            settings: Some(settings),
        })
    })
}

/// A game by name: ours, or one of an outside referee that was met in this run of the program.
pub fn adapter(name: &str) -> Option<&'static dyn Adapter> {
    games::known(name).or_else(|| by_name(name))
}

/// A game of an outside referee that can be played here.
fn by_name(name: &str) -> Option<&'static dyn Adapter> {
    let met = met();
    let found = met
        .iter()
        .find(|game| game.name == name && game.settings.is_some());
    found.map(|&game| game as &dyn Adapter)
}

/// Names of the games that can be played here.
pub fn names() -> Vec<&'static str> {
    let met = met();
    (met.iter().filter(|game| game.settings.is_some()))
        .map(|game| game.name)
        .collect()
}

/// A game by name, ours or not: for showing what was recorded of it.
pub fn shown(name: &str) -> &'static dyn Adapter {
    if let Some(adapter) = adapter(name) {
        return adapter;
    }
    let known = met().iter().copied().find(|game| game.name == name);
    known.unwrap_or_else(|| {
        add(Outside {
            name: Box::leak(name.to_owned().into_boxed_str()),
            settings: None,
        })
    })
}

/// The rules are elsewhere: nothing is asked here.
struct Elsewhere;

impl Referee for Elsewhere {
    fn asks(&mut self) -> Vec<Ask> {
        Vec::new()
    }

    fn reply(&mut self, _: &[Reply]) {}

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn view(&self) -> Value {
        Value::Null
    }
}

/// A position as lines: what the frame says, then its data.
fn lines(view: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let mut add = |key: &str, value: &Value| match value {
        Value::Null => {}
        Value::String(text) if text.trim().is_empty() => {}
        Value::String(text) => out.extend(text.lines().map(str::to_owned)),
        Value::Array(rows) if rows.iter().all(Value::is_string) => {
            out.push(format!("{key}:"));
            out.extend(
                rows.iter()
                    .filter_map(Value::as_str)
                    .map(|row| format!("  {row}")),
            );
        }
        other => out.push(format!("{key}: {other}")),
    };
    match view.as_object() {
        Some(map) => map.iter().for_each(|(key, value)| add(key, value)),
        None => add("view", view),
    }
    let (most, width) = SHOWN;
    let more = out.len().saturating_sub(most);
    out.truncate(most);
    for line in &mut out {
        if line.chars().count() > width {
            *line = line.chars().take(width - 1).chain(['…']).collect();
        }
    }
    if more > 0 {
        out.push(format!("… {more} lines more"));
    }
    out
}

impl Adapter for Outside {
    fn name(&self) -> &'static str {
        self.name
    }

    fn seats(&self, _options: &BTreeMap<String, String>) -> usize {
        self.settings.as_ref().map_or(2, |settings| settings.players)
    }

    fn limits(&self) -> (Duration, Duration) {
        let clock = self.settings.as_ref().and_then(|settings| settings.clock);
        let later = Duration::from_millis(clock.unwrap_or(50));
        (later.max(Duration::from_secs(1)), later)
    }

    fn referee(&self, _setup: &Setup) -> anyhow::Result<Box<dyn Referee>> {
        match self.settings {
            Some(_) => Ok(Box::new(Elsewhere)),
            None => Err(anyhow!(
                "{}: its referee is not here, only games of it",
                self.name
            )),
        }
    }

    fn builtins(&self) -> &'static [&'static str] {
        &[]
    }

    fn builtin(&self, _name: &str, _seed: u64) -> Option<Box<dyn Player>> {
        None
    }

    fn engine(&self, _budget: Budget, _params: &[(String, f64)]) -> anyhow::Result<Box<dyn Player>> {
        Err(anyhow!("{}: no engine of ours plays it", self.name))
    }

    fn outside(&self) -> Option<&Settings> {
        self.settings.as_ref()
    }

    fn text(&self, view: &Value) -> String {
        let mut out = String::new();
        for line in lines(view) {
            let _ = writeln!(out, "  {line}");
        }
        out
    }

    fn svg(&self, view: &Value) -> String {
        let lines = lines(view);
        let height = lines.len().max(4) * 16 + 16;
        let mut out = format!(
            "<svg viewBox=\"0 0 720 {height}\" role=\"img\" font-family=\"monospace\" font-size=\"12\" fill=\"currentColor\">"
        );
        for (n, line) in lines.iter().enumerate() {
            let text = line
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            let _ = write!(
                out,
                "<text x=\"8\" y=\"{}\" xml:space=\"preserve\">{text}</text>",
                n * 16 + 18
            );
        }
        out + "</svg>"
    }
}

#[cfg(test)]
mod tests {
    use super::{by_name, register, shown};
    use crate::outside::settings::Settings;
    use serde_json::json;

    #[test]
    fn a_game_is_known_once_it_was_met() {
        assert!(by_name("toy-of-a-test").is_none());
        assert!(shown("toy-of-a-test").outside().is_none() && by_name("toy-of-a-test").is_none());
        let settings = Settings {
            name: "toy-of-a-test".into(),
            players: 3,
            ..Settings::new("sh")
        };
        let adapter = register(settings.clone());
        assert_eq!(adapter.seats(&[].into()), 3);
        assert!(std::ptr::eq(
            adapter.name(),
            by_name("toy-of-a-test").unwrap().name()
        ));
        assert!(std::ptr::eq(register(settings).name(), adapter.name()));
        assert_eq!(shown("wondev").name(), "wondev");
        let view = json!({"frame": 3, "summary": "$0 <moves>", "view": "a\nb"});
        assert_eq!(adapter.text(&view), "  frame: 3\n  $0 <moves>\n  a\n  b\n");
        assert!(adapter.svg(&view).contains("$0 &lt;moves&gt;"));
    }
}
