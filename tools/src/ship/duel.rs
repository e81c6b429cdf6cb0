//! The shipped program plays one whole game over pipes, by the contest's clock.

use crate::arena::bots::Bot;
use crate::arena::matches::{Game, Plan, one};
use crate::arena::result::{GameResult, LateReport};
use crate::arena::seat::Rules;
use crate::arena::times::Times;
use crate::room::Room;
use anyhow::{Result, anyhow, bail};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Late answers are still taken this long, so that a game goes on and shows how late they were.
const GRACE: Duration = Duration::from_millis(500);
const OPPONENT: &str = "builtin:greedy";

/// One game and its clock.
#[derive(Clone, Debug, Serialize)]
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
    /// A late answer of the first try that the machine's scheduling explains.
    pub late: Option<LateReport>,
}

/// Plays. An answer over its limit fails if the bot's own CPU time shows it, or if a second try has one too.
pub fn play(room: &dyn Room, program: &Path) -> Result<Duel> {
    let ours = Bot::parse(&quoted(program), room)?;
    let bots = [ours, Bot::parse(OPPONENT, room)?];
    let game = Game {
        index: 0,
        group: 0,
        seed: 1,
        seating: (0..room.seats()).map(|seat| usize::from(seat > 0)).collect(),
    };
    let plan = Plan {
        room,
        options: BTreeMap::new(),
        bots: &bots,
        games: Vec::new(),
        jobs: 1,
        trace: false,
        rules: Rules {
            grace: GRACE,
            ..Rules::default()
        },
    };
    let mut excused = None;
    for _ in 0..2 {
        let played = one(&plan, &game).map_err(|e| anyhow!(e))?;
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
        let Some(late) = result.late.iter().find(|l| l.seat == 0) else {
            return Ok(summary(&result, excused));
        };
        if late.own.is_some_and(|own| own > late.limit) {
            bail!(
                "an answer took {:.1} ms of {:.0}, {:.1} of them the bot's own CPU time",
                late.ms,
                late.limit,
                late.own.unwrap_or_default()
            );
        }
        if let Some(before) = excused.replace(late.clone()) {
            bail!(
                "late in both tries: {:.1} and {:.1} ms of {:.0}",
                before.ms,
                late.ms,
                late.limit
            );
        }
    }
    unreachable!("two late tries have failed above")
}

/// As [`crate::arena::command::CommandLine`] reads it back, and a shell too.
pub fn quoted(program: &Path) -> String {
    format!("'{}'", program.display())
}

fn summary(result: &GameResult, late: Option<LateReport>) -> Duel {
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
        if let Some(late) = &self.late {
            write!(
                f,
                " (second try; in the first one answer was late, {:.1} ms",
                late.ms
            )?;
            if let (Some(own), Some(waited)) = (late.own, late.waited) {
                write!(f, ": {own:.1} ms its own, {waited:.1} ms waiting for a core")?;
            }
            write!(f, ")")?;
        }
        Ok(())
    }
}
