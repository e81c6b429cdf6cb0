//! A slice's result as a file: JSON, one value a line.
//!
//! First the head, then a line for every game or pair in the plan's order, last the end with the hash of all lines
//! before it. A file without its end, or with another hash, was damaged on its way.

use super::node::Node;
use super::plan::Head;
use crate::arena::carry::hash;
use crate::arena::result::GameResult;
use crate::outside::said::{Failure, Trouble};
use crate::tune::faults::Met;
use crate::tune::regression::Pair as Compared;
use crate::tune::store::Row;
use anyhow::{Context, anyhow};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// One of a plan's items, played.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A game, with its trace as a results file has it.
    Game(Box<GameResult>, Option<Vec<u8>>),
    /// A game that the outside referee failed: its place and why.
    Failed(usize, u64, Failure),
    /// A tuner's pair.
    Pair(Row),
    /// A pair of a program that is tuned.
    Duel(Met),
}

/// A slice, played.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// Of which run.
    pub head: Head,
    /// Which, from 1.
    pub number: usize,
    /// In the plan's order.
    pub items: Vec<Item>,
    /// Where.
    pub node: Node,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct Wrong {
    /// From 1.
    pub line: usize,
    /// What was expected.
    pub why: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    Slice(usize, Head),
    Game(Box<GameResult>, Option<String>),
    Failed {
        n: usize,
        seed: u64,
        trouble: Trouble,
        detail: String,
    },
    Pair {
        n: u64,
        opponent: String,
        x: Vec<f64>,
        signs: Vec<i8>,
        result: f64,
    },
    /// The first bot's score alone: all that files held before faults were kept.
    Duel(f64),
    Met(Met),
    End {
        items: usize,
        node: Node,
        hash: String,
    },
}

fn line_of(item: &Item) -> Line {
    match item {
        Item::Game(result, trace) => {
            Line::Game(result.clone(), trace.as_ref().map(|blob| STANDARD.encode(blob)))
        }
        Item::Failed(n, seed, failure) => Line::Failed {
            n: *n,
            seed: *seed,
            trouble: failure.trouble,
            detail: failure.detail.clone(),
        },
        Item::Duel(met) => Line::Met(met.clone()),
        Item::Pair(row) => Line::Pair {
            n: row.n,
            opponent: row.opponent.clone(),
            x: row.pair.x.clone(),
            signs: row.pair.signs.clone(),
            result: row.pair.result,
        },
    }
}

impl Slice {
    /// The file's text.
    pub fn text(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string(&Line::Slice(self.number, self.head.clone()))? + "\n";
        for item in &self.items {
            text += &(serde_json::to_string(&line_of(item))? + "\n");
        }
        let end = Line::End {
            items: self.items.len(),
            node: self.node.clone(),
            hash: hash(text.as_bytes()),
        };
        Ok(text + &serde_json::to_string(&end)? + "\n")
    }

    /// Reads and checks a file's bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Wrong> {
        let mut slice: Option<Self> = None;
        let mut before = 0;
        for (n, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let wrong = |why: String| Wrong { line: n + 1, why };
            let read: Line = serde_json::from_slice(line)
                .map_err(|error| wrong(format!("expected a line of a slice: {error}")))?;
            let item = match (read, &mut slice) {
                (Line::Slice(number, head), None) => {
                    if !head.bounds.windows(2).all(|two| two[0] < two[1])
                        || number == 0
                        || number >= head.bounds.len()
                    {
                        return Err(wrong(format!("slice {number} is none of the plan's")));
                    }
                    slice = Some(Self {
                        head,
                        number,
                        items: Vec::new(),
                        node: Node::default(),
                    });
                    None
                }
                (_, None) => return Err(wrong("expected the slice's head".to_owned())),
                (Line::Slice(..), Some(_)) => {
                    return Err(wrong("expected a game, found another head".to_owned()));
                }
                (Line::Game(result, trace), Some(_)) => {
                    let trace = trace.map(|text| STANDARD.decode(text)).transpose();
                    Some(Item::Game(
                        result,
                        trace.map_err(|error| wrong(format!("the trace: {error}")))?,
                    ))
                }
                (
                    Line::Failed {
                        n,
                        seed,
                        trouble,
                        detail,
                    },
                    Some(_),
                ) => Some(Item::Failed(n, seed, Failure::new(trouble, detail))),
                (Line::Duel(score), Some(_)) => Some(Item::Duel(Met {
                    score,
                    ..Met::default()
                })),
                (Line::Met(met), Some(_)) => Some(Item::Duel(met)),
                (
                    Line::Pair {
                        n,
                        opponent,
                        x,
                        signs,
                        result,
                    },
                    Some(_),
                ) => Some(Item::Pair(Row {
                    n,
                    opponent,
                    pair: Compared { x, signs, result },
                })),
                (
                    Line::End {
                        items,
                        node,
                        hash: noted,
                    },
                    Some(slice),
                ) => {
                    let asked = slice.head.items(slice.number).len();
                    if slice.items.len() != items || items != asked {
                        return Err(wrong(format!("{} of {asked} games are here", slice.items.len())));
                    }
                    if hash(&bytes[..before]) != noted {
                        return Err(wrong(
                            "the lines before it are not those that were written".to_owned(),
                        ));
                    }
                    if before + line.len() != bytes.len() {
                        return Err(Wrong {
                            line: n + 2,
                            why: "expected the end of the file".to_owned(),
                        });
                    }
                    slice.node = node;
                    return Ok(slice.clone());
                }
            };
            before += line.len();
            if let (Some(slice), Some(item)) = (&mut slice, item) {
                slice.items.push(item);
            }
        }
        Err(Wrong {
            line: bytes.split_inclusive(|byte| *byte == b'\n').count() + 1,
            why: "expected the slice's end: the file is cut off".to_owned(),
        })
    }

    /// Reads a file; what is wrong with it is said with its path and line.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        Self::parse(&bytes).map_err(|wrong| anyhow!("{} {wrong}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Item, Slice};
    use crate::arena::result::GameResult;
    use crate::batch::node::Node;
    use crate::batch::plan::Head;
    use crate::outside::said::{Failure, Trouble};

    #[test]
    fn what_is_damaged_is_found_with_its_line() {
        let game = |index| GameResult {
            index,
            scores: vec![1.0 / 3.0, 0.1 + 0.2],
            ..GameResult::default()
        };
        let slice = Slice {
            head: Head {
                plan: "0a".into(),
                kind: "play".into(),
                game: "wondev".into(),
                spec: serde_json::json!({"elo": [0.0, 30.0]}),
                bounds: vec![0, 2, 5],
                command: Vec::new(),
            },
            number: 2,
            items: vec![
                Item::Game(Box::new(game(2)), Some(vec![0, 255, 7])),
                Item::Failed(3, u64::MAX, Failure::new(Trouble::Hung, "no end")),
                Item::Game(Box::new(game(4)), None),
            ],
            node: Node::default(),
        };
        let text = slice.text().unwrap();
        assert_eq!(Slice::parse(text.as_bytes()).unwrap(), slice);
        let line = |text: &str| Slice::parse(text.as_bytes()).unwrap_err().line;
        assert_eq!(
            line(&text.replacen('4', "5", 1)),
            line(&text.replacen("0.3333", "0.3433", 1))
        );
        assert_eq!(line(&text.replacen("no end", "an end", 1)), 5);
        assert_eq!(line(&text.replacen("{\"failed", "{failed", 1)), 3);
        assert_eq!(line(""), 1);
        assert_eq!(line(&(text.clone() + "{}\n")), 6);
        // Wherever it is cut off, that is seen.
        for cut in (0..text.len() - 1).step_by(7) {
            assert!(Slice::parse(&text.as_bytes()[..cut]).is_err(), "{cut}");
        }
        let lines: Vec<&str> = text.lines().collect();
        let without = [&lines[..2], &lines[3..]].concat().join("\n") + "\n";
        assert_eq!(line(&without), 4);
    }
}
