//! The bot's side of the protocol: what the judge sends, as masks and squares.
//!
//! Never panics and never waits for more lines than the input announces (at most `MAX_ACTIONS`
//! actions). Whatever does not fit is noted in [`View::odd`] and replaced by something harmless.
//!
//! # The protocol
//!
//! One process a game, the seats by turns. Lines end with LF, words are parted by one blank. In, once, before the first
//! turn's block: `size` (5 to 7) and `units` each (1 or 2), a line each. In, every turn of the reader:
//!
//! ```text
//! size rows                size characters: 0 to 4 the height, 4 is out of play, . a hole
//! x y                      the reader's units by index, a line each
//! x y                      the other's; -1 -1 where it is not seen
//! number of actions
//! action                   the legal ones, a line each, sorted as text
//! ```
//!
//! x grows to the east, y to the south, from 0. League, points, seat and turn are never sent. An action is
//! `MOVE&BUILD index d1 d2` (step to d1, then build at d2 from there) or, with two units, `PUSH&BUILD index d1 d2` (the
//! enemy at d1 is pushed on to d2 and the cell it leaves is built on); directions are `N NE E SE S SW W NW`. A step goes up
//! by at most one, d2 of a push is d1 or beside it. In league 3 an enemy is seen by own units that touch it, and a build
//! or a push may fail on one that is not.
//!
//! Out: one action line, a message may follow it after a blank; or `ACCEPT-DEFEAT`, also where no action is legal, for the
//! judge asks all the same. Within 1000 ms the first time and 50 ms later.
//!
//! | league | units | aim |
//! |---|---|---|
//! | 0 | 1 | stand on height 3: that wins; who answers badly or cannot act loses |
//! | 1 | 1 | a point for each step onto height 3 |
//! | 2 | 2 | the same, with pushes |
//! | 3 | 2 | the same, and fog |
//!
//! A bad answer is one that is late, no action, or not legal: the seat dies and is not asked again. From league 1 on it
//! keeps its points and its units stay; the game ends when both are dead, or one is and the other has more points, at the
//! latest after 200 rounds. More points win.

use super::board::Sq;
use super::state::{Flow, League, Move, State};
use crate::kit::agent::read_line;
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
    /// Lines were passed over since the last turn: blank ones, or actions without a turn.
    pub passed: bool,
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
            self.passed = true;
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
            self.passed = true;
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
            let twice = view
                .own
                .iter()
                .chain(&view.foe)
                .any(|&sq| Some(sq) == at && sq != Sq::NONE);
            let known = at.is_some_and(|sq| sq == Sq::NONE || view.cells & sq.bit() != 0);
            let more = line.split_ascii_whitespace().count() != 2;
            if twice || more || !known || (mine && at == Some(Sq::NONE)) {
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
                Some(m) => {
                    let twice = view.actions.iter().any(|a| a.1 == m);
                    if twice || state.action(m) != line.trim() || !state.is_legal(m) {
                        view.complain("action", &line);
                    }
                    view.actions.push((line.trim().to_owned(), m));
                }
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

#[cfg(test)]
mod tests {
    use super::{Reader, View};
    use crate::games::wondev::board::Sq;
    use crate::games::wondev::state::League;

    const TURN: &str = "5\n2\n00000\n01234\n.0.0.\n00000\n00000\n0 0\n1 0\n-1 -1\n2 0\n2\n\
                        MOVE&BUILD 0 S N\nPUSH&BUILD 1 E E\n";

    fn views(text: &[u8]) -> Vec<View> {
        let mut reader = Reader::default();
        let mut input = text;
        let mut out = Vec::new();
        while let Some(view) = reader.read(&mut input, &mut || {}).unwrap() {
            out.push(view);
        }
        out
    }

    #[test]
    fn a_turn_is_read() {
        let crlf = TURN.replace('\n', "\r\n");
        for text in [TURN, &crlf] {
            let all = views(text.as_bytes());
            assert_eq!(all.len(), 1);
            let v = &all[0];
            assert_eq!(v.odd, "");
            assert_eq!((v.own, v.foe[1]), ([Sq::at(0, 0), Sq::at(1, 0)], Sq::at(2, 0)));
            assert_eq!((v.league(), v.cells.count_ones()), (League::Fog, 22));
            assert_eq!(v.level.map(u64::count_ones), [4, 3, 2, 1]);
            assert_eq!(v.actions.len(), 2);
            assert!(v.actions[1].1.is_push());
        }
    }

    #[test]
    fn every_cut_is_survived() {
        for end in 0..TURN.len() {
            let all = views(&TURN.as_bytes()[..end]);
            assert!(all.len() <= 1);
            if let Some(v) = all.first() {
                assert!(v.actions.len() <= 2);
            }
        }
    }

    #[test]
    fn absurd_input_is_named() {
        for (from, to) in [
            ("5\n2\n", "99999999999999999999\n2\n"),
            ("5\n2\n", "5\n-7\n"),
            ("01234", "01x34"),
            ("01234", "0123456789"),
            ("0 0\n", "9 9\n"),
            ("0 0\n", "zero zero\n"),
            ("0 0\n1 0\n", "0 0 0\n1 0\n"),
            ("0 0\n1 0\n", "0 0\n0 0\n"),
            ("-1 -1\n2 0\n", "2 0\n2 0\n"),
            ("2 0\n2\n", "2 0\n4000000000\n"),
            ("2 0\n2\n", "2 0\nmany\n"),
            ("2 0\n2\n", "2 0\n2 2\n"),
            ("MOVE&BUILD 0 S N", "MOVE&BUILD 7 UP DOWN"),
            ("MOVE&BUILD 0 S N", "MOVE&BUILD 0 S N N"),
            ("MOVE&BUILD 0 S N", "MOVE&BUILD 0 N S"),
            ("MOVE&BUILD 0 S N", "PUSH&BUILD 1 E E"),
            // Swapped: east of the unit is the other one.
            ("MOVE&BUILD 0 S N", "MOVE&BUILD 0 E W"),
            ("00000\n01234", "\u{0}\u{1}\n01234"),
        ] {
            let all = views(TURN.replace(from, to).as_bytes());
            assert_ne!(all[0].odd, "", "{to:?}");
        }
    }

    #[test]
    fn lines_passed_over_are_noted() {
        for (text, passed) in [
            (TURN.to_owned(), false),
            ("\n\n \n".to_owned(), true),
            (TURN.replace("2\nMOVE", "2\n\nMOVE"), true),
            ("MOVE&BUILD 0 S N\n".to_owned() + TURN, true),
        ] {
            let mut reader = Reader::default();
            let mut input = text.as_bytes();
            let _ = reader.read(&mut input, &mut || {}).unwrap();
            assert_eq!(reader.passed, passed, "{text:?}");
        }
    }

    #[test]
    fn noise_is_survived() {
        let mut rng = crate::kit::rng::Rng::new(5);
        for _ in 0..2_000 {
            let mut text = TURN.as_bytes().to_vec();
            for _ in 0..=rng.below(4) {
                let at = rng.below(text.len() as u32) as usize;
                match rng.below(3) {
                    0 => text[at] = rng.below(256) as u8,
                    1 => text.insert(at, b"\n 9-&0"[rng.below(6) as usize]),
                    _ => drop(text.remove(at)),
                }
            }
            for view in views(&text) {
                assert!(view.cells >> 56 == 0 && view.actions.len() <= super::MAX_ACTIONS);
            }
        }
    }
}
