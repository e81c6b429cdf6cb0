//! Asks bots again: at a turn of a recorded game, with their own clock or another, or so many times their work.
//!
//! A fresh bot is shown the game so far and then asked once. What it answers is checked by the referee, what it thought
//! is read from its stderr. Not here: what becomes of the answer (`playout`).

use super::position::{Guest, PATIENCE, Past, Position};
use crate::arena::bots::Bot;
use crate::arena::matches::seat_seed;
use crate::referee::Ask;
use crate::show::think::{self, Think};
use anyhow::{Result, bail};
use fifty::kit::clock::Budget;
use serde::Serialize;
use std::time::Duration;

/// What an answer may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// What the bot takes by itself.
    Own,
    /// Milliseconds.
    Clock(u64),
    /// Iterations, where the bot counts them.
    Work(u64),
}

/// One bot's answer.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// Its name.
    pub bot: String,
    /// What it was given, in words.
    pub effort: String,
    /// Its lines without the last line end; none where none came.
    pub text: Option<String>,
    /// Why the referee ends the game on it, or why there is none.
    pub fault: Option<String>,
    /// Wall milliseconds.
    pub ms: f64,
    /// Over the contest's limit.
    pub late: bool,
    /// What its search said.
    pub think: Option<Think>,
    /// All it wrote on stderr.
    pub stderr: String,
    /// What it made of the game so far.
    pub past: Past,
    /// True where its own earlier answers lead elsewhere, so that this one is to another position.
    pub astray: bool,
}

/// The budget an engine is asked on, the bot that is asked, and the words for it. `times`: a multiple; `limit`: what
/// the contest gives, which a program of its own is taken to use. A program is told its time as our own bots read it;
/// one that does not read it takes its own.
pub fn budget(
    bot: &Bot,
    effort: Effort,
    times: u64,
    limit: Duration,
) -> Result<(Option<Budget>, Bot, String)> {
    let scaled = |t: Duration| t.saturating_mul(times.min(1 << 20) as u32);
    let of = |ms: u64| {
        if times == 1 {
            String::new()
        } else {
            format!(" ({times} x {ms})")
        }
    };
    match (bot.budget(), effort) {
        (Some(Budget::Work(n)), Effort::Own) | (Some(_), Effort::Work(n)) => {
            let work = n.saturating_mul(times);
            let words = format!("{work} iterations{}", of(n));
            Ok((Some(Budget::Work(work)), bot.clone(), words))
        }
        (Some(Budget::Time { later, .. }), Effort::Own) => {
            let span = scaled(later);
            let words = format!("{} ms{}", span.as_millis(), of(later.as_millis() as u64));
            Ok((
                Some(Budget::Time {
                    first: span,
                    later: span,
                }),
                bot.clone(),
                words,
            ))
        }
        (Some(_), Effort::Clock(ms)) => {
            let all = ms.saturating_mul(times);
            Ok((
                Some(Budget::millis(all, all)),
                bot.clone(),
                format!("{all} ms{}", of(ms)),
            ))
        }
        (None, effort) => {
            let fixed = bot.work();
            let work = match (effort, fixed) {
                (Effort::Work(n), Some(_)) | (Effort::Own, Some(n)) => Some(n.saturating_mul(times)),
                _ => None,
            };
            let clock = match effort {
                Effort::Clock(ms) => Some(ms),
                Effort::Own if times > 1 => Some(limit.as_millis() as u64),
                _ => None,
            };
            match (work, clock) {
                (Some(n), _) => Ok((None, bot.at_work(|_| n), format!("{n} iterations"))),
                (None, Some(ms)) if bot.is_program() => {
                    let all = ms.saturating_mul(times);
                    Ok((None, bot.at_clock(all), format!("told {all} ms{}", of(ms))))
                }
                (None, _) if times > 1 => bail!(
                    "{}: keeps its own clock, {times} times as long cannot be asked of it (engine, a .rs file or a \
                     command can)",
                    bot.name
                ),
                (None, _) => Ok((None, bot.clone(), "its own clock".to_owned())),
            }
        }
    }
}

/// True where `bot` can be asked for a multiple of what it takes.
pub fn can_multiply(bot: &Bot) -> bool {
    bot.budget().is_some() || bot.work().is_some() || bot.is_program()
}

/// Shows `bot` the game so far and asks it at the position's turn. A bot that knows no time is asked as it is.
pub fn ask(position: &Position<'_>, bot: &Bot, effort: Effort, times: u64) -> Result<Answer> {
    let times = if can_multiply(bot) { times } else { 1 };
    let (budget, asked, words) = budget(bot, effort, times, position.limit)?;
    let seed = seat_seed(position.trace.seed, position.seat);
    let (mut guest, past) = Guest::bring(position, &asked, position.seat, budget, seed)?;
    let exchange = position.exchange();
    let left = position.answers_left();
    // Where the message tells a clock, it has to tell this one.
    let told = match (budget, effort) {
        (Some(Budget::Time { later, .. }), _) if effort != Effort::Own || times > 1 => {
            Some(later.as_millis() as u64)
        }
        (None, Effort::Clock(ms)) => Some(ms.saturating_mul(times)),
        (None, Effort::Own) if times > 1 => Some(position.limit.as_millis() as u64 * times),
        _ => None,
    };
    let send = told.map_or_else(
        || exchange.send.clone(),
        |ms| position.adapter.grant(&exchange.send, ms, left.max(4)),
    );
    let said = guest.answer(
        &Ask {
            seat: position.seat,
            send,
            want: exchange.want,
            limit: PATIENCE,
        },
        budget,
    );
    let text = said.output.as_ref().ok().map(|t| t.trim_end().to_owned());
    let astray = past.other.is_some()
        && !position.adapter.shows_all()
        && bot.inside(position.adapter, 1, None).is_none();
    let fault = match &said.output {
        Ok(text) if !astray => position.fault(text)?,
        Ok(_) => None,
        Err(fault) => Some(fault.to_string()),
    };
    Ok(Answer {
        bot: bot.name.clone(),
        effort: words,
        text,
        fault,
        ms: said.took.as_secs_f64() * 1e3,
        late: said.took > position.limit,
        think: think::parse(&said.stderr),
        stderr: said.stderr,
        past,
        astray,
    })
}

#[cfg(test)]
mod tests {
    use super::{Effort, ask};
    use crate::adapter::Adapter;
    use crate::arena::bots::Bot;
    use crate::arena::matches::recorded;
    use crate::games::adapters;
    use crate::serve::playout::playouts;
    use crate::serve::position::Position;
    use crate::show::trace::Trace;

    fn bots(adapter: &'static dyn Adapter, names: [&str; 2]) -> [Bot; 2] {
        names.map(|name| Bot::parse(name, adapter).unwrap())
    }

    fn game(adapter: &'static dyn Adapter) -> Trace {
        let bots = bots(adapter, ["engine:30", "builtin:greedy"]);
        recorded(adapter, &bots, 5, 0).unwrap()
    }

    #[test]
    fn who_played_says_the_same_again_and_the_simulator_agrees() {
        for &adapter in adapters() {
            let trace = game(adapter);
            let bots = bots(adapter, ["engine:30", "builtin:greedy"]);
            let own = trace.turns_of(0);
            for &turn in own.iter().step_by(own.len() / 4) {
                let position = Position::at(adapter, &trace, turn, Some(0)).unwrap();
                assert_eq!(position.differs, None, "{}", adapter.name());
                let answer = ask(&position, &bots[0], Effort::Own, 1).unwrap();
                let at = format!("{} turn {turn}: {:?}", adapter.name(), answer.past);
                assert_eq!(
                    answer.text.as_deref(),
                    Some(position.exchange().output.trim_end()),
                    "{at}"
                );
                assert_eq!((answer.fault, answer.astray), (None, false), "{at}");
            }
            let position = Position::at(adapter, &trace, trace.turns_of(1)[5], Some(1)).unwrap();
            let answer = ask(&position, &bots[1], Effort::Own, 1).unwrap();
            assert_eq!(
                answer.text.as_deref(),
                Some(position.exchange().output.trim_end())
            );
        }
    }

    #[test]
    fn more_work_is_done_where_it_is_asked_for() {
        for &adapter in adapters() {
            let trace = game(adapter);
            let bot = Bot::parse("engine:30", adapter).unwrap();
            let own = trace.turns_of(0);
            let position = Position::at(adapter, &trace, own[own.len() / 3], Some(0)).unwrap();
            let nodes = |times: u64, effort: Effort| {
                let answer = ask(&position, &bot, effort, times).unwrap();
                let think = answer.think.unwrap();
                (think.nodes.or(think.visits).unwrap(), answer.effort)
            };
            let (few, words) = nodes(1, Effort::Own);
            let (many, more) = nodes(20, Effort::Work(30));
            assert_eq!(
                (words.as_str(), more.as_str()),
                ("30 iterations", "600 iterations (20 x 30)")
            );
            assert!(many > few, "{}: {few} and {many}", adapter.name());
        }
    }

    #[test]
    fn a_playout_is_the_same_for_the_same_choice_and_counts_all_games() {
        for &adapter in adapters() {
            let trace = game(adapter);
            let own = trace.turns_of(0);
            let position = Position::at(adapter, &trace, own[own.len() * 3 / 4], Some(0)).unwrap();
            let choice = position.exchange().output.trim_end().to_owned();
            let greedy = [Bot::parse("builtin:greedy", adapter).unwrap()];
            let scores = playouts(&position, &[choice.clone(), choice], &greedy, 6, 3).unwrap();
            assert_eq!(scores[0].scores, scores[1].scores, "{}", adapter.name());
            assert_eq!(scores[0].points.len(), 6);
            assert!(scores[0].points.iter().all(|p| (0.0..=1.0).contains(p)));
        }
    }

    #[test]
    fn a_turn_without_a_question_is_refused_by_name() {
        let adapter = adapters()[2];
        let trace = game(adapter);
        let error = Position::at(adapter, &trace, 0, Some(1))
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.contains("seat 1 is not asked there") && error.contains("expected one of"),
            "{error}"
        );
        let last = trace.steps.len() - 1;
        assert!(Position::at(adapter, &trace, last, None).is_err());
        assert!(Position::at(adapter, &trace, 9999, None).is_err());
    }
}
