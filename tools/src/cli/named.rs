//! What a command line names: games, their options, bots.

use crate::adapter::{Adapter, Setup};
use crate::arena::bots::Bot;
use crate::games::{adapters, is_ours};
use crate::outside;
use crate::outside::adapter::adapter;
use crate::outside::settings::Settings;
use anyhow::{Context, Result, bail};
use fifty::kit::clock::Budget;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// What the game says about the options given, for an error.
pub fn known(adapter: &dyn Adapter, options: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (name, _, words) in adapter.options() {
        if options.contains_key(*name) {
            text = text + "; " + name + ": " + words;
        }
    }
    text
}

/// Options of a game from `key=value` texts.
pub fn options(texts: &[String]) -> Result<BTreeMap<String, String>> {
    let mut options = BTreeMap::new();
    for text in texts {
        let (key, value) = text
            .split_once('=')
            .with_context(|| format!("-o {text}: expected key=value"))?;
        if let Some(before) = options.insert(key.to_owned(), value.to_owned()) {
            bail!("-o {text}: {key} was given before, as {before}");
        }
    }
    Ok(options)
}

/// Every choice of options from `key=value` texts that may name a key several times, checked by making a referee.
pub fn options_in_turn(
    texts: &[String],
    adapter: &dyn Adapter,
    seed: u64,
) -> Result<Vec<BTreeMap<String, String>>> {
    let choices = choices(texts)?;
    for options in &choices {
        adapter.referee(&Setup {
            seed,
            options: options.clone(),
        })?;
    }
    Ok(choices)
}

fn choices(texts: &[String]) -> Result<Vec<BTreeMap<String, String>>> {
    let mut all = vec![BTreeMap::new()];
    let mut keys: Vec<(String, Vec<String>)> = Vec::new();
    for text in texts {
        for (key, value) in options(std::slice::from_ref(text))? {
            match keys.iter_mut().find(|(k, _)| *k == key) {
                Some((_, values)) => values.push(value),
                None => keys.push((key, vec![value])),
            }
        }
    }
    for (key, values) in keys {
        let with = |choice: &BTreeMap<_, _>, value: &String| {
            let mut choice = choice.clone();
            choice.insert(key.clone(), value.clone());
            choice
        };
        all = (all.iter())
            .flat_map(|choice| values.iter().map(move |value| with(choice, value)))
            .collect();
    }
    Ok(all)
}

/// The game named on the command line: ours, or the one of `fifty.toml` here.
pub fn adapter_named(name: &str) -> Result<&'static dyn Adapter> {
    if let Some(adapter) = adapter(name) {
        return Ok(adapter);
    }
    if let Some(settings) = Settings::read(Path::new("."))? {
        let settings = settings.checked(is_ours)?;
        if settings.name == name {
            return Ok(outside::adapter::register(settings));
        }
    }
    let names: Vec<&str> = adapters().iter().map(|r| r.name()).collect();
    bail!("no game named {name}: expected one of {}", names.join(", "))
}

/// Games by name; all of them where none is named.
pub fn adapters_named(names: &[String]) -> Result<Vec<&'static dyn Adapter>> {
    if names.is_empty() {
        return Ok(adapters().to_vec());
    }
    names.iter().map(|name| adapter_named(name)).collect()
}

/// What our bot takes for its first answer and for each later one; of a judge's clock for all of them (`shared`: its
/// milliseconds, and how many answers) an even share. `None` where it has no clock.
pub fn answer_clock(
    adapter: &'static dyn Adapter,
    shared: Option<(u64, u64)>,
) -> Result<Option<(Duration, Duration)>> {
    if let Some((all, answers)) = shared {
        let share = Duration::from_millis((all / answers).max(1));
        return Ok(Some((share, share)));
    }
    Ok(match Bot::parse("engine", adapter)?.budget() {
        Some(Budget::Time { first, later }) => Some((first, later)),
        _ => None,
    })
}

/// All bots of a run. Two of one name are told apart by their number.
pub fn bots(names: &[String], adapter: &'static dyn Adapter) -> Result<Vec<Bot>> {
    let mut bots: Vec<Bot> = Vec::new();
    for name in names {
        let mut bot = Bot::parse(name, adapter).context("bot")?;
        let label = bot.name.clone();
        let mut number = 2;
        while bots.iter().any(|other| other.name == bot.name) {
            bot.name = format!("{label} #{number}");
            number += 1;
        }
        bots.push(bot);
    }
    Ok(bots)
}

#[cfg(test)]
mod tests {
    use super::{choices, options};
    use std::collections::BTreeMap;

    #[test]
    fn values_of_one_key_take_turns() {
        let texts = ["variant=utg", "poi=true", "variant=utg-ink4"].map(String::from);
        let all = choices(&texts).unwrap();
        let variants: Vec<&str> = all.iter().map(|c| c["variant"].as_str()).collect();
        assert_eq!(variants, ["utg", "utg-ink4"]);
        assert!(all.iter().all(|c| c["poi"] == "true"));
        assert_eq!(choices(&[]).unwrap(), [BTreeMap::new()]);
        assert!(choices(&["poi".to_owned()]).is_err());
        let twice = options(&texts).unwrap_err().to_string();
        assert!(
            twice.contains("variant=utg-ink4") && twice.contains("as utg"),
            "{twice}"
        );
    }
}
