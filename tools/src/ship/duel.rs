//! The shipped program plays one whole game over pipes, by the contest's clock.

use crate::arena::bots::Bot;
use crate::arena::load::{Busy, LoadMonitor};
use crate::arena::matches::{Game, Plan, one};
use crate::arena::result::{GameResult, LateReport};
use crate::arena::seat::Rules;
use crate::arena::times::Times;
use crate::room::Room;
use anyhow::{Result, anyhow, bail};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
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
    /// Late answers that the machine's scheduling explains; the numbers above are those of the second try.
    pub late: Vec<LateReport>,
}

/// Plays. A late answer fails if the bot's own CPU time shows it, and so does a second try with one; except
/// where the machine is measured to be too busy and each late answer waited for a core that long.
pub fn play(room: &'static dyn Room, program: &Path) -> Result<Duel> {
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
    let try_once = || -> Result<(GameResult, Busy)> {
        let monitor = LoadMonitor::start();
        let played = one(&plan, &game).map_err(|e| anyhow!(e));
        let busy = monitor.stop();
        let result = GameResult::new(&game, &played?);
        if let Some(fault) = result.faults.iter().find(|f| f.seat == 0) {
            let said = fault.stderr.join("\n    stderr: ");
            bail!(
                "the game against {OPPONENT} on seed {}: {} {}\n    stderr: {said}",
                game.seed,
                fault.kind,
                fault.detail
            );
        }
        if let Some(late) = own_late(&result).find(|l| l.own.is_some_and(|own| own > l.limit)) {
            bail!("an answer was late by the bot's own clock: {}", words(late));
        }
        Ok((result, busy))
    };
    let (first, _) = try_once()?;
    if own_late(&first).next().is_none() {
        return Ok(summary(&first, Vec::new()));
    }
    let (second, busy) = try_once()?;
    let again: Vec<LateReport> = own_late(&second).cloned().collect();
    let explained = |late: &LateReport| late.waited.is_some_and(|waited| late.ms - waited <= late.limit);
    let excused = busy.unreliable() && again.iter().all(explained);
    if !again.is_empty() && !excused {
        let list: Vec<String> = own_late(&first).chain(&again).map(words).collect();
        bail!("late answers in both tries ({busy}): {}", list.join("; "));
    }
    let excused = own_late(&first).cloned().chain(again).collect();
    Ok(summary(&second, excused))
}

fn own_late(result: &GameResult) -> impl Iterator<Item = &LateReport> {
    result.late.iter().filter(|late| late.seat == 0)
}

/// One late answer: how late, and what the bot and the machine did meanwhile.
fn words(late: &LateReport) -> String {
    let mut text = format!("{:.1} ms of {:.0}", late.ms, late.limit);
    if let (Some(own), Some(waited)) = (late.own, late.waited) {
        let _ = write!(
            text,
            " ({own:.1} its own CPU time, {waited:.1} waiting for a core)"
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
            write!(f, " (late by the machine's scheduling: {})", list.join("; "))?;
        }
        Ok(())
    }
}
