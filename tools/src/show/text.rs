//! A game in the terminal: per batch the position's rows (where the view has any), who answered what, how
//! fast, and what the search thought.

use super::think;
use super::trace::Trace;
use serde_json::Value;
use std::fmt::Write;

/// The whole game as text.
pub fn text(trace: &Trace) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} seed {} {:?}", trace.game, trace.seed, trace.options);
    for (seat, bot) in trace.bots.iter().enumerate() {
        let _ = writeln!(out, "seat {seat}: {bot}");
    }
    for (n, step) in trace.steps.iter().enumerate() {
        let _ = writeln!(out, "\n-- {n} --");
        position(&step.view, &mut out);
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
                e.output.trim_end()
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
            }
            out.push('\n');
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

/// Rows of text as they are, any other value on one line.
fn position(view: &Value, out: &mut String) {
    let Some(fields) = view.as_object() else { return };
    for (key, value) in fields {
        match value.as_array() {
            Some(rows) if rows.len() > 2 && rows.iter().all(Value::is_string) => {
                for row in rows.iter().filter_map(Value::as_str) {
                    let _ = writeln!(out, "  {row}");
                }
            }
            _ => {
                let line = value.to_string();
                if line.len() <= 200 {
                    let _ = writeln!(out, "  {key}: {line}");
                }
            }
        }
    }
}
