//! The one-line form in which a bot may say what it thought: on stderr,
//! `think value=<0..1> depth=<n> nodes=<n> visits=<n> best=<move:visits:value,…> pv=<moves to the end of the line>`.
//!
//! Every field may be missing; the last such line of an answer counts. In `best`, `_` stands for a move's spaces, and `<`
//! in place of the visits says that a value after the first is a bound from above, as those of alpha-beta are
//! (`fifty::kit::think` writes it so).

use serde::Serialize;
use std::fmt::Write;

/// What one answer's search reported.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Think {
    /// Expected result for the bot itself, 0 to 1.
    pub value: Option<f64>,
    /// Plies looked ahead.
    pub depth: Option<u64>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Visits of the chosen move.
    pub visits: Option<u64>,
    /// Moves it looked at most, best first.
    pub best: Vec<Candidate>,
    /// Expected course, in the bot's own words.
    pub pv: String,
}

/// A move the search looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// In the bot's own words.
    pub answer: String,
    /// How often it was tried.
    pub visits: Option<u64>,
    /// Expected result of it, 0 to 1.
    pub value: Option<f64>,
    /// The value is a bound from above.
    pub bound: bool,
}

impl Candidate {
    /// The candidate in one line.
    pub fn line(&self) -> String {
        let mut line = self.answer.replace('_', " ");
        if let Some(visits) = self.visits {
            let _ = write!(line, " {visits}x");
        }
        if let Some(value) = self.value {
            let _ = write!(line, " {}{value:.3}", if self.bound { "<=" } else { "" });
        }
        line
    }
}

/// `move:visits:value` with commas between; a part that is missing is not known.
fn candidates(text: &str) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    for part in text.split(',') {
        let mut words = part.split(':');
        let Some(answer) = words.next().filter(|w| !w.is_empty()) else {
            continue;
        };
        let visits = words.next().unwrap_or_default();
        let value = words.next().and_then(|w| w.parse().ok());
        found.push(Candidate {
            answer: answer.to_owned(),
            visits: visits.parse().ok(),
            value: value.filter(|v: &f64| v.is_finite()),
            bound: visits == "<" && !found.is_empty(),
        });
    }
    found
}

/// The last `think` line of some stderr text.
pub fn parse(stderr: &str) -> Option<Think> {
    let line = stderr
        .lines()
        .rev()
        .find_map(|l| l.trim().strip_prefix("think "))?;
    let (fields, pv) = match line.find("pv=") {
        Some(at) => (&line[..at], line[at + 3..].trim().to_owned()),
        None => (line, String::new()),
    };
    let mut think = Think {
        pv,
        ..Think::default()
    };
    for field in fields.split_whitespace() {
        match field.split_once('=') {
            Some(("value", v)) => think.value = v.parse().ok().filter(|v: &f64| v.is_finite()),
            Some(("depth", v)) => think.depth = v.parse().ok(),
            Some(("nodes", v)) => think.nodes = v.parse().ok(),
            Some(("visits", v)) => think.visits = v.parse().ok(),
            Some(("best", v)) => think.best = candidates(v),
            _ => {}
        }
    }
    Some(think)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn fields_may_be_missing_and_the_last_line_counts() {
        assert_eq!(parse("warming up\n"), None);
        let think = parse("think value=0.1\nthink value=0.75 depth=7 junk nodes=x pv=E S; N W\n").unwrap();
        assert_eq!(
            (think.value, think.depth, think.nodes),
            (Some(0.75), Some(7), None)
        );
        assert_eq!(think.pv, "E S; N W");
        let best = parse("think best=4163:20:0.31,PASS pv=4163").unwrap().best;
        assert_eq!(
            (best[0].answer.as_str(), best[0].visits, best[0].value),
            ("4163", Some(20), Some(0.31))
        );
        assert_eq!((best[1].answer.as_str(), best[1].visits), ("PASS", None));
        let best = parse("think best=PUT_A1_3:<:0.5,:9:0.4,PUT_A2_3:<:0.25,x:y:z:1, pv=")
            .unwrap()
            .best;
        let lines: Vec<String> = best.iter().map(super::Candidate::line).collect();
        assert_eq!(lines, ["PUT A1 3 0.500", "PUT A2 3 <=0.250", "x"]);
    }
}
