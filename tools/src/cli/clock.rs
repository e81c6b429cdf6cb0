//! `fifty clock GAME`: what part of the clock is of use, turn by turn.
//!
//! Our bot plays itself on its own clock. Beside every seat sit others of its kind that live through the same game on a
//! part of that clock, or on more, are asked the same and are not listened to: from the part on from which they answer
//! as the one that plays does, time changes nothing. One that has the same clock says how often two answers on it
//! differ by themselves. Not here: what another answer is worth; see `limit` and `review`.

use super::named::{adapter_named, answer_clock, options_in_turn};
use super::numbers;
use crate::adapter::{Adapter, Player, Setup};
use crate::arena::interrupt;
use crate::progress::Progress;
use crate::referee::{Ask, Reply, Verdict};
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use fifty::kit::clock::Budget;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How much less often than on the whole clock an answer may be the same for a part to count as enough.
const SLACK: f64 = 0.05;

/// Arguments of `clock`.
#[derive(ClapArgs)]
pub struct Args {
    /// Game by name.
    game: String,
    /// Parts of the clock, in hundredths; 100 is always among them.
    #[arg(long, value_delimiter = ',', default_values_t = [5, 10, 25, 50, 200], value_parser = clap::value_parser!(u64).range(1..=10_000))]
    parts: Vec<u64>,
    /// Games.
    #[arg(long, default_value_t = 4, value_parser = numbers::games)]
    games: usize,
    /// Rows of the table: answers are counted by seat, from 0, and put together in so many equal spans.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1000))]
    rows: u64,
    /// First seed; the next games count up from it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Option of the game, key=value.
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
}

/// One answer that counted.
struct Answer {
    /// How many its seat had given before.
    number: usize,
    /// Time it took.
    took: Duration,
    /// For each part: the same answer.
    same: Vec<bool>,
}

/// The bot's clock, and the parts of it that are looked at.
struct Plan {
    first: Duration,
    later: Duration,
    parts: Vec<u64>,
    /// The judge's clock for all of a seat's answers, and how many there are, where it has one.
    shared: Option<(u64, u64)>,
}

impl Plan {
    fn new(args: &Args, adapter: &'static dyn Adapter, options: &BTreeMap<String, String>) -> Result<Self> {
        let shared = adapter.game_clock(options);
        let Some((first, later)) = answer_clock(adapter, shared)? else {
            bail!("{}: its engine has no clock", adapter.name());
        };
        let mut parts = args.parts.clone();
        parts.push(100);
        parts.sort_unstable();
        parts.dedup();
        Ok(Self {
            first,
            later,
            parts,
            shared,
        })
    }

    fn budget(&self, part: u64) -> Budget {
        let of = |span: Duration| span.mul_f64(part as f64 / 100.0);
        Budget::Time {
            first: of(self.first),
            later: of(self.later),
        }
    }
}

/// One seat: who plays, and who is asked beside.
struct Place<'a> {
    plan: &'a Plan,
    adapter: &'static dyn Adapter,
    plays: Box<dyn Player>,
    beside: Vec<Box<dyn Player>>,
    /// All messages and what was said to them, kept where those beside have to be made anew for every answer.
    past: Vec<(Ask, String)>,
    given: usize,
}

impl<'a> Place<'a> {
    fn new(plan: &'a Plan, adapter: &'static dyn Adapter) -> Result<Self> {
        let player = |part: u64| adapter.engine(plan.budget(part), &[]);
        let beside = match plan.shared {
            None => plan
                .parts
                .iter()
                .map(|&part| player(part))
                .collect::<Result<_>>()?,
            Some(_) => Vec::new(),
        };
        Ok(Self {
            plan,
            adapter,
            plays: player(100)?,
            beside,
            past: Vec::new(),
            given: 0,
        })
    }

    /// Asks all of them; what was said, and the record of it where an answer was wanted.
    fn ask(&mut self, ask: &Ask) -> Result<(Vec<u8>, Option<Answer>)> {
        let send = self.granted(ask, 100);
        let started = Instant::now();
        let said = self.plays.respond(&send, ask.want);
        let took = started.elapsed();
        self.plays.said();
        let text = String::from_utf8_lossy(&said).into_owned();
        let mut same = Vec::new();
        if self.plan.shared.is_none() {
            for player in &mut self.beside {
                same.push(player.relive(&ask.send, ask.want, &text) == said);
                player.said();
            }
        } else if ask.want > 0 {
            for &part in &self.plan.parts {
                let mut player = self.adapter.engine(self.plan.budget(part), &[])?;
                for (old, answer) in &self.past {
                    player.relive(&old.send, old.want, answer);
                }
                same.push(player.respond(&self.granted(ask, part), ask.want) == said);
            }
        }
        if self.plan.shared.is_some() {
            self.past.push((ask.clone(), text));
        }
        let number = self.given;
        self.given += usize::from(ask.want > 0);
        Ok((said, (ask.want > 0).then_some(Answer { number, took, same })))
    }

    /// The message with so much on the judge's clock that nobody is held back by it but by its own budget.
    fn granted(&self, ask: &Ask, part: u64) -> String {
        let Some((_, answers)) = self.plan.shared else {
            return ask.send.clone();
        };
        let share = self.plan.later.as_millis() as u64 * part.max(100) / 100;
        self.adapter.grant(&ask.send, share * 8, answers as usize)
    }
}

/// Plays one game and adds its answers; `false` where a signal ended it.
fn play(
    plan: &Plan,
    adapter: &'static dyn Adapter,
    setup: &Setup,
    answers: &mut Vec<Answer>,
) -> Result<bool> {
    let mut referee = adapter.referee(setup)?;
    let mut places = (0..adapter.seats(&setup.options))
        .map(|_| Place::new(plan, adapter))
        .collect::<Result<Vec<_>>>()?;
    loop {
        let asks = referee.asks();
        if asks.is_empty() {
            let outcome = referee.outcome().context("the game has no result")?;
            if let Some(bad) = outcome.verdicts.iter().find(|v| **v != Verdict::Fine) {
                bail!("{} seed {}: {bad:?}", adapter.name(), setup.seed);
            }
            return Ok(true);
        }
        let mut replies = Vec::new();
        for ask in &asks {
            if interrupt::requested() {
                return Ok(false);
            }
            let (said, answer) = places[ask.seat].ask(ask)?;
            if ask.want > 0 {
                replies.push(Reply {
                    seat: ask.seat,
                    output: Ok(said),
                    elapsed: answer.as_ref().map_or(Duration::ZERO, |a| a.took),
                });
            }
            answers.extend(answer);
        }
        referee.reply(&replies);
    }
}

/// One row: which answers, how long they took, how often each part answers the same, and the least that is enough.
fn row(plan: &Plan, span: (usize, usize), answers: &[&Answer]) -> String {
    let mut took: Vec<Duration> = answers.iter().map(|a| a.took).collect();
    took.sort_unstable();
    let count = answers.len() as f64;
    let share = |i: usize| answers.iter().filter(|a| a.same[i]).count() as f64 / count;
    let shares: Vec<f64> = (0..plan.parts.len()).map(share).collect();
    let whole = plan
        .parts
        .iter()
        .position(|&p| p == 100)
        .map_or(1.0, |i| shares[i]);
    let enough = shares.iter().position(|&s| s >= whole - SLACK);
    let texts: Vec<String> = shares.iter().map(|s| format!("{:.0} %", s * 100.0)).collect();
    format!(
        "| {} to {} | {} | {:.1} ms | {} | {} |",
        span.0,
        span.1 - 1,
        answers.len(),
        took[took.len() / 2].as_secs_f64() * 1e3,
        texts.join(" | "),
        enough.map_or_else(String::new, |i| format!("{} %", plan.parts[i]))
    )
}

/// Plays and prints one table. Exit 0: played; 2: could not; 128 and its number after a signal, the table so far printed.
pub fn run(args: &Args) -> Result<ExitCode> {
    let adapter = adapter_named(&args.game)?;
    let choices = options_in_turn(&args.options, adapter, args.seed)?;
    let [options] = &choices[..] else {
        bail!(
            "-o {}: expected one value for each option",
            args.options.join(" -o ")
        );
    };
    let plan = Plan::new(args, adapter, options)?;
    interrupt::watch()?;
    let mut answers = Vec::new();
    let mut whole = true;
    let mut bar = Progress::new(&format!("clock {}", adapter.name()), args.games as u64, 0);
    for game in 0..args.games {
        let setup = Setup {
            seed: args.seed.wrapping_add(game as u64),
            options: options.clone(),
        };
        whole = play(&plan, adapter, &setup, &mut answers)?;
        if !whole {
            break;
        }
        bar.at(game as u64 + 1, || format!("{} answers", answers.len()));
    }
    bar.finish();
    println!(
        "{}: our bot on its clock ({} ms, then {}), and the same position on parts of it",
        adapter.name(),
        plan.first.as_millis(),
        plan.later.as_millis()
    );
    let heads: Vec<String> = plan.parts.iter().map(|p| format!("same at {p} %")).collect();
    println!("| answers | of them | median | {} | enough |", heads.join(" | "));
    println!("|---|---|---|{}---|", "---|".repeat(heads.len()));
    let longest = answers.iter().map(|a| a.number + 1).max().unwrap_or_default();
    let span = longest.div_ceil(args.rows as usize).max(1);
    for from in (0..longest).step_by(span) {
        let to = (from + span).min(longest);
        let those: Vec<&Answer> = answers
            .iter()
            .filter(|a| (from..to).contains(&a.number))
            .collect();
        if !those.is_empty() {
            println!("{}", row(&plan, (from, to), &those));
        }
    }
    Ok(if whole {
        ExitCode::SUCCESS
    } else {
        interrupt::exit_code()
    })
}

#[cfg(test)]
mod tests {
    use super::{Plan, Setup, play, row};
    use crate::games::known;
    use std::collections::BTreeMap;
    use std::time::Duration;

    /// Games whose judge repeats answers, asks for one at a time or has one clock for all of them.
    #[test]
    fn every_answer_is_compared_with_every_part() {
        for (game, shared) in [("wondev", None), ("rails", None), ("connexion", Some((56, 28)))] {
            let plan = Plan {
                first: Duration::from_millis(2),
                later: Duration::from_millis(2),
                parts: vec![50, 100, 400],
                shared,
            };
            let setup = Setup {
                seed: 3,
                options: BTreeMap::new(),
            };
            let mut answers = Vec::new();
            let adapter = known(game).expect("one of ours");
            assert!(play(&plan, adapter, &setup, &mut answers).expect("a game"));
            let first = answers.iter().filter(|a| a.number == 0).count();
            assert_eq!(first, 2, "{game}: each seat has one first answer");
            let last = answers.iter().map(|a| a.number).max().expect("one at least");
            assert!(
                (0..=last).all(|n| answers.iter().any(|a| a.number == n)),
                "{game}"
            );
            assert!(answers.iter().all(|a| a.same.len() == 3), "{game}");
            let all: Vec<_> = answers.iter().collect();
            let text = row(&plan, (0, 60), &all);
            assert!(
                text.starts_with(&format!("| 0 to 59 | {} | ", answers.len())),
                "{text}"
            );
        }
    }
}
