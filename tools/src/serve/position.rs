//! One turn of a recorded game, reached again: the referee driven by the recorded answers, and a bot that has lived
//! through every message its seat was sent.
//!
//! The record is what counts: where the simulator would send other words than were recorded, the recorded ones go to
//! the bot, and the first difference is told.

use crate::adapter::{Adapter, Player, Setup, Transport};
use crate::arena::bots::Bot;
use crate::arena::sandbox::Sandbox;
use crate::arena::seat::{Inside, Rules, Seat};
use crate::referee::{Ask, Referee, Reply, Verdict};
use crate::show::trace::{Exchange, Step, Trace, verdict_text};
use anyhow::{Context, Error, Result, anyhow, bail};
use fifty::kit::clock::Budget;
use serde::Serialize;
use std::time::{Duration, Instant};

/// How long an answer of the past is waited for: nobody loses by it.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A turn of a game, and the seat whose answer is asked for.
pub struct Position<'a> {
    /// Which game.
    pub adapter: &'static dyn Adapter,
    /// The record.
    pub trace: &'a Trace,
    /// Step of the record, from 0.
    pub turn: usize,
    /// Who is to answer.
    pub seat: usize,
    /// Where the simulator differs from the record first; none where it agrees up to here.
    pub differs: Option<String>,
    /// Time the contest gives for this answer.
    pub limit: Duration,
    /// What keeps those who are asked from harming others; all that this machine offers unless told otherwise.
    pub sandbox: Sandbox,
}

/// A referee at a turn: asked, not yet answered.
struct Driven {
    referee: Box<dyn Referee>,
    asks: Vec<Ask>,
    differs: Option<String>,
}

/// What was answered at a step, with `instead` for one seat's answer.
fn replies(adapter: &dyn Adapter, trace: &Trace, step: usize, instead: Option<(usize, &str)>) -> Vec<Reply> {
    let now = &trace.steps[step];
    now.answers()
        .map(|e| {
            let told = trace
                .steps
                .get(step + 1)
                .and_then(|next| adapter.elapsed(&now.view, &next.view, e.seat));
            let other = instead.filter(|(seat, _)| *seat == e.seat);
            Reply {
                seat: e.seat,
                output: match other {
                    Some((_, text)) => Ok(text.as_bytes().to_vec()),
                    None => e.answer(),
                },
                elapsed: told.unwrap_or(Duration::from_micros(e.micros)),
            }
        })
        .collect()
}

/// The first difference between what is asked and what the record says was asked.
fn difference(step: usize, asks: &[Ask], exchanges: &[Exchange]) -> Option<String> {
    if asks.len() != exchanges.len() {
        return Some(format!(
            "turn {step}: {} messages are recorded, the simulator sends {}",
            exchanges.len(),
            asks.len()
        ));
    }
    let (ask, e) = asks
        .iter()
        .zip(exchanges)
        .find(|(a, e)| (a.seat, &a.send, a.want) != (e.seat, &e.send, e.want))?;
    let lines = ask.send.lines().zip(e.send.lines());
    let words = lines.into_iter().find(|(a, b)| a != b).map_or_else(
        || {
            format!(
                "{} lines, the simulator sends {}",
                e.send.lines().count(),
                ask.send.lines().count()
            )
        },
        |(ours, theirs)| format!("{theirs:?}, the simulator sends {ours:?}"),
    );
    Some(format!("turn {step}, seat {}: recorded is {words}", e.seat))
}

fn drive(adapter: &dyn Adapter, trace: &Trace, turn: usize) -> Result<Driven> {
    let setup = Setup {
        seed: trace.seed,
        options: trace.options.clone(),
    };
    let mut referee = adapter
        .referee(&setup)
        .with_context(|| format!("{} seed {}", adapter.name(), trace.seed))?;
    let mut differs = None;
    for step in 0..turn {
        let asks = referee.asks();
        if differs.is_none() {
            differs = difference(step, &asks, &trace.steps[step].exchanges);
        }
        if asks.is_empty() {
            bail!("turn {step}: the record goes on, for the simulator the game is over");
        }
        referee.reply(&replies(adapter, trace, step, None));
    }
    let asks = referee.asks();
    let differs = differs.or_else(|| difference(turn, &asks, &trace.steps[turn].exchanges));
    Ok(Driven {
        referee,
        asks,
        differs,
    })
}

/// Turns at which somebody answers, as `0 to 12, 14`.
fn asked_turns(trace: &Trace, seat: Option<usize>) -> String {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for (n, step) in trace.steps.iter().enumerate() {
        if !step.answers().any(|e| seat.is_none_or(|s| s == e.seat)) {
            continue;
        }
        match spans.last_mut() {
            Some((_, end)) if *end + 1 == n => *end = n,
            _ => spans.push((n, n)),
        }
    }
    let text = |&(a, b): &(usize, usize)| {
        if a == b {
            a.to_string()
        } else {
            format!("{a} to {b}")
        }
    };
    if spans.len() > 6 {
        let all = spans.iter().map(|(a, b)| b - a + 1).sum::<usize>();
        let (first, last) = (spans[0].0, spans[spans.len() - 1].1);
        return format!("{all} turns between {first} and {last}");
    }
    spans.iter().map(text).collect::<Vec<_>>().join(", ")
}

impl<'a> Position<'a> {
    /// The game at `turn`, `seat` to answer; without one the seat that is asked, of several the one with the fewest
    /// points.
    pub fn at(
        adapter: &'static dyn Adapter,
        trace: &'a Trace,
        turn: usize,
        seat: Option<usize>,
    ) -> Result<Self> {
        let step = trace.steps.get(turn);
        let asked = step.into_iter().flat_map(Step::answers);
        let points = |seat: usize| trace.points.get(seat).copied().unwrap_or_default();
        let found = asked
            .map(|e| e.seat)
            .filter(|s| seat.is_none_or(|wanted| wanted == *s))
            .min_by(|&a, &b| points(a).total_cmp(&points(b)));
        let seats = trace.bots.len().max(trace.points.len());
        if let Some(seat) = seat.filter(|seat| *seat >= seats) {
            bail!(
                "--seat {seat}: expected a seat of the game, 0 to {}",
                seats.saturating_sub(1)
            );
        }
        let Some(found) = found else {
            let who = seat.map_or_else(|| "nobody".to_owned(), |s| format!("seat {s}"));
            let not = if seat.is_some() { "not " } else { "" };
            bail!(
                "turn {turn}: {who} is {not}asked there, expected one of {}",
                asked_turns(trace, seat)
            );
        };
        let driven = drive(adapter, trace, turn)?;
        let ask = driven.asks.iter().find(|a| a.seat == found && a.want > 0);
        Ok(Self {
            adapter,
            trace,
            turn,
            seat: found,
            differs: driven.differs,
            limit: ask.map_or(PATIENCE, |a| a.limit),
            sandbox: Sandbox::Auto,
        })
    }

    /// The recorded exchange of the seat at this turn.
    pub fn exchange(&self) -> &'a Exchange {
        let found = self.trace.steps[self.turn].answer_of(self.seat);
        found.expect("`at` found it")
    }

    /// Answers the seat gave from here to the end, this one among them.
    pub fn answers_left(&self) -> usize {
        let later = self.trace.steps[self.turn..].iter();
        later.filter_map(|step| step.answer_of(self.seat)).count()
    }

    /// The game after this turn with another answer.
    pub fn after(&self, answer: &str) -> Result<Box<dyn Referee>> {
        let mut driven = drive(self.adapter, self.trace, self.turn)?;
        let replies = replies(self.adapter, self.trace, self.turn, Some((self.seat, answer)));
        driven.referee.reply(&replies);
        Ok(driven.referee)
    }

    /// What the referee says of an answer, where it ends the game as a fault.
    pub fn fault(&self, answer: &str) -> Result<Option<String>> {
        let outcome = self.after(answer)?.outcome();
        let verdict = outcome.and_then(|o| o.verdicts.into_iter().nth(self.seat));
        Ok(verdict.filter(|v| *v != Verdict::Fine).map(|v| verdict_text(&v)))
    }

    /// Messages to `seat` before this turn and what it answered, with their step.
    fn past(&self, seat: usize) -> impl Iterator<Item = (usize, &'a Exchange)> {
        let steps = self.trace.steps[..self.turn].iter().enumerate();
        steps
            .flat_map(|(n, s)| s.exchanges.iter().map(move |e| (n, e)))
            .filter(move |(_, e)| e.seat == seat)
    }
}

/// How many of its answers in the past a bot gave again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Past {
    /// The same as recorded.
    pub same: usize,
    /// All that were asked for.
    pub all: usize,
    /// Step of the first other one.
    pub other: Option<usize>,
}

impl Past {
    fn note(&mut self, step: usize, exchange: &Exchange, bytes: &[u8]) {
        if exchange.want == 0 {
            return;
        }
        let same = bytes.trim_ascii_end() == exchange.output.as_bytes().trim_ascii_end();
        self.all += 1;
        self.same += usize::from(same);
        if !same {
            self.other.get_or_insert(step);
        }
    }
}

/// A bot of any kind that has lived through a game up to a turn.
pub enum Guest {
    /// In this process.
    Player(Box<dyn Player>),
    /// A process of its own, or a player that forgets everything between answers.
    Seat(Box<dyn Seat>),
}

/// One answer of a [`Guest`].
#[derive(Debug)]
pub struct Said {
    /// As a referee takes it.
    pub output: Result<String>,
    /// Wall time.
    pub took: Duration,
    /// What it wrote on stderr.
    pub stderr: String,
}

impl Guest {
    /// Brings `bot` to `seat`: it lives through all messages before the position's turn. An engine is made for
    /// `widest` and lives at its own budget. `seed`: its own randomness, where it has any.
    pub fn bring(
        position: &Position<'_>,
        bot: &Bot,
        seat: usize,
        widest: Option<Budget>,
        seed: u64,
    ) -> Result<(Self, Past)> {
        let adapter = position.adapter;
        let mut past = Past::default();
        let inside = bot.inside(adapter, seed, widest);
        if adapter.transport() == Transport::Argument {
            // One process a move: there is no past.
            let guest = inside.map_or_else(
                || Ok(Self::Seat(bot.seat(adapter, seed, patient(position))?)),
                |p| Ok::<_, Error>(Self::Player(p)),
            )?;
            return Ok((guest, past));
        }
        if let Some(mut player) = inside {
            bot.budget().into_iter().for_each(|own| player.set_budget(own));
            for (n, e) in position.past(seat) {
                let bytes = player.relive(&e.send, e.want, &e.output);
                past.note(n, e, &bytes);
            }
            player.said();
            return Ok((Self::Player(player), past));
        }
        let mut guest = bot.seat(adapter, seed, patient(position))?;
        for (n, e) in position.past(seat) {
            let ask = Ask {
                seat,
                send: e.send.clone(),
                want: e.want,
                limit: PATIENCE,
            };
            match guest.ask(&ask).output {
                Ok(bytes) => past.note(n, e, &bytes),
                Err(fault) => {
                    let end = guest.end(true);
                    let words: Vec<String> = end.exit.into_iter().chain(end.stderr).collect();
                    bail!(
                        "{}: {fault:?} at turn {n}, while it was shown the game so far; {}",
                        bot.name,
                        words.join("; ")
                    );
                }
            }
        }
        Ok((Self::Seat(guest), past))
    }

    /// Asks for one answer, however long it takes; an engine on `budget`.
    pub fn answer(&mut self, ask: &Ask, budget: Option<Budget>) -> Said {
        match self {
            Self::Player(player) => {
                budget.into_iter().for_each(|b| player.set_budget(b));
                let started = Instant::now();
                let bytes = player.respond(&ask.send, ask.want);
                let took = started.elapsed();
                let stderr = String::from_utf8_lossy(&player.said()).into_owned();
                let output = if bytes.is_empty() {
                    Err(anyhow!("Crash"))
                } else {
                    Ok(String::from_utf8_lossy(&bytes).into_owned())
                };
                Said { output, took, stderr }
            }
            Self::Seat(seat) => {
                let answer = seat.ask(ask);
                let end = seat.end(answer.output.is_err());
                let output = match answer.output {
                    Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
                    Err(fault) => Err(anyhow!(
                        "{}",
                        format!("{fault:?} {}", end.exit.unwrap_or_default()).trim()
                    )),
                };
                Said {
                    output,
                    took: answer.took,
                    stderr: answer.stderr + &end.late_stderr,
                }
            }
        }
    }

    /// Lives through one more message of the past and says what it would have answered; an engine on `budget`.
    pub fn live_through(&mut self, exchange: &Exchange, budget: Option<Budget>) -> Said {
        let started = Instant::now();
        match self {
            Self::Player(player) => {
                budget.into_iter().for_each(|b| player.set_budget(b));
                let bytes = player.relive(&exchange.send, exchange.want, &exchange.output);
                Said {
                    output: Ok(String::from_utf8_lossy(&bytes).into_owned()),
                    took: started.elapsed(),
                    stderr: String::from_utf8_lossy(&player.said()).into_owned(),
                }
            }
            Self::Seat(seat) => {
                let answer = seat.ask(&Ask {
                    seat: exchange.seat,
                    send: exchange.send.clone(),
                    want: exchange.want,
                    limit: PATIENCE,
                });
                let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
                Said {
                    output: answer.output.map(text).map_err(|fault| anyhow!("{fault:?}")),
                    took: answer.took,
                    stderr: answer.stderr,
                }
            }
        }
    }

    /// Lives through one more message, to which `answer` was given.
    #[must_use]
    pub fn live_on(mut self, position: &Position<'_>, exchange: &Exchange, answer: &str) -> Self {
        if position.adapter.transport() == Transport::Argument {
            return self;
        }
        match &mut self {
            Self::Player(player) => {
                player.relive(&exchange.send, exchange.want, answer);
                player.said();
            }
            Self::Seat(seat) => {
                seat.ask(&Ask {
                    seat: exchange.seat,
                    send: exchange.send.clone(),
                    want: exchange.want,
                    limit: PATIENCE,
                });
            }
        }
        self
    }

    /// A seat of the arena, to play on.
    pub fn sit(self, position: &Position<'_>, bot: &Bot) -> Result<Box<dyn Seat>> {
        match self {
            Self::Seat(seat) => Ok(seat),
            Self::Player(_) if position.adapter.transport() == Transport::Argument => {
                bot.seat(position.adapter, 0, patient(position))
            }
            Self::Player(player) => {
                let timed = matches!(bot.budget(), Some(Budget::Time { .. }));
                Ok(Box::new(Inside::new(player, timed, false)))
            }
        }
    }
}

/// Nobody is late here.
fn patient(position: &Position<'_>) -> Rules {
    Rules {
        sandbox: position.sandbox,
        grace: PATIENCE,
        ..Rules::default()
    }
}
