//! What a run found, as text: weights before and after with intervals, which of them matter, the verdict.

use super::regression::{Weight, refit};
use super::run::{Played, TunePlan};
use crate::arena::stats::signed;
use std::fmt::Write;

/// Match results quoted in a report.
#[derive(Clone, Debug)]
pub struct Check {
    /// What was compared.
    pub title: String,
    /// Elo of the tuned values, and half width of the 95 % interval.
    pub elo: (f64, f64),
    /// Pairs played.
    pub pairs: u64,
}

impl Check {
    /// One line.
    pub fn line(&self) -> String {
        format!(
            "{}: {} Elo +-{:.0} in {} pairs",
            self.title,
            signed(self.elo.0, 0),
            self.elo.1,
            self.pairs
        )
    }
}

/// What the columns mean, below the table.
pub const SCATTER: &str = "scatter: how far the walk still wandered in its second half (standard deviation), not how \
sure the value is; best value: where the regression over all pairs has its top, with its 95 % interval";

/// One row of the table of weights.
#[derive(Clone, Debug)]
pub struct Line {
    /// Name.
    pub name: String,
    /// Value at the start.
    pub before: f64,
    /// Tail average, and how far the walk still wandered there: a standard deviation, no doubt about the best value.
    pub after: (f64, f64),
    /// Where the regression sees the best value, with both ends of its 95 % interval; none where it sees none.
    pub top: Option<(f64, f64, f64)>,
    /// What the regression over all pairs says; none while the pairs are too few.
    pub weight: Option<Weight>,
}

impl Line {
    /// The regression's words, if it has any: slope a step, best value, what else is to be said.
    pub fn words(&self) -> Option<(String, String, &'static str)> {
        let w = self.weight.as_ref()?;
        let slope = format!("{} +-{:.4}", signed(w.slope.0, 4), w.slope.1);
        let top = self.top.map_or_else(
            || "not seen".to_owned(),
            |(x, low, high)| format!("{x:.4} ({low:.4} to {high:.4})"),
        );
        Some((slope, top, if w.matters() { "" } else { "  no influence seen" }))
    }
}

/// The table of weights.
pub fn lines(played: &Played) -> Vec<Line> {
    let weights = refit(&played.pairs()).ok();
    let dims = played.space.dims().iter().enumerate();
    let answer = played.walk.answer();
    dims.map(|(i, t)| Line {
        name: t.name.to_owned(),
        before: played.space.value(i, played.start[i]),
        after: (played.space.value(i, answer[i].0), answer[i].1 * t.step),
        top: (weights.as_ref()).and_then(|w| w[i].top).map(|(x, low, high)| {
            let value = |x: f64| t.value + x * t.step;
            (value(x), value(low), value(high))
        }),
        weight: weights.as_ref().map(|w| w[i].clone()),
    })
    .collect()
}

/// The whole report.
pub fn text(name: &str, plan: &TunePlan, played: &Played, checks: &[Check]) -> String {
    let mut out = String::new();
    let pairs = played.rows.len();
    let _ = writeln!(
        out,
        "run {name}: {} by {} pairs at {} iterations a move, seed {}, pool {}{}",
        plan.game,
        pairs,
        plan.work,
        plan.walk.seed,
        plan.pool.join(" "),
        if played.stopped { " (stopped early)" } else { "" }
    );
    let lines = lines(played);
    let _ = writeln!(
        out,
        "{:24} {:>10} {:>10} {:>9}  {:>18}  {:>8}  best value, 95 %",
        "number", "before", "after", "scatter", "slope a step", "chance"
    );
    for line in &lines {
        let _ = write!(
            out,
            "{:24} {:>10.4} {:>10.4} {:>9.4}",
            line.name, line.before, line.after.0, line.after.1
        );
        if let Some((w, (slope, top, verdict))) = line.weight.as_ref().zip(line.words()) {
            let _ = write!(out, "  {slope:>18}  {:>8.1e}  {top}{verdict}", w.chance);
        }
        out.push('\n');
    }
    out.push_str(SCATTER);
    out.push('\n');
    if lines.iter().all(|l| l.weight.is_none()) {
        let _ = writeln!(out, "too few pairs for the regression over all of them");
    }
    for check in checks {
        let _ = writeln!(out, "{}", check.line());
    }
    out
}
