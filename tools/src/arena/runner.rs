//! Plays one game: a referee, its seats, and everything worth keeping of what happened.
//!
//! Messages of a batch are delivered one after the other and each answer is awaited before the next seat is
//! asked, as the CodinGame judge does it: every bot has the core to itself while its clock runs.

use super::seat::{Rules, Seat};
use super::times::Times;
use crate::referee::{Outcome, Referee, Reply, Verdict};
use crate::show::trace::{Exchange, Step, Trace};
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
    /// CPU milliseconds the bot itself used: its own clock.
    pub own: Option<f64>,
    /// Milliseconds it waited for a core although it could run.
    pub waited: Option<f64>,
}

/// What happened to one seat.
#[derive(Clone, Debug, Default)]
pub struct SeatReport {
    /// Every answer's time.
    pub times: Times,
    /// Answers over the limit, taken (grace) or not.
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

/// Plays `referee` to its end. `seats` in seat order; everything that happens goes into `trace`.
pub fn play(
    referee: &mut dyn Referee,
    seats: &mut [Box<dyn Seat>],
    rules: Rules,
    mut trace: Option<Trace>,
) -> Result<Played, String> {
    let mut reports = vec![SeatReport::default(); seats.len()];
    let mut batch = 0;
    loop {
        let asks = referee.asks();
        if asks.is_empty() {
            break;
        }
        if batch >= ENDLESS {
            return Err(format!("the game did not end within {ENDLESS} batches"));
        }
        let mut replies = Vec::new();
        let mut exchanges = Vec::new();
        for ask in asks {
            let answer = seats[ask.seat].ask(&ask);
            let report = &mut reports[ask.seat];
            if ask.want > 0 {
                let ms = answer.took.as_secs_f64() * 1e3;
                report.times.push(ms as f32);
                if answer.elapsed > ask.limit {
                    report.late.push(Late {
                        batch,
                        ms,
                        limit: ask.limit.as_secs_f64() * 1e3,
                        own: answer.schedule.map(|(own, _)| own.as_secs_f64() * 1e3),
                        waited: answer.schedule.map(|(_, waited)| waited.as_secs_f64() * 1e3),
                    });
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
                    // Within its grace an answer counts as just in time.
                    elapsed: if rules.grace > Duration::ZERO {
                        answer.elapsed.min(ask.limit)
                    } else {
                        answer.elapsed
                    },
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
    let mut outcome = referee
        .outcome()
        .ok_or("the referee has no more questions and no result")?;
    for (n, seat) in seats.iter_mut().enumerate() {
        let verdict = &mut outcome.verdicts[n];
        let end = seat.end(*verdict != Verdict::Fine);
        if end.flooded && *verdict != Verdict::Fine {
            *verdict = Verdict::Flood;
        }
        if let Some(trace) = &mut trace {
            trace.append_stderr(n, end.late_stderr);
        }
        reports[n].exit = end.exit;
        reports[n].stderr = end.stderr;
    }
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
