//! What an outside referee printed, read: scores a line or JSON with ranks; and what is wrong with it, in words.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// Why a game has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Trouble {
    /// It did not end in its time.
    Hung,
    /// It could not be started, failed or was killed.
    Crashed,
    /// What it printed is no result.
    Nonsense,
    /// A result for another number of players.
    Players,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hung => "hung",
            Self::Crashed => "crashed",
            Self::Nonsense => "printed nonsense",
            Self::Players => "scored the wrong number of players",
        })
    }
}

/// A game that the referee failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the referee {trouble}: {detail}")]
pub struct Failure {
    /// Which kind.
    pub trouble: Trouble,
    /// What was met and what was expected.
    pub detail: String,
}

impl Failure {
    /// In words.
    pub fn new(trouble: Trouble, detail: impl Into<String>) -> Self {
        Self {
            trouble,
            detail: detail.into(),
        }
    }
}

/// A result as printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    /// More is better.
    pub scores: Vec<f64>,
    /// Who failed.
    pub faults: Vec<bool>,
}

impl Printed {
    /// Match points: the share of the others that a seat is ahead of, ties half.
    pub fn points(&self) -> Vec<f64> {
        let others = self.scores.len().saturating_sub(1).max(1) as f64;
        let ahead = |own: f64| {
            let each = self.scores.iter().map(|&other| match own.total_cmp(&other) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            });
            // Its own half is not one against others.
            (each.sum::<f64>() - 0.5) / others
        };
        self.scores.iter().map(|&score| ahead(score)).collect()
    }
}

/// At most so much of what was met is told.
fn short(text: &str) -> String {
    let mut line: String = text.trim().chars().take(120).collect();
    if line.chars().count() < text.trim().chars().count() {
        line.push('…');
    }
    format!("{line:?}")
}

/// Reads what was printed for `players`.
pub fn read(text: &str, players: usize) -> Result<Printed, Failure> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(Failure::new(
            Trouble::Nonsense,
            format!("expected {players} scores, met no output"),
        ));
    }
    if trimmed.starts_with('{') || trimmed.starts_with('[') {
        return json(trimmed, players);
    }
    let mut scores = Vec::new();
    let mut lines = trimmed.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines.by_ref().take(players) {
        // Several on one line, as a scanner would read them.
        for word in line.split_whitespace() {
            match word.parse::<f64>().ok().filter(|score| score.is_finite()) {
                Some(score) => scores.push(score),
                None if scores.is_empty() || line.contains('=') == line.contains(' ') => {
                    return Err(Failure::new(
                        Trouble::Nonsense,
                        format!("expected a score a line, met {}", short(line)),
                    ));
                }
                None => return Err(wrong(players, scores.len())),
            }
        }
    }
    // What follows is about the game; a number more is a score too many.
    let more = lines.take_while(|line| line.parse::<f64>().is_ok()).count();
    if scores.len() + more != players {
        return Err(wrong(players, scores.len() + more));
    }
    let faults = scores.iter().map(|score| *score < 0.0).collect();
    Ok(Printed { scores, faults })
}

fn wrong(players: usize, met: usize) -> Failure {
    Failure::new(Trouble::Players, format!("expected {players} scores, met {met}"))
}

/// psyleague's and cgarena's line: `ranks` (0 best) and `errors`, or `scores`; alone or the only one of a list.
fn json(text: &str, players: usize) -> Result<Printed, Failure> {
    let nonsense = |why: String| Failure::new(Trouble::Nonsense, why);
    let value: Value = serde_json::from_str(text)
        .map_err(|error| nonsense(format!("expected one JSON line, met {} ({error})", short(text))))?;
    let game = match &value {
        Value::Array(list) => match &list[..] {
            [game] => game,
            list => {
                return Err(nonsense(format!(
                    "expected the result of one game, met {}",
                    list.len()
                )));
            }
        },
        game => game,
    };
    let numbers = |key: &str| -> Option<Vec<f64>> {
        let read = |v: &Value| v.as_f64().or_else(|| v.as_bool().map(|b| f64::from(u8::from(b))));
        game[key].as_array()?.iter().map(read).collect()
    };
    let (ranks, errors) = (numbers("ranks"), numbers("errors"));
    let scores = numbers("scores").filter(|scores| !scores.is_empty());
    let Some(scores) =
        scores.or_else(|| Some(ranks?.iter().map(|rank| players as f64 - 1.0 - rank).collect()))
    else {
        return Err(nonsense(format!("expected ranks or scores, met {}", short(text))));
    };
    for list in [Some(&scores), errors.as_ref()].into_iter().flatten() {
        if list.len() != players {
            return Err(wrong(players, list.len()));
        }
    }
    let faults = match errors {
        Some(errors) => errors.iter().map(|errors| *errors > 0.0).collect(),
        None => scores.iter().map(|score| *score < 0.0).collect(),
    };
    Ok(Printed { scores, faults })
}

#[cfg(test)]
mod tests {
    use super::{Trouble, read};

    #[test]
    fn scores_and_lines_of_json_are_read() {
        let printed = read("12\n-1\nseed=7\n", 2).unwrap();
        assert_eq!(
            (printed.scores.as_slice(), printed.faults.as_slice()),
            (&[12.0, -1.0][..], &[false, true][..])
        );
        assert_eq!(printed.points(), [1.0, 0.0]);
        let four = read("5\n7\n5\n1\n", 4).unwrap().points();
        assert_eq!(four, [0.5, 1.0, 0.5, 0.0]);
        let line =
            r#"{"ranks": [1, 0, 1], "errors": [0, 0, 2], "test_data": {}, "player_data": [{}, {}, {}]}"#;
        let printed = read(line, 3).unwrap();
        assert_eq!(printed.points(), [0.25, 1.0, 0.25]);
        assert_eq!(printed.faults, [false, false, true]);
        assert_eq!(read(&format!("[{line}]"), 3).unwrap(), printed);
    }

    #[test]
    fn what_is_no_result_is_named() {
        for (text, trouble) in [
            ("", Trouble::Nonsense),
            ("Exception in thread main\n3\n", Trouble::Nonsense),
            ("nan\n1\n", Trouble::Nonsense),
            ("{\"ranks\": ", Trouble::Nonsense),
            ("{\"winner\": 1}", Trouble::Nonsense),
            ("[1, 2]", Trouble::Nonsense),
            ("1\n", Trouble::Players),
            ("1\n2\n3\n", Trouble::Players),
            ("1\nseed=7\n", Trouble::Players),
            ("{\"ranks\": [0, 1, 2], \"errors\": [0, 0, 0]}", Trouble::Players),
            ("{\"ranks\": [0, 1], \"errors\": [0]}", Trouble::Players),
        ] {
            let failure = read(text, 2).unwrap_err();
            assert_eq!(failure.trouble, trouble, "{text}: {failure}");
        }
    }
}
