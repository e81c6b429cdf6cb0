//! The slow oracle: connexion straight from the rules text, with strings, maps and whole recounts.

use std::collections::{BTreeMap, BTreeSet};

/// Placed tiles by label (`c5-`), as written (`R3`).
pub type Placed = BTreeMap<String, String>;

/// All labels that exist.
pub fn labels() -> Vec<String> {
    let missing = ["a1-", "a4-", "c3+", "c6+", "d1-", "d4-", "f3+", "f6+"];
    let mut out = Vec::new();
    for column in "abcdef".chars() {
        for row in 1..=6 {
            for sign in ["-", "+"] {
                let label = format!("{column}{row}{sign}");
                if !missing.contains(&label.as_str()) {
                    out.push(label);
                }
            }
        }
    }
    out
}

/// The cells a label touches, missing ones included (nothing is ever placed there).
fn touching(label: &str) -> Vec<String> {
    let text: Vec<char> = label.chars().collect();
    let left = (text[0] as u8 - 1) as char;
    let right = (text[0] as u8 + 1) as char;
    let row = text[1] as u8 - b'0';
    if text[2] == '-' {
        vec![
            format!("{}{}+", text[0], row),
            format!("{left}{row}+"),
            format!("{}{}+", text[0], row - 1),
        ]
    } else {
        vec![
            format!("{}{}-", text[0], row),
            format!("{right}{row}-"),
            format!("{}{}-", text[0], row + 1),
        ]
    }
}

/// Sum of squared group sizes; tiles are linked by their character number `which` (0 colour, 1 symbol).
fn score(placed: &Placed, which: usize) -> u64 {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut total = 0;
    for (start, tile) in placed {
        if seen.contains(start) {
            continue;
        }
        let class = tile.as_bytes()[which];
        let mut stack = vec![start.clone()];
        let mut size = 0;
        seen.insert(start.clone());
        while let Some(cell) = stack.pop() {
            size += 1;
            for next in touching(&cell) {
                if placed.get(&next).is_some_and(|t| t.as_bytes()[which] == class)
                    && seen.insert(next.clone())
                {
                    stack.push(next);
                }
            }
        }
        total += size * size;
    }
    total
}

/// `[FIRST, SECOND]`.
pub fn scores(placed: &Placed) -> [u64; 2] {
    [score(placed, 1), score(placed, 0)]
}

/// One game from two bags in draw order.
#[derive(Clone)]
pub struct Oracle {
    /// The board.
    pub placed: Placed,
    /// Hands in order of arrival.
    pub hands: [Vec<String>; 2],
    /// What is still in the bags, next tile first.
    pub bags: [Vec<String>; 2],
    /// Turns played.
    pub turn: usize,
}

impl Oracle {
    /// Five tiles each are drawn at once.
    pub fn new(bags: [Vec<String>; 2]) -> Self {
        let mut bags = bags;
        let hands = [bags[0].drain(..5).collect(), bags[1].drain(..5).collect()];
        Self {
            placed: Placed::new(),
            hands,
            bags,
            turn: 0,
        }
    }

    /// Plays and draws; gives the drawn tile or `X0`, or the reason of refusal.
    pub fn play(&mut self, cell: &str, tile: &str) -> Result<String, &'static str> {
        let player = self.turn % 2;
        if !labels().iter().any(|l| l == cell) {
            return Err("CELL PARSE FAILED");
        }
        if self.placed.contains_key(cell) {
            return Err("NOT EMPTY");
        }
        let Some(index) = self.hands[player].iter().position(|t| t == tile) else {
            return Err("NO TILE");
        };
        self.hands[player].remove(index);
        self.placed.insert(cell.into(), tile.into());
        self.turn += 1;
        if self.bags[player].is_empty() {
            return Ok("X0".into());
        }
        let drawn = self.bags[player].remove(0);
        self.hands[player].push(drawn.clone());
        Ok(drawn)
    }

    /// Number of different moves.
    pub fn moves(&self) -> usize {
        let kinds: BTreeSet<&String> = self.hands[self.turn % 2].iter().collect();
        kinds.len() * (64 - self.placed.len())
    }
}
