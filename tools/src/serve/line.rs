//! What a bot expects, played on the board: its answer at a turn, and the answers that it thinks will follow.
//!
//! The words come from the bot; the referee plays them as long as it takes them. Where several seats answer at once only
//! the bot's own answer can be shown, against what the others did in the record.

use super::position::Position;
use crate::adapter::Adapter;
use crate::referee::{Reply, Verdict};
use crate::show::page::Shown;
use crate::show::think;
use crate::show::trace::{Exchange, Trace};
use anyhow::Result;
use std::time::Duration;

/// Answers shown at most.
const MOST: usize = 12;

/// `answer` at the position, and as much of `pv` as the rules allow after it.
pub fn line(position: &Position<'_>, answer: &str, pv: &str) -> Result<Vec<Shown>> {
    let adapter = position.adapter;
    let mut referee = position.after(&format!("{}\n", answer.trim_end()))?;
    let mut seat = position.seat;
    let mut words = answer.trim_end().to_owned();
    let mut course = adapter.course(pv).into_iter().skip(1);
    let mut shown = Vec::new();
    loop {
        // Messages that want no answer pass; a judge may tell a fault only after them.
        let asked: Vec<usize> = loop {
            let asks = referee.asks();
            let asked: Vec<usize> = asks.iter().filter(|a| a.want > 0).map(|a| a.seat).collect();
            if asks.is_empty() || !asked.is_empty() {
                break asked;
            }
            referee.reply(&[]);
        };
        let faulty = |v: &Verdict| matches!(v, Verdict::Invalid(_) | Verdict::Garbage(_));
        let outcome = referee.outcome();
        if outcome.is_some_and(|o| o.verdicts.get(seat).is_some_and(faulty)) {
            return Ok(shown);
        }
        let svg = adapter.svg(&referee.view());
        shown.push(Shown { seat, words, svg });
        let (&[next], Some(text)) = (&asked[..], course.next()) else {
            return Ok(shown);
        };
        if shown.len() == MOST || text.is_empty() {
            return Ok(shown);
        }
        referee.reply(&[Reply {
            seat: next,
            output: Ok(format!("{text}\n").into_bytes()),
            elapsed: Duration::ZERO,
        }]);
        (seat, words) = (next, text);
    }
}

/// An answer in the words of a candidate; nothing where the rules do not take it.
pub fn candidate(position: &Position<'_>, words: &str) -> Result<Vec<Shown>> {
    let answer = position.adapter.course(words).into_iter().next();
    answer.map_or(Ok(Vec::new()), |answer| line(position, &answer, ""))
}

/// What a recorded bot expected with an answer at a step; nothing where it did not say, or the rules are not here.
pub fn recorded(adapter: &'static dyn Adapter, trace: &Trace, turn: usize, e: &Exchange) -> Vec<Shown> {
    let pv = think::parse(&e.stderr).map_or_else(String::new, |t| t.pv);
    if e.want == 0 || pv.is_empty() {
        return Vec::new();
    }
    let position = Position::at(adapter, trace, turn, Some(e.seat));
    position
        .and_then(|position| line(&position, &e.output, &pv))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{candidate, line};
    use crate::adapter::Adapter;
    use crate::arena::bots::Bot;
    use crate::arena::matches::recorded;
    use crate::games::adapters;
    use crate::serve::position::Position;
    use crate::show::think;
    use crate::show::trace::Trace;

    /// A game of our bot in seat 0.
    fn traced(adapter: &'static dyn Adapter) -> Trace {
        let bots = ["engine:200", "builtin:greedy"].map(|name| Bot::parse(name, adapter).unwrap());
        recorded(adapter, &bots, 5, 0).unwrap()
    }

    /// Whether the first of the listed moves is what was answered, too, in how many of a hundred answers at least. A
    /// plan of rails may make room for a side quest, and a seat of slime does not pass where it would have.
    fn first_is_played(game: &str) -> usize {
        if matches!(game, "rails" | "slime") {
            70
        } else {
            100
        }
    }

    #[test]
    fn our_bots_list_what_they_looked_at_and_the_rules_take_it() {
        for &adapter in adapters() {
            let trace = traced(adapter);
            let (mut thought, mut choices, mut played) = (0, 0, 0);
            for (turn, step) in trace.steps.iter().enumerate() {
                let Some(e) = step.answer_of(0) else {
                    continue;
                };
                let Some(think) = think::parse(&e.stderr) else {
                    continue;
                };
                thought += 1;
                let name = adapter.name();
                let answer = adapter.course(&think.best[0].answer).remove(0);
                played += usize::from(answer == e.output.trim_end());
                choices += usize::from(think.best.len() > 1);
                assert!(think.best.len() <= 5, "{name}: {}", e.stderr);
                assert!(
                    think.best.iter().all(|c| c.value.is_some()),
                    "{name}: {}",
                    e.stderr
                );
                let first = (think.best[0].value.unwrap() - think.value.unwrap()).abs();
                assert!(first < 0.5, "{name}: {}", e.stderr);
                if thought % 8 != 1 {
                    continue;
                }
                let position = Position::at(adapter, &trace, turn, Some(0)).unwrap();
                for c in &think.best {
                    let shown = candidate(&position, &c.answer).unwrap();
                    assert_eq!(shown.len(), 1, "{name}, turn {turn}: {}", c.answer);
                }
                // What slime does not understand is a pass.
                let nonsense = candidate(&position, "no move at all").unwrap();
                assert_eq!(nonsense.is_empty(), name != "slime", "{name}");
            }
            let name = adapter.name();
            assert!(
                choices * 2 > thought && thought > 0,
                "{name}: {choices} of {thought}"
            );
            assert!(
                played * 100 >= thought * first_is_played(name),
                "{name}: {played} of {thought}"
            );
        }
    }

    #[test]
    fn lines_begin_with_the_answer_and_are_taken_by_the_rules() {
        for &adapter in adapters() {
            let trace = traced(adapter);
            let (mut longest, mut whole, mut all) = (0, 0, 0usize);
            for (turn, step) in trace.steps.iter().enumerate() {
                let Some(e) = step.answer_of(0) else {
                    continue;
                };
                all += 1;
                if all % 4 != 1 {
                    continue;
                }
                let pv = think::parse(&e.stderr).map_or_else(String::new, |t| t.pv);
                let position = Position::at(adapter, &trace, turn, Some(0)).unwrap();
                let shown = line(&position, &e.output, &pv).unwrap();
                assert_eq!(shown[0].words, e.output.trim_end(), "{}", adapter.name());
                assert!(shown[0].svg.starts_with("<svg"));
                whole += usize::from(shown.len() >= adapter.course(&pv).len().min(12));
                longest = longest.max(shown.len());
            }
            // A seat of slime that cannot move is passed over, which its bots' lines do not know.
            let looked = all.div_ceil(4);
            assert!(
                whole * 10 >= looked * 7,
                "{}: {whole} of {looked}",
                adapter.name()
            );
            // rails answers at once, kingdomino and connexion tell their own answer only.
            let several = matches!(adapter.name(), "wondev" | "slime");
            assert!(longest > usize::from(several), "{}", adapter.name());
        }
    }
}
