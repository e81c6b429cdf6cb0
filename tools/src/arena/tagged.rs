//! A bot's text in its parts: a command with a name, a clock and a grace of its own.

use anyhow::{Context, Result, bail};
use std::time::Duration;

/// A bot's text in its parts.
#[derive(Debug, PartialEq, Eq)]
pub struct Tagged<'a> {
    /// What is started.
    pub command: &'a str,
    /// What tables call it.
    pub name: Option<&'a str>,
    /// Its limit for every answer.
    pub clock: Option<Duration>,
    /// Time beyond its limit in which an answer is still taken.
    pub grace: Option<Duration>,
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || "-_".contains(c))
}

/// Reads `NAME=COMMAND;clock=MS;grace=MS` and `COMMAND;name=NAME`; every part but the command may be missing.
/// A name has a small letter: `DEPTH=3 ./bot` sets a variable, as in a shell.
pub fn tagged(text: &str) -> Result<Tagged<'_>> {
    let mut tagged = Tagged {
        command: text,
        name: None,
        clock: None,
        grace: None,
    };
    while let Some((command, (key, value))) =
        (tagged.command.rsplit_once(';')).and_then(|(command, tag)| Some((command, tag.split_once('=')?)))
    {
        let (key, value) = (key.trim(), value.trim());
        let time = || {
            let ms = value.parse().ok().filter(|ms| (0.0..1e9).contains(ms));
            ms.map(|ms: f64| Duration::from_secs_f64(ms / 1e3))
                .with_context(|| format!("{text}: {key}={value}: expected milliseconds"))
        };
        let again = match key {
            "name" => tagged.name.replace(value).is_some(),
            "clock" => tagged.clock.replace(time()?).is_some(),
            "grace" => tagged.grace.replace(time()?).is_some(),
            _ if is_word(key) && !value.contains(|c: char| c.is_whitespace() || "'\"`".contains(c)) => {
                bail!("{text}: {key}={value}: expected name=, clock= or grace= behind a semicolon")
            }
            // A shell's own.
            _ => break,
        };
        if again {
            bail!("{text}: {key}= is there twice");
        }
        tagged.command = command;
    }
    if let Some((name, command)) = tagged.command.split_once('=') {
        let word = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
        if name.chars().all(word) && name.chars().any(char::is_lowercase) {
            tagged.command = command;
            tagged.name = tagged.name.or(Some(name));
        }
    }
    if tagged.clock.is_some_and(|clock| clock.is_zero()) {
        bail!("{text}: clock=0: expected more");
    }
    Ok(tagged)
}

#[cfg(test)]
mod tests {
    use super::{Tagged, tagged};
    use std::time::Duration;

    #[test]
    fn names_and_clocks_are_taken_off_a_command() {
        let ms = |ms| Some(Duration::from_millis(ms));
        let tag = |command, name, clock, grace| Tagged {
            command,
            name,
            clock,
            grace,
        };
        for (text, want) in [
            ("./bot", tag("./bot", None, None, None)),
            (
                "new=./bot --fast;clock=100;grace=20",
                tag("./bot --fast", Some("new"), ms(100), ms(20)),
            ),
            (
                "engine:200,x=1; name=a b ;clock=7",
                tag("engine:200,x=1", Some("a b"), ms(7), None),
            ),
            // A shell's own: a variable, an argument, a list of commands.
            ("DEPTH=3 ./bot", tag("DEPTH=3 ./bot", None, None, None)),
            ("./bot k=v", tag("./bot k=v", None, None, None)),
            ("sh -c 'a; b=1; c'", tag("sh -c 'a; b=1; c'", None, None, None)),
            ("sh -c 'a;b=1'", tag("sh -c 'a;b=1'", None, None, None)),
        ] {
            assert_eq!(tagged(text).unwrap(), want, "{text}");
        }
        for wrong in [
            "./bot;clock=fast",
            "./bot;clock=0",
            "./bot;grace=-1",
            "./bot;clok=5",
            "./bot;name=a;name=b",
            "./bot;clock=5;grace=2;clock=5",
        ] {
            assert!(tagged(wrong).unwrap_err().to_string().contains(wrong), "{wrong}");
        }
    }
}
