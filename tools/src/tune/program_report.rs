//! What tuning a program found, as text and as a page: the numbers before and after, what each did to the score while
//! the others stood at their best, and how much of that may be chance.

use super::program::Program;
use super::report::{SCATTER, lines};
use super::run::Played;
use super::surrogate::{Surrogate, Trial};
use crate::show::page::escape;
use std::fmt::Write;

/// Points of a number's range at which its doing is told.
const POINTS: usize = 5;

/// The table of a walk.
pub fn walk(name: &str, played: &Played) -> String {
    let mut out = format!("run {name}: SPSA, {} pairs of settings\n", played.rows.len());
    let _ = writeln!(
        out,
        "{:16} {:>10} {:>10} {:>9}  {:>18}  best value, 95 %",
        "number", "before", "after", "scatter", "slope a step"
    );
    for line in lines(played) {
        let _ = write!(
            out,
            "{:16} {:>10.4} {:>10.4} {:>9.4}",
            line.name, line.before, line.after.0, line.after.1
        );
        if let Some((slope, top, verdict)) = line.words() {
            let _ = write!(out, "  {slope:>18}  {top}{verdict}");
        }
        out.push('\n');
    }
    out + SCATTER + "\n"
}

/// Belief along one number: value, score, standard deviation.
fn slice(
    program: &Program,
    surrogate: &Surrogate,
    best: &[f64],
    i: usize,
    points: usize,
) -> Vec<(f64, f64, f64)> {
    let t = &program.space.dims()[i];
    (0..points)
        .map(|k| {
            let mut at = best.to_vec();
            at[i] = k as f64 / (points - 1) as f64;
            let (mean, doubt) = surrogate.at(&at);
            (t.min + at[i] * (t.max - t.min), mean, doubt)
        })
        .collect()
}

/// The table of a search.
pub fn search(name: &str, program: &Program, trials: &[Trial]) -> String {
    let pairs: usize = trials.iter().map(|trial| trial.results.len()).sum();
    let mut out = format!(
        "run {name}: Gaussian process, {} settings, {pairs} pairs\n",
        trials.len()
    );
    let Some(surrogate) = Surrogate::new(trials) else {
        return out + "no trial yet\n";
    };
    let (answer, start) = (program.answer(trials), program.start());
    let best = program.place(&answer);
    let percent = |(mean, doubt): (f64, f64)| format!("{:.1} +-{:.1} %", 100.0 * mean, 196.0 * doubt);
    let _ = writeln!(
        out,
        "believed score, 95 %: start {}, answer {}",
        percent(surrogate.at(&program.place(&start))),
        percent(surrogate.at(&best))
    );
    let _ = writeln!(
        out,
        "{:16} {:>10} {:>10}  score in percent along its range, the others at the answer",
        "number", "before", "after"
    );
    for (i, t) in program.space.dims().iter().enumerate() {
        let _ = write!(out, "{:16} {:>10.4} {:>10.4} ", t.name, start[i].1, answer[i].1);
        let points = slice(program, &surrogate, &best, i, POINTS);
        for (value, mean, doubt) in &points {
            let _ = write!(out, " {value:.3}: {:.0}+-{:.0}", 100.0 * mean, 196.0 * doubt);
        }
        let top = points.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let low = points.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        if let (Some(top), Some(low)) = (top, low) {
            let chance = 1.96 * (top.2.powi(2) + low.2.powi(2)).sqrt();
            if top.1 - low.1 <= chance {
                out.push_str("  no influence seen");
            }
        }
        out.push('\n');
    }
    out
}

/// A page with the text and, for a search, a curve with its band of doubt for every number.
pub fn page(name: &str, text: &str, program: &Program, trials: &[Trial]) -> String {
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>{0}</title><style>body{{font:16px/1.4 \
         system-ui,sans-serif;margin:1rem auto;max-width:60rem;padding:0 1rem;color:#1b1b1b;background:#fff}}\
         pre{{overflow-x:auto}}svg{{width:100%;height:10rem;color:#06c}}@media(prefers-color-scheme:dark)\
         {{body{{color:#eee;background:#16181c}}svg{{color:#6af}}}}</style><h1>{0}</h1><pre>{1}</pre>",
        escape(name),
        escape(text)
    );
    if let Some(surrogate) = Surrogate::new(trials) {
        let best = program.place(&program.answer(trials));
        for (i, t) in program.space.dims().iter().enumerate() {
            let points = slice(program, &surrogate, &best, i, 41);
            let x = |value: f64| 600.0 * (value - t.min) / (t.max - t.min);
            let y = |score: f64| 100.0 * (1.0 - score.clamp(0.0, 1.0));
            let line = |of: &dyn Fn(&(f64, f64, f64)) -> f64| -> Vec<String> {
                points
                    .iter()
                    .map(|p| format!("{:.1},{:.1}", x(p.0), y(of(p))))
                    .collect()
            };
            let mut band = line(&|p| p.1 + 1.96 * p.2);
            let mut lower = line(&|p| p.1 - 1.96 * p.2);
            lower.reverse();
            band.extend(lower);
            let _ = write!(
                out,
                "<h2>{}: {} to {}, score 0 to 100 % with its 95 % band</h2><svg viewBox=\"-2 -2 604 104\" \
                 preserveAspectRatio=\"none\" role=\"img\"><polygon fill=\"currentColor\" fill-opacity=\".2\" \
                 points=\"{}\"/><polyline fill=\"none\" stroke=\"currentColor\" points=\"{}\"/></svg>",
                escape(t.name),
                t.min,
                t.max,
                band.join(" "),
                line(&|p| p.1).join(" ")
            );
        }
    }
    out + "</html>"
}
