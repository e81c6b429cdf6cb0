//! Where a bot's search is short of time or wrong: turns at which it chooses otherwise with many times its clock, and what
//! its own choice costs there.
//!
//! A bot with more time lives through the game and is heard at every turn; where it would have played something else, both
//! choices are played out on the same futures. What is listed is the mean loss with its 95 % interval, not an opinion of the
//! search that may be wrong itself.

use super::ask::{self, Effort};
use super::playout::playouts;
use super::position::{Guest, Position};
use crate::adapter::{Adapter, Transport};
use crate::arena::bots::Bot;
use crate::arena::matches::seat_seed;
use crate::arena::sandbox::Sandbox;
use crate::show::think::{self, Think};
use crate::show::trace::Trace;
use anyhow::Result;
use serde::{Deserialize, Serialize};

/// How a review is made.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// So many times the bot's clock or work.
    pub times: u64,
    /// Playouts of each choice.
    pub playouts: usize,
    /// Turns of a game that are played out at most: those where the searches disagree most.
    pub most: usize,
    /// What keeps those who are asked from harming others.
    pub sandbox: Sandbox,
}

/// A turn at which more time changes the choice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Doubt {
    /// Step of the record.
    pub turn: usize,
    /// Who answered.
    pub seat: usize,
    /// What was played.
    pub played: String,
    /// What the same bot plays with more time.
    pub better: String,
    /// What the bot thought it was worth, 0 to 1.
    pub value: Option<f64>,
    /// What it thinks with more time.
    pub later: Option<f64>,
    /// Match points that the choice lost in the playouts, and half the width of their 95 % interval.
    pub loss: (f64, f64),
    /// The same of the margin.
    pub margin: (f64, f64),
}

/// What the bot says at each turn of the seat with more time.
fn choices(
    adapter: &'static dyn Adapter,
    trace: &Trace,
    seat: usize,
    bot: &Bot,
    care: Care,
) -> Result<Vec<(usize, String, Option<Think>)>> {
    let times = care.times;
    let at = |turn: usize| -> Result<Position<'_>> {
        let mut position = Position::at(adapter, trace, turn, Some(seat))?;
        position.sandbox = care.sandbox;
        Ok(position)
    };
    let turns = trace.turns_of(seat);
    let Some(&first) = turns.first() else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    if !adapter.shows_all() || adapter.transport() == Transport::Argument {
        // It has to be told what it played, or forgets everything anyway: a fresh one at every turn.
        for turn in turns {
            let position = at(turn)?;
            let answer = ask::ask(&position, bot, Effort::Own, times)?;
            if let Some(text) = answer.text.filter(|_| answer.fault.is_none() && !answer.astray) {
                found.push((turn, text, answer.think));
            }
        }
        return Ok(found);
    }
    let position = at(first)?;
    let last = at(*turns.last().unwrap_or(&first))?;
    let (budget, bot, _) = ask::budget(bot, Effort::Own, times, last.limit)?;
    let (mut guest, _) = Guest::bring(&position, &bot, seat, budget, seat_seed(trace.seed, seat))?;
    for (turn, step) in trace.steps.iter().enumerate().skip(first) {
        for e in step.exchanges.iter().filter(|e| e.seat == seat) {
            let said = guest.live_through(e, budget);
            if let (Ok(text), true) = (said.output, e.want > 0) {
                found.push((turn, text.trim_end().to_owned(), think::parse(&said.stderr)));
            }
        }
    }
    Ok(found)
}

/// Turns of one seat at which more time changes the choice, the costliest first. `with` plays them out.
pub fn review(
    adapter: &'static dyn Adapter,
    trace: &Trace,
    seat: usize,
    bot: &Bot,
    with: &[Bot],
    care: Care,
) -> Result<Vec<Doubt>> {
    let mut doubts = Vec::new();
    for (turn, better, later) in choices(adapter, trace, seat, bot, care)? {
        let Some(exchange) = trace.steps[turn].answer_of(seat) else {
            continue;
        };
        let played = exchange.output.trim_end().to_owned();
        if played == better || played.starts_with('<') {
            continue;
        }
        doubts.push(Doubt {
            turn,
            seat,
            played,
            better,
            value: think::parse(&exchange.stderr).and_then(|t| t.value),
            later: later.and_then(|t| t.value),
            loss: (0.0, 0.0),
            margin: (0.0, 0.0),
        });
    }
    // Where the two searches see the game most differently, most is at stake.
    let apart = |d: &Doubt| d.value.zip(d.later).map_or(0.0, |(a, b)| (a - b).abs());
    doubts.sort_by(|a, b| apart(b).total_cmp(&apart(a)));
    doubts.truncate(care.most);
    for doubt in &mut doubts {
        let mut position = Position::at(adapter, trace, doubt.turn, Some(seat))?;
        position.sandbox = care.sandbox;
        let both = [doubt.played.clone(), doubt.better.clone()];
        let scores = playouts(&position, &both, with, care.playouts, 1)?;
        [doubt.loss, doubt.margin] = scores[1].against(&scores[0]);
    }
    doubts.sort_by(costliest);
    Ok(doubts)
}

/// The larger loss first; of equal ones the larger margin.
pub fn costliest(a: &Doubt, b: &Doubt) -> std::cmp::Ordering {
    let margin = b.margin.0.total_cmp(&a.margin.0);
    b.loss.0.total_cmp(&a.loss.0).then(margin)
}

#[cfg(test)]
mod tests {
    use super::{Care, Sandbox, review};
    use crate::arena::bots::Bot;
    use crate::arena::matches::recorded;
    use crate::games::adapters;

    #[test]
    fn more_work_finds_other_choices_and_no_more_finds_none() {
        let mut doubted = 0;
        for &adapter in adapters() {
            let bots = ["engine:3", "builtin:greedy"].map(|name| Bot::parse(name, adapter).unwrap());
            let trace = recorded(adapter, &bots, 7, 0).unwrap();
            let care = |times| Care {
                times,
                playouts: 2,
                most: 2,
                sandbox: Sandbox::Auto,
            };
            let greedy = [bots[1].clone()];
            let same = review(adapter, &trace, 0, &bots[0], &greedy, care(1)).unwrap();
            assert!(same.is_empty(), "{}: {same:?}", adapter.name());
            let doubts = review(adapter, &trace, 0, &bots[0], &greedy, care(40)).unwrap();
            assert!(
                doubts
                    .iter()
                    .all(|d| d.played != d.better && d.loss.0.abs() <= 1.0)
            );
            doubted += usize::from(!doubts.is_empty());
        }
        assert!(doubted >= 3, "{doubted}");
    }
}
