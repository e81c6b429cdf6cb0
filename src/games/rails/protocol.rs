//! The bot's half of the input: init block and turn block into a [`Map`] and a [`State`].
//!
//! Damaged input never stops it: a field that is no number or outside its range reads as a harmless value, missing
//! lines as empty ones; [`Reader::trouble`] says of every kind of line what was met first. Also infers what the input
//! does not say: the ink threshold and whether town regions are immune.
//!
//! # The protocol
//!
//! One process a game, 100 turns, both seats asked at once. Lines end with LF, words are parted by one blank. In, once,
//! before the first turn's block and without an answer of its own:
//!
//! ```text
//! my id                    0 or 1
//! width                    21 to 30
//! height                   14 to 20
//! region type              height x width lines, row by row; type 0 plains, 1 river, 2 mountain, 3 place of interest
//! number of towns
//! id x y wishes            a line a town by id from 0; wishes are ids as 1,2,4, or x for none
//! ```
//!
//! In, every turn, the same for both but for the order of the scores:
//!
//! ```text
//! my score
//! the other's score
//! owner instability inked pairs     height x width lines in the same order
//! ```
//!
//! Owner: -1 no track, 0 or 1 that seat's (never "mine"), 2 neutral. Instability and inked (0 or 1) are the region's.
//! Pairs: `x`, or the wishes `from-to` whose path leads over the cell, parted by commas and sorted as text (`1-0,10-2,2-3`).
//! x grows to the right, y down, from 0. All is as the last turn left it. No seat is shown the other's line.
//!
//! Out: one line of actions parted by `;`, within 1000 ms the first time and 50 ms later.
//!
//! | action | effect |
//! |---|---|
//! | `PLACE_TRACKS x y` | a track for 1 (plains), 2 (river) or 3 (mountain, place of interest) of the turn's 3 paint |
//! | `AUTOPLACE x1 y1 x2 y2` | tracks along a cheapest way, as far as the paint goes; one a line |
//! | `DISRUPT region` or `DISRUPT x y` | one instability more for a region without towns; one a turn |
//! | `MESSAGE text`, `WAIT` | nothing |
//!
//! Any case, exactly one blank between words, whole numbers without sign. A track needs a cell that is bare, no town and
//! not inked. A cell that both seats chose is neutral and paid by both. A region whose instability reaches 3 (4 in some
//! variants; it is not sent) is inked: its tracks go, and nothing is built there again. Then every wish whose towns are
//! linked by tracks of any owner pays each seat 1 for each of its tracks on the shortest way; ties go to the first of
//! north, east, south, west, seen from the town that wishes.
//!
//! End: after 100 turns, or once no wish can be linked any more; more points win. An action that is well formed but not
//! possible is passed over. Anything else, an empty line or no answer in time puts the seat out: what stands before it in
//! the line is still played, the game ends with that turn, and the seat's score is -1.

use super::cells::{Cell, MAX_HEIGHT, MAX_WIDTH};
use super::map::{Map, Rules, MAX_REGIONS, MAX_TOWNS};
use super::state::State;
use crate::kit::agent::read_line;
use core::ops::RangeInclusive;
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
    /// What was wrong with the input, if anything: a line for each kind that was not told before.
    pub trouble: Option<String>,
    told: Vec<&'static str>,
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
            told: Vec::new(),
            line: String::new(),
            turns: 0,
        }
    }

    fn complain(&mut self, wanted: &'static str) {
        if self.told.contains(&wanted) {
            return;
        }
        self.told.push(wanted);
        let met: String = self.line.chars().take(80).collect();
        let line = format!("expected {wanted}, got {met:?}");
        self.trouble = Some(match self.trouble.take() {
            Some(trouble) => format!("{trouble}\n{line}"),
            None => line,
        });
    }

    fn next(&mut self, input: &mut dyn BufRead) -> io::Result<bool> {
        read_line(input, &mut self.line)
    }

    /// The next line's one number; 0 for anything else.
    fn number(
        &mut self,
        input: &mut dyn BufRead,
        wanted: &'static str,
        range: RangeInclusive<i64>,
    ) -> io::Result<i64> {
        self.next(input)?;
        let [n] = self.fields(wanted, [range], 0);
        Ok(n.max(0))
    }

    /// Blank-separated whole numbers of the line, before so many other words; what is none counts as `-9`.
    fn fields<const N: usize>(
        &mut self,
        wanted: &'static str,
        ranges: [RangeInclusive<i64>; N],
        words: usize,
    ) -> [i64; N] {
        let mut out = [-9; N];
        let mut met = self.line.split_ascii_whitespace();
        let mut good = true;
        for (slot, range) in out.iter_mut().zip(ranges) {
            if let Some(Ok(n)) = met.next().map(str::parse) {
                *slot = n;
            }
            good &= range.contains(slot);
        }
        if met.count() != words || !good {
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
        let width = self.number(input, "a width of 1 to 30", 1..=MAX_WIDTH as i64)?;
        let height = self.number(input, "a height of 1 to 20", 1..=MAX_HEIGHT as i64)?;
        let width = width.clamp(0, MAX_WIDTH as i64) as usize;
        let height = height.clamp(0, MAX_HEIGHT as i64) as usize;
        let mut cells = Vec::with_capacity(width * height);
        for _ in 0..width * height {
            self.next(input)?;
            let ranges = [0..=MAX_REGIONS as i64 - 1, 0..=3];
            let [region, kind] = self.fields("region 0 to 63 and type 0 to 3", ranges, 0);
            cells.push((
                region.clamp(0, MAX_REGIONS as i64 - 1) as u8,
                kind.clamp(0, 3) as u8,
            ));
        }
        let most = MAX_TOWNS as i64;
        let count = self.number(input, "0 to 16 towns", 0..=most)?.clamp(0, 64);
        let mut towns = Vec::new();
        for id in 0..count {
            self.next(input)?;
            let ranges = [id..=id, 0..=width as i64 - 1, 0..=height as i64 - 1];
            let [_, x, y] = self.fields("town: id x y wishes", ranges, 1);
            let list = self.line.split_ascii_whitespace().nth(3).unwrap_or("x");
            let wish = |w: &str| w.parse().is_ok_and(|w: i64| (0..count).contains(&w) && w != id);
            if list != "x" && !list.split(',').all(wish) {
                self.complain("wishes: x, or ids of other towns");
            }
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
        let [mine] = self.fields("my score", [-1..=i64::from(u32::MAX)], 0);
        let foe = self.number(input, "the other score", -1..=i64::from(u32::MAX))?;
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
                let [owner, instability, inked] =
                    self.fields("owner instability inked pairs", [-1..=2, 0..=200, 0..=1], 1);
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
