//! Plays one game: a referee, its seats, and everything worth keeping of what happened.
//!
//! Messages of a batch are delivered one after the other and each answer is awaited before the next seat is
//! asked, as the CodinGame judge does it: every bot has the core to itself while its clock runs.
//!
//! An answer over its limit is a timeout, unless a monitor saw the machine stand still meanwhile, for as long
//! as the answer was late: no judge of a contest would have stood still with it. Such an answer is taken,
//! and reported as excused.

use super::interrupt;
use super::load::LoadMonitor;
use super::seat::{Answer, Rules, Seat};
use super::times::Times;
use crate::referee::{Fault, Outcome, Referee, Reply, Verdict};
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
    /// Milliseconds for which the machine stood still meanwhile; none where nobody looked.
    pub standstill: Option<f64>,
    /// That explains it: the answer counts as just in time.
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

/// Judges an answer that came after its limit: a timeout, unless it is within its grace, or the machine stood
/// still for as long as it is late; then it counts as just in time. True where it is excused.
fn judge(answer: &mut Answer, limit: Duration, grace: Duration, standstill: Option<Duration>) -> bool {
    let within = |over: Duration| answer.elapsed <= limit + over;
    let graceful = grace > Duration::ZERO && within(grace);
    let excused = !graceful && answer.output.is_ok() && standstill.is_some_and(within);
    if graceful || excused {
        answer.elapsed = limit;
    } else if answer.output.is_ok() {
        answer.output = Err(Fault::Timeout);
    }
    excused
}

/// Plays `referee` to its end. `seats` in seat order; everything that happens goes into `trace`; `monitor`
/// excuses answers that are late because the machine stood still.
pub fn play(
    referee: &mut dyn Referee,
    seats: &mut [Box<dyn Seat>],
    rules: Rules,
    monitor: Option<&LoadMonitor>,
    mut trace: Option<Trace>,
) -> Result<Played, String> {
    let mut reports = vec![SeatReport::default(); seats.len()];
    let mut batch = 0;
    loop {
        let asks = referee.asks();
        if asks.is_empty() {
            break;
        }
        if interrupt::requested() {
            return Err("interrupted".into());
        }
        if batch >= ENDLESS {
            return Err(format!("the game did not end within {ENDLESS} batches"));
        }
        let mut replies = Vec::new();
        let mut exchanges = Vec::new();
        for ask in asks {
            let mut answer = seats[ask.seat].ask(&ask);
            let report = &mut reports[ask.seat];
            if ask.want > 0 {
                report.times.push(ms(answer.took) as f32);
                if answer.elapsed > ask.limit {
                    let until = answer.started + answer.elapsed;
                    let standstill = monitor.map(|m| m.standstill(answer.started, until));
                    let excused = judge(&mut answer, ask.limit, rules.grace, standstill);
                    report.late.push(Late {
                        batch,
                        ms: ms(answer.took),
                        limit: ms(ask.limit),
                        own: answer.schedule.map(|(own, _)| ms(own)),
                        waited: answer.schedule.map(|(_, waited)| ms(waited)),
                        standstill: standstill.map(ms),
                        excused,
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
    use super::{Answer, judge};
    use crate::referee::Fault;
    use std::time::{Duration, Instant};

    /// An answer after 63 ms of 50: excused or not, and what the referee is told.
    fn judged(grace: u64, standstill: Option<u64>) -> (bool, Result<Vec<u8>, Fault>, u128) {
        let took = Duration::from_millis(63);
        let mut answer = Answer {
            output: Ok(b"WAIT\n".to_vec()),
            started: Instant::now(),
            elapsed: took,
            took,
            schedule: None,
            stderr: String::new(),
            late_stderr: String::new(),
        };
        let limit = Duration::from_millis(50);
        let ms = Duration::from_millis;
        let excused = judge(&mut answer, limit, ms(grace), standstill.map(ms));
        (excused, answer.output, answer.elapsed.as_millis())
    }

    #[test]
    fn only_a_standstill_as_long_as_the_delay_excuses() {
        let said = || Ok(b"WAIT\n".to_vec());
        assert_eq!(judged(0, None), (false, Err(Fault::Timeout), 63));
        assert_eq!(judged(0, Some(0)), (false, Err(Fault::Timeout), 63));
        assert_eq!(judged(0, Some(12)), (false, Err(Fault::Timeout), 63));
        assert_eq!(judged(0, Some(13)), (true, said(), 50));
        assert_eq!(judged(20, None), (false, said(), 50));
        assert_eq!(judged(10, Some(5)), (false, Err(Fault::Timeout), 63));
    }
}
