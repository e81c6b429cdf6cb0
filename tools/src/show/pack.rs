//! Texts that follow each other with few changes (pictures of positions, what a judge sends turn by turn), as data: every
//! different piece once, and for each text what it changes in the one before.
//!
//! A picture's piece is an element from its opening tag to the next one, so that the n-th piece is the n-th element of the
//! picture; a message's piece is a line.

use serde_json::{Value, json};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::HashMap;

/// All pieces of a page.
#[derive(Default)]
pub struct Pieces {
    known: HashMap<String, usize>,
    list: Vec<String>,
}

/// Texts that follow each other.
#[derive(Clone, Default)]
pub struct Channel(Vec<usize>);

/// Elements of a picture, in order; together they are the text.
fn elements(svg: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = svg
        .match_indices('<')
        .map(|(at, _)| at)
        .filter(|at| !svg[at + 1..].starts_with('/'))
        .collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    let ends = starts.iter().copied().skip(1).chain([svg.len()]);
    starts.iter().zip(ends).map(|(&a, b)| &svg[a..b]).collect()
}

impl Pieces {
    fn number(&mut self, piece: &str) -> usize {
        if let Some(&n) = self.known.get(piece) {
            return n;
        }
        self.list.push(piece.to_owned());
        self.known.insert(piece.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }

    /// A picture as what it changes: `[place, removed, added…]` from the last change to the first.
    pub fn picture(&mut self, channel: &mut Channel, svg: &str) -> Value {
        let numbers = elements(svg)
            .into_iter()
            .map(|piece| self.number(piece))
            .collect();
        change(channel, numbers)
    }

    /// A message of lines as what it changes.
    pub fn message(&mut self, channel: &mut Channel, text: &str) -> Value {
        let numbers = text
            .split_inclusive('\n')
            .map(|piece| self.number(piece))
            .collect();
        change(channel, numbers)
    }

    /// All pieces by number.
    pub fn list(&self) -> &[String] {
        &self.list
    }
}

/// What turns the channel's text into `next`. Places are those of the old text, the last change first: they hold while the
/// changes are made.
fn change(channel: &mut Channel, next: Vec<usize>) -> Value {
    let ops = capture_diff_slices(Algorithm::Myers, &channel.0, &next);
    let mut changes: Vec<Value> = Vec::new();
    for op in ops.iter().rev() {
        let (old, new) = (op.old_range(), op.new_range());
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let mut numbers = vec![old.start, old.len()];
        numbers.extend(&next[new]);
        changes.push(json!(numbers));
    }
    channel.0 = next;
    json!(changes)
}

#[cfg(test)]
mod tests {
    use super::{Channel, Pieces, elements};
    use serde_json::Value;

    fn apply(text: &mut Vec<usize>, changes: &Value) {
        for change in changes.as_array().unwrap() {
            let n: Vec<usize> = change
                .as_array()
                .unwrap()
                .iter()
                .map(|v| v.as_u64().unwrap() as usize)
                .collect();
            text.splice(n[0]..n[0] + n[1], n[2..].iter().copied());
        }
    }

    #[test]
    fn texts_come_back_from_their_changes() {
        let texts = [
            "<svg><rect a/><text>1</text></svg>",
            "<svg><rect a/><circle><title>x</title></circle><text>2</text></svg>",
            "<svg><circle><title>x</title></circle><rect b/><text>2</text></svg>",
            "<svg></svg>",
        ];
        let (mut pieces, mut channel, mut text) = (Pieces::default(), Channel::default(), Vec::new());
        for svg in texts {
            let changes = pieces.picture(&mut channel, svg);
            apply(&mut text, &changes);
            let joined: String = text.iter().map(|&n| pieces.list()[n].as_str()).collect();
            assert_eq!(joined, svg);
        }
        assert_eq!(elements(texts[1]).len(), 5);
        let mut lines = Channel::default();
        let again = pieces.message(&mut lines, "a\nb\n");
        assert_eq!(
            again.to_string(),
            pieces.message(&mut Channel::default(), "a\nb\n").to_string()
        );
        assert_eq!(pieces.message(&mut lines, "a\nb\n"), serde_json::json!([]));
    }
}
