//! A game in the terminal: per batch the position, who answered what, how fast, what the search thought, and
//! what else the bot said.

use super::think;
use super::trace::Trace;
use crate::adapter::Adapter;
use std::fmt::Write;

/// The whole game as text.
pub fn text(adapter: &dyn Adapter, trace: &Trace) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} seed {} {:?}", trace.game, trace.seed, trace.options);
    for (seat, bot) in trace.bots.iter().enumerate() {
        let _ = writeln!(out, "seat {seat}: {bot}");
    }
    for (n, step) in trace.steps.iter().enumerate() {
        let _ = writeln!(out, "\n-- {n} --");
        out.push_str(&adapter.text(&step.view));
        for e in &step.exchanges {
            if e.want == 0 {
                let _ = writeln!(
                    out,
                    "seat {} is told {}",
                    e.seat,
                    e.send.trim_end().replace('\n', " | ")
                );
                continue;
            }
            let _ = write!(
                out,
                "seat {} {:>8.2} ms  {}",
                e.seat,
                e.micros as f64 / 1000.0,
                e.output.trim_end().replace('\n', " | ")
            );
            if let Some(t) = think::parse(&e.stderr) {
                let _ = write!(out, "  [");
                if let Some(v) = t.value {
                    let _ = write!(out, "value {v:.3} ");
                }
                if let Some(d) = t.depth {
                    let _ = write!(out, "depth {d} ");
                }
                if let Some(v) = t.nodes.or(t.visits) {
                    let _ = write!(out, "nodes {v} ");
                }
                let _ = write!(out, "{}]", t.pv);
                if !t.best.is_empty() {
                    let best: Vec<String> = t.best.iter().map(think::Candidate::line).collect();
                    let _ = write!(out, "\n    looked at {}", best.join(" · "));
                }
            }
            out.push('\n');
            for line in e.stderr.lines().filter(|line| !line.starts_with("think ")) {
                let _ = writeln!(out, "    stderr: {line}");
            }
        }
    }
    let _ = writeln!(
        out,
        "\n{}: scores {:?}, points {:?}, {}",
        trace.end,
        trace.scores,
        trace.points,
        trace.verdicts.join(", ")
    );
    out
}

#[cfg(test)]
mod tests {
    use crate::adapter::Setup;
    use crate::games::adapters;

    #[test]
    fn every_position_fits_a_terminal() {
        for &adapter in adapters() {
            let text = adapter.text(&adapter.referee(&Setup::default()).unwrap().view());
            let lines = text.lines().count();
            assert!((4..=24).contains(&lines), "{}: {lines} lines", adapter.name());
            assert!(
                text.lines().all(|line| line.len() <= 120),
                "{}:\n{text}",
                adapter.name()
            );
        }
    }
}
