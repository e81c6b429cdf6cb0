//! What games and bots say about themselves, as names and values: the simulator's own numbers of a map, `key=value` words
//! of a bot's `think` line, and the `[TDATA]` and `[PDATA]` lines (`key = value`) that psyleague and cgarena collect.
//!
//! A fact of a game holds for all seats; a fact of a seat is the mean over its answers, or the last value where the bot
//! tells it once a game. Values that are no numbers are kept as words.

use crate::adapter::Adapter;
use crate::show::trace::{Exchange, Trace};
use std::collections::BTreeMap;

/// A value told.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// Finite.
    Number(f64),
    /// Anything else.
    Word(String),
}

impl Told {
    fn read(text: &str) -> Self {
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Self::Number(number),
            _ => Self::Word(text.to_owned()),
        }
    }
}

/// Facts by name; the seat is none for those of the game.
pub type Facts = BTreeMap<(String, Option<usize>), Told>;

/// `key = value` of a line that begins with `tag`, and the turn where one in brackets stands between, as cgarena has it.
fn told<'a>(stderr: &'a str, tag: &'a str) -> impl Iterator<Item = (Option<u16>, &'a str, &'a str)> {
    let read = move |line: &'a str| {
        let line = line.trim();
        let head = line.get(..tag.len())?;
        let rest = (head.eq_ignore_ascii_case(tag)).then(|| line[tag.len()..].trim_start())?;
        let (turn, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((turn, rest)) => (Some(turn.trim().parse().ok()?), rest),
            None => (None, rest),
        };
        let (key, value) = rest.split_once('=')?;
        Some((turn, key.trim(), value.trim()))
    };
    (stderr.lines().filter_map(read)).filter(|(_, key, value)| !key.is_empty() && !value.is_empty())
}

/// The same without the turn.
fn tagged<'a>(stderr: &'a str, tag: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    told(stderr, tag).map(|(_, key, value)| (key, value))
}

/// `key=value` words of the last `think` line, but the principal variation.
fn thought(stderr: &str) -> impl Iterator<Item = (&str, &str)> {
    let line = stderr.lines().rev().find_map(|l| l.trim().strip_prefix("think "));
    let line = line.unwrap_or_default();
    let line = line.find("pv=").map_or(line, |at| &line[..at]);
    line.split_whitespace().filter_map(|word| word.split_once('='))
}

/// When in the game something is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Of the whole game.
    Game,
    /// Of the answer it came with.
    Answer,
    /// Of a turn that it names.
    Turn(u16),
}

/// Everything told with one answer: of the seat itself or of the game (false), when, name and value.
pub fn told_by(exchange: &Exchange) -> Vec<(bool, At, &str, &str)> {
    let at = |turn: Option<u16>| turn.map_or(At::Game, At::Turn);
    let stderr = exchange.stderr.as_str();
    let thought = thought(stderr).map(|(key, value)| (true, At::Answer, key, value));
    let game = told(stderr, "[TDATA]").map(|(turn, key, value)| (false, at(turn), key, value));
    let own = told(stderr, "[PDATA]").map(|(turn, key, value)| (true, at(turn), key, value));
    thought.chain(game).chain(own).collect()
}

/// Numbers of one answer, by name: what charts draw turn by turn.
pub fn of_answer(exchange: &Exchange) -> Vec<(String, f64)> {
    let mut all = vec![("ms".to_owned(), exchange.micros as f64 / 1e3)];
    let all_told = thought(&exchange.stderr).chain(tagged(&exchange.stderr, "[PDATA]"));
    for (key, value) in all_told {
        if let Told::Number(number) = Told::read(value) {
            all.push((key.to_owned(), number));
        }
    }
    all
}

/// Everything one game tells.
pub fn of_game(adapter: Option<&dyn Adapter>, trace: &Trace) -> Facts {
    let mut facts = Facts::new();
    if let (Some(adapter), Some(step)) = (adapter, trace.steps.first()) {
        for (name, value) in adapter.facts(&step.view) {
            facts.insert((name.to_owned(), None), Told::Number(value));
        }
    }
    let mut sums: BTreeMap<(String, usize), (f64, u32)> = BTreeMap::new();
    for e in trace.answers() {
        for (key, value) in tagged(&e.stderr, "[TDATA]") {
            facts.insert((key.to_owned(), None), Told::read(value));
        }
        let mut of_turn: Vec<(&str, &str)> = thought(&e.stderr).collect();
        for (turn, key, value) in told(&e.stderr, "[PDATA]") {
            if turn.is_some() {
                of_turn.push((key, value));
            } else {
                facts.insert((key.to_owned(), Some(e.seat)), Told::read(value));
            }
        }
        for (key, value) in of_turn {
            if let Told::Number(number) = Told::read(value) {
                let sum = sums.entry((key.to_owned(), e.seat)).or_default();
                *sum = (sum.0 + number, sum.1 + 1);
            }
        }
    }
    for ((key, seat), (sum, count)) in sums {
        let mean = Told::Number(sum / f64::from(count));
        facts.entry((key, Some(seat))).or_insert(mean);
    }
    facts
}

/// Mean, least and most of one number by turn of the seat's game; from the values of several games.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Course {
    /// By answer of the seat: games, mean, least, most.
    pub points: Vec<(u32, f64, f64, f64)>,
}

impl Course {
    /// Adds the value of the `n`-th answer of a game.
    pub fn add(&mut self, n: usize, value: f64) {
        if self.points.len() <= n {
            self.points
                .resize(n + 1, (0, 0.0, f64::INFINITY, f64::NEG_INFINITY));
        }
        let (count, mean, least, most) = &mut self.points[n];
        *count += 1;
        *mean += (value - *mean) / f64::from(*count);
        *least = least.min(value);
        *most = most.max(value);
    }
}

/// The courses of the number `name` in these games, by bot.
pub fn courses<'a>(name: &str, traces: impl Iterator<Item = &'a Trace>) -> BTreeMap<String, Course> {
    let mut all: BTreeMap<String, Course> = BTreeMap::new();
    for trace in traces {
        let mut answers = vec![0; trace.bots.len()];
        for e in trace.answers() {
            let (Some(n), Some(bot)) = (answers.get_mut(e.seat), trace.bots.get(e.seat)) else {
                continue;
            };
            let found = of_answer(e).into_iter().rev().find(|(key, _)| key == name);
            if let Some((_, value)) = found {
                all.entry(bot.clone()).or_default().add(*n, value);
            }
            *n += 1;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Told, courses, of_game};
    use crate::show::trace::{Exchange, Step, Trace};

    fn trace() -> Trace {
        let answer = |seat: usize, stderr: &str| Exchange {
            seat,
            want: 1,
            stderr: stderr.into(),
            micros: 1500,
            ..Exchange::default()
        };
        let step = |a: &str, b: &str| Step {
            exchanges: vec![answer(0, a), answer(1, b)],
            ..Step::default()
        };
        Trace {
            bots: vec!["a".into(), "b".into()],
            steps: vec![
                step(
                    "[TDATA] towns = 5\nthink value=0.5 nodes=10 pv=x=7",
                    "[PDATA] plan = rush\n",
                ),
                step(
                    "think value=0.7 nodes=30",
                    "[PDATA] depth = 4\n[PDATA]nonsense\n[pdata][1] width = 6",
                ),
            ],
            ..Trace::default()
        }
    }

    #[test]
    fn games_and_bots_are_heard() {
        let facts = of_game(None, &trace());
        let fact = |name: &str, seat: Option<usize>| facts.get(&(name.to_owned(), seat));
        assert_eq!(fact("towns", None), Some(&Told::Number(5.0)));
        assert_eq!(fact("value", Some(0)), Some(&Told::Number(0.6)));
        assert_eq!(fact("nodes", Some(0)), Some(&Told::Number(20.0)));
        assert_eq!(fact("plan", Some(1)), Some(&Told::Word("rush".into())));
        assert_eq!(fact("x", Some(0)), None);
        // By turn, as cgarena has it: the mean of what was told.
        assert_eq!(fact("width", Some(1)), Some(&Told::Number(6.0)));
        assert_eq!(facts.len(), 6);
    }

    #[test]
    fn courses_are_by_bot_and_answer() {
        let (one, mut other) = (trace(), trace());
        other.steps.pop();
        other.steps[0].exchanges[0].stderr = "think nodes=20".into();
        let found = courses("nodes", [&one, &other].into_iter());
        assert_eq!(found["a"].points, [(2, 15.0, 10.0, 20.0), (1, 30.0, 30.0, 30.0)]);
        assert!(!found.contains_key("b"));
        assert_eq!(
            courses("ms", [&one].into_iter())["b"].points[1],
            (1, 1.5, 1.5, 1.5)
        );
    }
}
