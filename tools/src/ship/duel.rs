//! The shipped program plays one whole game over pipes, by the contest's clock.

use crate::adapter::Adapter;
use crate::arena::bots::Bot;
use crate::arena::matches::{MatchPlan, one};
use crate::arena::result::{GameResult, LateReport};
use crate::arena::schedule::Game;
use crate::arena::times::Times;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// Late answers are still taken this long, so that a game goes on and shows how late they were.
const GRACE: Duration = Duration::from_millis(500);
const OPPONENT: &str = "builtin:greedy";

/// One game and its clock.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Duel {
    /// `won`, `drawn` or `lost`; with more than two seats the share of the points.
    pub result: String,
    /// The contest's scores; ours first.
    pub scores: Vec<f64>,
    /// Answers given.
    pub answers: usize,
    /// First answer, milliseconds.
    pub first_ms: f32,
    /// Slowest later answer.
    pub slowest_ms: f32,
    /// 99 of 100 later answers.
    pub p99_ms: f32,
    /// Late answers of a first try; the numbers above are those of the second, which had none.
    pub late: Vec<LateReport>,
}

/// Plays. An answer over the limit fails if the bot's own clock (its CPU time) shows it, or if there is one
/// again in a second try.
pub fn play(adapter: &'static dyn Adapter, program: &Path) -> Result<Duel> {
    let ours = Bot::parse(&quoted(program), adapter)?;
    let bots = [ours, Bot::parse(OPPONENT, adapter)?];
    let mut plan = MatchPlan::new(adapter, &bots);
    plan.rules.grace = GRACE;
    let game = Game::one_against_rest(1, adapter.seats(&plan.options), 0);
    let try_once = || -> Result<GameResult> {
        let played = one(&plan, &game)?;
        let result = GameResult::new(&game, &played);
        if let Some(fault) = result.faults.iter().find(|f| f.seat == 0) {
            let said = fault.stderr.join("\n    stderr: ");
            bail!(
                "the game against {OPPONENT} on seed {}: {} {}\n    stderr: {said}",
                game.seed,
                fault.kind,
                fault.detail
            );
        }
        Ok(result)
    };
    let mut tries: Vec<Vec<LateReport>> = Vec::new();
    loop {
        let result = try_once()?;
        let late = result.late.iter().filter(|late| late.seat == 0);
        tries.push(late.cloned().collect());
        if settled(&tries)? {
            return Ok(summary(&result, tries.concat()));
        }
    }
}

/// True after a try without a late answer, false where one more try decides. Errors: an answer was late by the
/// bot's own clock, or there was one again.
fn settled(tries: &[Vec<LateReport>]) -> Result<bool> {
    let mut all = tries.iter().flatten();
    if let Some(late) = all.find(|l| l.own.is_some_and(|own| own > l.limit)) {
        bail!("an answer was late by the bot's own clock: {}", words(late));
    }
    let clean = tries.last().is_some_and(Vec::is_empty);
    if !clean && tries.len() > 1 {
        let list: Vec<String> = tries.iter().flatten().map(words).collect();
        bail!("late answers in both tries: {}", list.join("; "));
    }
    Ok(clean)
}

/// One late answer: how late, and what the bot and the machine did meanwhile.
fn words(late: &LateReport) -> String {
    let mut text = format!("{:.1} ms of {:.0}", late.ms, late.limit);
    if let (Some(own), Some(waited)) = (late.own, late.waited) {
        let explained = if late.ms - waited <= late.limit {
            "the machine's scheduling explains it"
        } else {
            "not explained"
        };
        let _ = write!(
            text,
            " ({own:.1} its own CPU time, {waited:.1} waiting for a core: {explained})"
        );
    }
    text
}

/// As [`crate::arena::command::CommandLine`] reads it back, and a shell too.
pub fn quoted(program: &Path) -> String {
    format!("'{}'", program.display())
}

fn summary(result: &GameResult, late: Vec<LateReport>) -> Duel {
    let own = &result.times[0];
    let mut later = Times::default();
    for &ms in own.iter().skip(1) {
        later.push(ms);
    }
    let times = later.summary();
    let points = result.points[0];
    Duel {
        result: if result.points.len() > 2 {
            format!("{:.0} % of the points", points * 100.0)
        } else if points == 0.5 {
            "drawn".into()
        } else if points > 0.5 {
            "won".into()
        } else {
            "lost".into()
        },
        scores: result.scores.clone(),
        answers: own.len(),
        first_ms: own.first().copied().unwrap_or_default(),
        slowest_ms: times.slowest,
        p99_ms: times.p99,
        late,
    }
}

impl std::fmt::Display for Duel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scores: Vec<String> = self.scores.iter().map(|s| format!("{s}")).collect();
        write!(
            f,
            "{} {} against {OPPONENT}, {} answers: first {:.1} ms, slowest {:.1} ms, p99 {:.1} ms",
            self.result,
            scores.join(":"),
            self.answers,
            self.first_ms,
            self.slowest_ms,
            self.p99_ms
        )?;
        if !self.late.is_empty() {
            let list: Vec<String> = self.late.iter().map(words).collect();
            write!(
                f,
                " (late in a first try, not again in a second: {})",
                list.join("; ")
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{settled, words};
    use crate::arena::result::LateReport;

    fn late(own: f64, waited: f64) -> LateReport {
        LateReport {
            batch: 7,
            ms: 63.0,
            limit: 50.0,
            own: Some(own),
            waited: Some(waited),
            ..LateReport::default()
        }
    }

    #[test]
    fn a_late_answer_is_forgiven_once_and_not_to_the_bot_itself() {
        assert!(settled(&[vec![]]).unwrap());
        assert!(!settled(&[vec![late(43.0, 19.0)]]).unwrap());
        assert!(settled(&[vec![late(43.0, 19.0)], vec![]]).unwrap());
        // However busy the machine was.
        let again = settled(&[vec![late(43.0, 19.0)], vec![late(43.0, 20.0)]]).unwrap_err();
        assert!(again.to_string().contains("both tries"), "{again}");
        let own = settled(&[vec![late(51.0, 12.0)]]).unwrap_err();
        assert!(own.to_string().contains("own clock"), "{own}");
        assert!(words(&late(43.0, 19.0)).contains("the machine's scheduling explains it"));
        assert!(words(&late(43.0, 2.0)).contains("not explained"));
    }
}
