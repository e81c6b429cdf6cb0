//! What a run found, as text: weights before and after with intervals, which of them matter, the verdict.

use super::regression::{Weight, refit};
use super::run::{Plan, Played};
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
            "{}: {:+.0} Elo +-{:.0} in {} pairs",
            self.title, self.elo.0, self.elo.1, self.pairs
        )
    }
}

/// One row of the table of weights.
#[derive(Clone, Debug)]
pub struct Line {
    /// Name.
    pub name: String,
    /// Value at the start.
    pub before: f64,
    /// Tail average, and half width of its 95 % interval.
    pub after: (f64, f64),
    /// What the regression over all pairs says; none while the pairs are too few.
    pub weight: Option<Weight>,
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
        weight: weights.as_ref().map(|w| w[i].clone()),
    })
    .collect()
}

/// The whole report.
pub fn text(name: &str, plan: &Plan, played: &Played, checks: &[Check]) -> String {
    let mut out = String::new();
    let pairs = played.rows.len();
    let _ = writeln!(
        out,
        "run {name}: {} by {} pairs at {} iterations a move, seed {}, panel {}{}",
        plan.game,
        pairs,
        plan.work,
        plan.walk.seed,
        plan.panel.join(" "),
        if played.stopped { " (stopped early)" } else { "" }
    );
    let lines = lines(played);
    let _ = writeln!(
        out,
        "{:24} {:>10} {:>10} {:>9}  {:>18}  {:>8}",
        "number", "before", "after", "+-", "slope a step", "chance"
    );
    for line in &lines {
        let _ = write!(
            out,
            "{:24} {:>10.4} {:>10.4} {:>9.4}",
            line.name, line.before, line.after.0, line.after.1
        );
        if let Some(w) = &line.weight {
            let slope = format!("{:+.4} +-{:.4}", w.slope.0, w.slope.1);
            let verdict = if w.matters() { "" } else { "  no influence seen" };
            let _ = write!(out, "  {slope:>18}  {:>8.1e}{verdict}", w.chance);
        }
        out.push('\n');
    }
    if lines.iter().all(|l| l.weight.is_none()) {
        let _ = writeln!(out, "too few pairs for the regression over all of them");
    }
    for check in checks {
        let _ = writeln!(out, "{}", check.line());
    }
    out
}
