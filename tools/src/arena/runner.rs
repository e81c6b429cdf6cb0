//! Plays one game: a referee, its seats, and everything worth keeping of what happened.
//!
//! Messages of a batch are delivered one after the other and each answer is awaited before the next seat is
//! asked, as the CodinGame judge does it: every bot has the core to itself while its clock runs.
//!
//! An answer over its limit is a timeout, unless the kernel's records show that the bot was kept from running for as
//! long as the answer was late, and not by itself (see `excuse`). Such an answer is taken, and reported as excused.

use super::excuse::Account;
use super::interrupt;
use super::seat::{Answer, Rules, Seat};
use super::times::Times;
use crate::referee::{Fault, Outcome, Referee, Reply, Verdict};
use crate::show::trace::{Exchange, Step, Trace};
use anyhow::{Context, bail};
use serde::Serialize;
use std::time::Duration;

/// Batches after which a game that does not end is given up.
const ENDLESS: usize = 100_000;

/// An answer over its limit.
#[derive(Clone, Debug, Serialize)]
pub struct Late {
    /// Batch of the game.
    pub batch: usize,
    /// Wall milliseconds.
    pub ms: f64,
    /// The limit it broke.
    pub limit: f64,
    /// CPU milliseconds the bot itself used, with all its threads: its own clock.
    pub own: Option<f64>,
    /// Milliseconds it waited for a core although it could run.
    pub waited: Option<f64>,
    /// Milliseconds it was kept from any core: stopped, frozen, its core taken; or its answer lay unread.
    pub away: Option<f64>,
    /// That explains it, and was not its own doing: the answer counts as just in time.
    pub excused: bool,
}

/// What happened to one seat.
#[derive(Clone, Debug, Default)]
pub struct SeatReport {
    /// Every answer's time.
    pub times: Times,
    /// Answers over the limit, taken (grace, excused) or not.
    pub late: Vec<Late>,
    /// Exit code or signal, where it ended by itself.
    pub exit: Option<String>,
    /// Last lines on stderr.
    pub stderr: Vec<String>,
    /// Batch of the first fault of transport.
    pub fault_at: Option<usize>,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    /// The referee's result; verdicts completed by what only the runner sees (floods).
    pub outcome: Outcome,
    /// Per seat.
    pub seats: Vec<SeatReport>,
    /// All messages and positions, if asked for.
    pub trace: Option<Trace>,
    /// Batches played.
    pub batches: usize,
}

/// Decides on an answer that came after `limit`: a timeout, unless it is within its grace, or what others did to the bot
/// explains all of the delay; then it counts as just in time. True where it is excused.
fn rule(answer: &mut Answer, limit: Duration, rules: Rules) -> bool {
    let within = |over: Duration| answer.elapsed <= limit + over;
    let graceful = rules.grace > Duration::ZERO && within(rules.grace);
    let credit = answer.account.as_ref().map(Account::credit);
    let excusable = rules.patience > Duration::ZERO && answer.output.is_ok();
    let excused = !graceful && excusable && credit.is_some_and(within);
    if graceful || excused {
        answer.elapsed = limit;
    } else if answer.output.is_ok() {
        answer.output = Err(Fault::Timeout);
    }
    excused
}

/// Plays `referee` to its end. `seats` in seat order; everything that happens goes into `trace`.
pub fn play(
    referee: &mut dyn Referee,
    seats: &mut [Box<dyn Seat>],
    mut trace: Option<Trace>,
) -> anyhow::Result<Played> {
    let mut reports = vec![SeatReport::default(); seats.len()];
    let mut batch = 0;
    for seat in seats.iter_mut() {
        seat.settle();
    }
    loop {
        let asks = referee.asks();
        if asks.is_empty() {
            break;
        }
        if interrupt::requested() {
            bail!("interrupted");
        }
        if batch >= ENDLESS {
            bail!("the game did not end within {ENDLESS} batches");
        }
        let mut replies = Vec::new();
        let mut exchanges = Vec::new();
        for mut ask in asks {
            let rules = seats[ask.seat].rules();
            let game_limit = ask.limit;
            if ask.want > 0 {
                let first = reports[ask.seat].times.is_empty();
                ask.limit = rules.limit(game_limit, first);
                for (n, seat) in seats.iter_mut().enumerate() {
                    if n != ask.seat {
                        seat.pause();
                    }
                }
            }
            let mut answer = seats[ask.seat].ask(&ask);
            let report = &mut reports[ask.seat];
            if ask.want > 0 {
                report.times.push(ms(answer.took) as f32);
                if answer.elapsed > ask.limit {
                    let excused = rule(&mut answer, ask.limit, rules);
                    report.late.push(Late {
                        batch,
                        ms: ms(answer.took),
                        limit: ms(ask.limit),
                        own: answer.account.map(|a| ms(a.own)),
                        waited: answer.account.map(|a| ms(a.waited)),
                        away: answer.account.map(|a| ms(a.away + a.taken)),
                        excused,
                    });
                }
                if rules.clock.is_some() && answer.output.is_ok() {
                    // It has a clock of its own: the game's does not run for it.
                    answer.elapsed = Duration::ZERO;
                }
            }
            if answer.output.is_err() {
                report.fault_at.get_or_insert(batch);
            }
            if let Some(trace) = &mut trace {
                let stderr = trace.append_stderr(ask.seat, answer.late_stderr) + &answer.stderr;
                exchanges.push(Exchange {
                    seat: ask.seat,
                    send: ask.send,
                    want: ask.want,
                    output: match &answer.output {
                        Ok(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                        Err(fault) => format!("<{fault:?}>"),
                    },
                    stderr,
                    micros: answer.took.as_micros() as u64,
                });
            }
            if ask.want > 0 {
                replies.push(Reply {
                    seat: ask.seat,
                    output: answer.output,
                    elapsed: answer.elapsed,
                });
            }
        }
        if let Some(trace) = &mut trace {
            trace.steps.push(Step {
                view: referee.view(),
                exchanges,
            });
        }
        referee.reply(&replies);
        batch += 1;
    }
    let outcome = referee
        .outcome()
        .context("the referee has no more questions and no result")?;
    let outcome = end(outcome, seats, &mut reports, &mut trace);
    if let Some(trace) = &mut trace {
        trace.close(referee, &outcome);
    }
    Ok(Played {
        outcome,
        seats: reports,
        trace,
        batches: batch,
    })
}

/// Ends all seats; the outcome, with what their ends say of it.
fn end(
    mut outcome: Outcome,
    seats: &mut [Box<dyn Seat>],
    reports: &mut [SeatReport],
    trace: &mut Option<Trace>,
) -> Outcome {
    // All of the guilty at once: one may hold another.
    for (seat, verdict) in seats.iter_mut().zip(&outcome.verdicts) {
        if *verdict == Verdict::Timeout {
            seat.strike();
        }
    }
    for (n, seat) in seats.iter_mut().enumerate() {
        let verdict = &mut outcome.verdicts[n];
        let end = seat.end(*verdict != Verdict::Fine);
        if end.flooded && *verdict != Verdict::Fine {
            *verdict = Verdict::Flood;
        }
        if end.ahead
            && let Verdict::Invalid(why) | Verdict::Garbage(why) = verdict
        {
            *why += "; it wrote more lines than it was asked for, and each was taken as its next answer";
        }
        if let Some(trace) = trace {
            trace.append_stderr(n, end.late_stderr);
        }
        reports[n].exit = end.exit;
        reports[n].stderr = end.stderr;
    }
    outcome
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A verdict's kind in one word, and what there is to say about it.
pub fn verdict_words(verdict: &Verdict) -> (&'static str, &str) {
    match verdict {
        Verdict::Fine => ("fine", ""),
        Verdict::Timeout => ("timeout", ""),
        Verdict::Crash => ("crash", ""),
        Verdict::Flood => ("flood", ""),
        Verdict::Invalid(why) => ("invalid", why),
        Verdict::Garbage(what) => ("garbage", what),
    }
}

#[cfg(test)]
mod tests {
    use super::{Account, Answer, Rules, rule};
    use crate::referee::Fault;
    use std::time::Duration;

    /// An answer after 63 ms of 50: excused or not, and what the referee is told.
    fn ruled(grace: u64, patience: u64, away: Option<u64>) -> (bool, Result<Vec<u8>, Fault>, u128) {
        let took = Duration::from_millis(63);
        let ms = Duration::from_millis;
        let mut answer = Answer {
            output: Ok(b"WAIT\n".to_vec()),
            elapsed: took,
            took,
            account: away.map(|away| Account {
                away: ms(away),
                ..Account::default()
            }),
            stderr: String::new(),
            late_stderr: String::new(),
        };
        let rules = Rules {
            grace: ms(grace),
            patience: ms(patience),
            ..Rules::default()
        };
        let excused = rule(&mut answer, ms(50), rules);
        (excused, answer.output, answer.elapsed.as_millis())
    }

    #[test]
    fn only_time_taken_from_it_for_all_of_the_delay_excuses() {
        let said = || Ok(b"WAIT\n".to_vec());
        let late = || (false, Err(Fault::Timeout), 63);
        assert_eq!(ruled(0, 250, None), late());
        assert_eq!(ruled(0, 250, Some(0)), late());
        assert_eq!(ruled(0, 250, Some(12)), late());
        assert_eq!(ruled(0, 250, Some(13)), (true, said(), 50));
        assert_eq!(ruled(0, 0, Some(13)), late());
        assert_eq!(ruled(20, 250, None), (false, said(), 50));
        assert_eq!(ruled(10, 250, Some(5)), late());
    }

    #[test]
    fn a_clock_of_its_own_leaves_a_longer_first_answer() {
        let ms = Duration::from_millis;
        let own = Rules {
            clock: Some(ms(100)),
            ..Rules::default()
        };
        let limits = |rules: Rules| [rules.limit(ms(1000), true), rules.limit(ms(50), false)];
        assert_eq!(limits(Rules::default()), [ms(1000), ms(50)]);
        assert_eq!(limits(own), [ms(1000), ms(100)]);
    }
}
