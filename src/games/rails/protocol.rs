//! The bot's half of the input: init block and turn block into a [`Map`] and a [`State`].
//!
//! Damaged input never stops it: a field that is no number reads as a harmless value, missing lines as
//! empty ones; [`Reader::trouble`] says what was met first. Also infers what the input does not say: the
//! ink threshold and whether town regions are immune.

use super::cells::{Cell, MAX_HEIGHT, MAX_WIDTH};
use super::map::{Map, Rules, MAX_REGIONS};
use super::state::State;
use crate::kit::agent::read_line;
use std::io::{self, BufRead};
use std::sync::Arc;

/// Reads blocks; remembers the map and what was learnt about the rules.
#[derive(Debug)]
pub struct Reader {
    /// My seat.
    pub seat: usize,
    /// Map with the rules as inferred so far.
    pub map: Arc<Map>,
    /// The position before this turn.
    pub state: State,
    /// What was wrong with the input, if anything.
    pub trouble: Option<String>,
    line: String,
    turns: u8,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// A reader that has seen nothing.
    pub fn new() -> Self {
        let rules = Rules {
            ink_threshold: 3,
            town_regions_disruptable: false,
        };
        Self {
            seat: 0,
            map: Arc::new(Map::new((0, 0), &[], &[], rules)),
            state: State::new(),
            trouble: None,
            line: String::new(),
            turns: 0,
        }
    }

    fn complain(&mut self, wanted: &str) {
        if self.trouble.is_none() {
            self.trouble = Some(format!("expected {wanted}, got {:?}", self.line));
        }
    }

    fn next(&mut self, input: &mut dyn BufRead) -> io::Result<bool> {
        read_line(input, &mut self.line)
    }

    fn number(&mut self, input: &mut dyn BufRead, wanted: &str) -> io::Result<i64> {
        self.next(input)?;
        if let Ok(n) = self.line.trim().parse() {
            return Ok(n);
        }
        self.complain(wanted);
        Ok(0)
    }

    /// Blank-separated whole numbers of the line; what is none counts as `-9`.
    fn fields<const N: usize>(&mut self, wanted: &str) -> [i64; N] {
        let mut out = [-9; N];
        let mut good = 0;
        for (slot, word) in out.iter_mut().zip(self.line.split_ascii_whitespace()) {
            if let Ok(n) = word.parse() {
                *slot = n;
                good += 1;
            }
        }
        if good < N {
            self.complain(wanted);
        }
        out
    }

    /// Reads the block sent once. `started` is called when its first line is there. `Ok(false)` at the end
    /// of the input.
    pub fn init(&mut self, input: &mut dyn BufRead, started: impl FnOnce()) -> io::Result<bool> {
        if !self.next(input)? {
            return Ok(false);
        }
        started();
        match self.line.trim() {
            "0" => self.seat = 0,
            "1" => self.seat = 1,
            _ => self.complain("my id, 0 or 1"),
        }
        let width = self.number(input, "the width")?;
        let height = self.number(input, "the height")?;
        if !(1..=MAX_WIDTH as i64).contains(&width) || !(1..=MAX_HEIGHT as i64).contains(&height) {
            self.complain("a grid of at most 30 x 20");
        }
        let width = width.clamp(0, MAX_WIDTH as i64) as usize;
        let height = height.clamp(0, MAX_HEIGHT as i64) as usize;
        let mut cells = Vec::with_capacity(width * height);
        for _ in 0..width * height {
            self.next(input)?;
            let [region, kind] = self.fields("region and type");
            cells.push((
                region.clamp(0, MAX_REGIONS as i64 - 1) as u8,
                kind.clamp(0, 3) as u8,
            ));
        }
        let count = self.number(input, "the number of towns")?.clamp(0, 64);
        let mut towns = Vec::new();
        for _ in 0..count {
            self.next(input)?;
            let [_, x, y] = self.fields("town: id x y wishes");
            let list = self.line.split_ascii_whitespace().nth(3).unwrap_or("x");
            let wishes = list.split(',').filter_map(|w| w.parse().ok()).collect();
            towns.push((x.max(0) as usize, y.max(0) as usize, wishes));
        }
        self.map = Arc::new(Map::new((width, height), &cells, &towns, self.map.rules));
        Ok(true)
    }

    /// Reads one turn's block into `state`. `Ok(false)` at the end of the input.
    pub fn turn(&mut self, input: &mut dyn BufRead, started: impl FnOnce()) -> io::Result<bool> {
        if !self.next(input)? {
            return Ok(false);
        }
        started();
        let mine = self.fields::<1>("my score")[0];
        let foe = self.number(input, "the other score")?;
        let mut state = State::new();
        state.turn = self.turns.min(99);
        self.turns = self.turns.saturating_add(1);
        state.scores[self.seat] = mine.max(0) as u32;
        state.scores[1 - self.seat] = foe.max(0) as u32;
        for y in 0..self.map.height {
            for x in 0..self.map.width {
                if !self.next(input)? {
                    self.complain("a cell line");
                    return Ok(false);
                }
                let cell = Cell::new(x, y);
                let [owner, instability, inked] = self.fields("owner instability inked pairs");
                for seat in 0..2 {
                    if owner == seat as i64 || owner == 2 {
                        state.tracks[seat].insert(cell);
                    }
                }
                let region = usize::from(self.map.region[cell.index()]) % MAX_REGIONS;
                state.instability[region] = instability.clamp(0, 200) as u8;
                state.inked |= u64::from(inked == 1) << region;
            }
        }
        state.closed = self.map.cells_of(state.inked);
        self.infer(&state);
        state.refresh(&self.map);
        // A state that is over has no moves to search; the judge asks, so it is not.
        state.stuck = false;
        self.state = state;
        Ok(true)
    }

    /// A region at the threshold that is not inked proves a higher one; an inked region below it proves a
    /// lower one. A hit in a town's region ends their immunity for good.
    fn infer(&mut self, state: &State) {
        let mut rules = self.map.rules;
        for region in 0..self.map.regions.len() {
            let hits = state.instability[region];
            if state.inked >> region & 1 == 0 {
                if hits >= rules.ink_threshold {
                    rules.ink_threshold = hits + 1;
                }
            } else if hits < rules.ink_threshold && hits > 0 {
                rules.ink_threshold = hits;
            }
            if hits > 0 && self.map.town_regions >> region & 1 != 0 {
                rules.town_regions_disruptable = true;
            }
        }
        if rules != self.map.rules {
            Arc::make_mut(&mut self.map).rules = rules;
        }
    }
}
