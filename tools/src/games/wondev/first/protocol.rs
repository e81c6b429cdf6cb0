//! Frozen. The bot's side of the protocol: what the judge sends, as masks and squares.
//!
//! Never panics and never waits for more lines than the input announces (at most [`MAX_ACTIONS`]
//! actions). Whatever does not fit is noted in [`View::odd`] and replaced by something harmless.

use super::board::Sq;
use super::state::{Flow, League, Move, State};
use fifty::kit::agent::read_line;
use std::io::{self, BufRead};

/// More announced actions than this are not believed; two units have at most 128 moves and 12 pushes.
const MAX_ACTIONS: usize = 256;

/// One turn as the judge shows it.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Cells of the grid.
    pub cells: u64,
    /// Cells of height at least 1, 2, 3, 4.
    pub level: [u64; 4],
    /// Own units; [`Sq::NONE`] where the league has one or the input was broken.
    pub own: [Sq; 2],
    /// Opponent's units; [`Sq::NONE`] where not seen.
    pub foe: [Sq; 2],
    /// Units each.
    pub units: usize,
    /// The legal actions, as text and as moves, in the judge's order.
    pub actions: Vec<(String, Move)>,
    /// What was met that does not belong there; empty if all was well.
    pub odd: String,
}

impl View {
    /// The position as far as it is seen, with the reader to move.
    pub fn state(&self, league: League) -> State {
        State::new(
            league,
            Flow::Turn,
            self.cells,
            self.level,
            [self.own, self.foe],
            0,
        )
    }

    /// What the input alone tells about the league.
    pub fn league(&self) -> League {
        let hidden = self.foe[..self.units.min(2)].contains(&Sq::NONE);
        match (self.units, hidden) {
            (2, true) => League::Fog,
            (2, false) => League::Push,
            _ => League::Climb,
        }
    }

    fn complain(&mut self, what: &str, line: &str) {
        if self.odd.is_empty() {
            let shown: String = line.chars().take(40).collect();
            self.odd = format!("{what}: {shown:?}");
        }
    }
}

/// Reads turn after turn.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// Size of the grid and units each, once read.
    init: Option<(Option<usize>, usize)>,
    /// A line read too early.
    kept: Option<String>,
}

impl Reader {
    fn line(&mut self, input: &mut dyn BufRead, line: &mut String) -> io::Result<bool> {
        if let Some(kept) = self.kept.take() {
            *line = kept;
            return Ok(true);
        }
        loop {
            if !read_line(input, line)? {
                return Ok(false);
            }
            if !line.trim().is_empty() {
                return Ok(true);
            }
        }
    }

    /// The next turn; `None` at the end of the input. `begin` is called once the first line is there.
    pub fn read(&mut self, input: &mut dyn BufRead, begin: &mut dyn FnMut()) -> io::Result<Option<View>> {
        let mut view = View {
            own: [Sq::NONE; 2],
            foe: [Sq::NONE; 2],
            ..View::default()
        };
        let mut line = String::new();
        // Left-over actions of a block whose count was broken do not start a turn.
        loop {
            if !self.line(input, &mut line)? {
                return Ok(None);
            }
            if !line.contains('&') {
                break;
            }
        }
        begin();
        if self.init.is_none() {
            let size = line.trim().parse().ok().filter(|n| (1..=7).contains(n));
            if size.is_none() {
                view.complain("size", &line);
            }
            let mut units = 1;
            if self.line(input, &mut line)? {
                match line.trim().parse() {
                    Ok(n @ 1..=2) => units = n,
                    _ => view.complain("units", &line),
                }
            }
            self.init = Some((size, units));
            if !self.line(input, &mut line)? {
                return Ok(Some(view));
            }
        }
        self.kept = Some(line);
        self.body(input, &mut view)?;
        Ok(Some(view))
    }

    fn body(&mut self, input: &mut dyn BufRead, view: &mut View) -> io::Result<()> {
        let (size, units) = self.init.unwrap_or((None, 1));
        view.units = units;
        let mut line = String::new();
        let mut y = 0;
        while y < size.unwrap_or(7) {
            if !self.line(input, &mut line)? {
                view.complain("the input ends", "");
                return Ok(());
            }
            if line.trim().contains(' ') {
                if size.is_some() {
                    view.complain("row", &line);
                }
                self.kept = Some(std::mem::take(&mut line));
                break;
            }
            if size.is_some_and(|n| line.trim().len() != n) {
                view.complain("row", &line);
            }
            for (x, c) in line.trim().bytes().take(7).enumerate() {
                let sq = Sq::at(x as u8, y as u8);
                match c {
                    b'0'..=b'4' => {
                        view.cells |= sq.bit();
                        for k in 0..usize::from(c - b'0') {
                            view.level[k] |= sq.bit();
                        }
                    }
                    b'.' => {}
                    _ => view.complain("row", &line),
                }
            }
            y += 1;
        }
        for k in 0..2 * units {
            if !self.line(input, &mut line)? {
                view.complain("the input ends", "");
                return Ok(());
            }
            let at = Self::square(&line);
            let mine = k < units;
            let known = at.is_some_and(|sq| sq == Sq::NONE || view.cells & sq.bit() != 0);
            if !known || (mine && at == Some(Sq::NONE)) {
                view.complain("unit", &line);
            }
            let at = at.filter(|_| known).unwrap_or(Sq::NONE);
            if mine {
                view.own[k] = at;
            } else {
                view.foe[k - units] = at;
            }
        }
        if !self.line(input, &mut line)? {
            view.complain("the input ends", "");
            return Ok(());
        }
        let count = line.trim().parse().unwrap_or(0);
        if line.trim().parse() != Ok(count) || count > MAX_ACTIONS {
            view.complain("count of actions", &line);
        }
        let state = view.state(League::Push);
        for _ in 0..count.min(MAX_ACTIONS) {
            if !self.line(input, &mut line)? {
                view.complain("the input ends", "");
                return Ok(());
            }
            match state.parse_action(&line) {
                Some(m) => view.actions.push((line.trim().to_owned(), m)),
                None => view.complain("action", &line),
            }
        }
        Ok(())
    }

    /// `x y`; [`Sq::NONE`] for negative numbers.
    fn square(line: &str) -> Option<Sq> {
        let mut words = line.split_ascii_whitespace();
        let x: i64 = words.next()?.parse().ok()?;
        let y: i64 = words.next()?.parse().ok()?;
        match (x, y) {
            (0..=6, 0..=6) => Some(Sq::at(x as u8, y as u8)),
            _ if x < 0 && y < 0 => Some(Sq::NONE),
            _ => None,
        }
    }
}
