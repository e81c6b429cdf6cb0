//! The one-line form in which a bot may say what it thought: on stderr,
//! `think value=<0..1> depth=<n> nodes=<n> visits=<n> pv=<moves to the end of the line>`.
//!
//! Every field may be missing; the last such line of an answer counts.

use serde::Serialize;

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
    /// Expected course, in the bot's own words.
    pub pv: String,
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
    }
}
