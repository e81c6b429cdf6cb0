//! The position of a wondev game in any league, its moves, and what a move does to the board.
//!
//! Heights are kept as four masks ("at least 1" to "at least 4"), units as squares, so a position is one
//! cache line and is copied instead of undone. The flow of turns, deaths and ends is in
//! [`super::rules`]. Not here: what a player may see (the bot's side has [`super::fog`]).

use super::board::{push_targets, Dir, Sq, NEAR};
use crate::kit::bits::Bits;

/// Which rules are on: the number is the league's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum League {
    /// One unit each; the first to stand on height 3 wins.
    Climb = 0,
    /// One unit each; points for every step onto height 3.
    Points = 1,
    /// Two units each, PUSH&BUILD.
    Push = 2,
    /// As [`League::Push`], enemies seen only next to an own unit.
    Fog = 3,
}

impl League {
    /// By number.
    pub const fn from_number(n: u64) -> Option<Self> {
        Some(match n {
            0 => Self::Climb,
            1 => Self::Points,
            2 => Self::Push,
            3 => Self::Fog,
            _ => return None,
        })
    }

    /// Units of each player.
    #[inline(always)]
    pub const fn units(self) -> usize {
        1 + (self as usize >= 2) as usize
    }
}

/// When a climb ends a league 0 game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// At once.
    Turn,
    /// After both have moved.
    Round,
}

/// One action: a move with its build, a push, or giving up. Default is a filler that is never legal.
///
/// Bits: 15 defeat, 13 push, 12 unit, 6..12 first square, 0..6 second square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u16);

impl Move {
    /// ACCEPT-DEFEAT, or whatever a player without legal actions prints.
    pub const DEFEAT: Self = Self(1 << 15);

    /// Unit `unit` steps onto `to` and builds on `build`.
    #[inline(always)]
    pub const fn step(unit: usize, to: Sq, build: Sq) -> Self {
        Self(((unit as u16) << 12) | ((to.0 as u16) << 6) | build.0 as u16)
    }

    /// Unit `unit` pushes the enemy on `target` onto `dest`.
    #[inline(always)]
    pub const fn push(unit: usize, target: Sq, dest: Sq) -> Self {
        Self((1 << 13) | Self::step(unit, target, dest).0)
    }

    /// Giving up.
    #[inline(always)]
    pub const fn is_defeat(self) -> bool {
        self.0 & (1 << 15) != 0
    }

    /// PUSH&BUILD.
    #[inline(always)]
    pub const fn is_push(self) -> bool {
        self.0 & (1 << 13) != 0
    }

    /// Which own unit acts.
    #[inline(always)]
    pub const fn unit(self) -> usize {
        (self.0 >> 12) as usize & 1
    }

    /// Where it steps, or whom it pushes.
    #[inline(always)]
    pub const fn first(self) -> Sq {
        Sq((self.0 >> 6) as u8 & 63)
    }

    /// Where it builds, or where the enemy ends.
    #[inline(always)]
    pub const fn second(self) -> Sq {
        Sq(self.0 as u8 & 63)
    }
}

/// Zobrist keys: one per cell and reached height, one per player and square.
struct Keys {
    level: [[u64; 64]; 4],
    unit: [[u64; 64]; 2],
}

static KEYS: Keys = keys();

const fn keys() -> Keys {
    let mut out = Keys {
        level: [[0; 64]; 4],
        unit: [[0; 64]; 2],
    };
    let mut seed = 0x0F1F_7F03u64;
    let mut sq = 0;
    while sq < 64 {
        let mut k = 0;
        while k < 6 {
            // SplitMix64, as in kit::rng, which is not const.
            seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut key = seed;
            key = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            key = (key ^ (key >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            key ^= key >> 31;
            if k < 4 {
                out.level[k][sq] = key;
            } else if sq != Sq::NONE.index() {
                out.unit[k - 4][sq] = key;
            }
            k += 1;
        }
        sq += 1;
    }
    out
}

/// A position. Invariants: units stand on distinct cells lower than 4; absent units are [`Sq::NONE`];
/// `level[k]` holds the cells of height at least `k + 1`, each a subset of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub(super) cells: u64,
    pub(super) level: [u64; 4],
    pub(super) key: u64,
    pub(super) units: [[Sq; 2]; 2],
    pub(super) scores: [u8; 2],
    pub(super) mover: u8,
    /// Bit per player.
    pub(super) dead: u8,
    pub(super) rounds: u8,
    pub(super) over: bool,
    pub(super) league: League,
    pub(super) flow: Flow,
}

const _: () = assert!(size_of::<State>() <= 64);

impl State {
    /// A position at the start of a round with player `mover` to move and no points yet. Units that are
    /// [`Sq::NONE`] are absent; units must stand on cells, apart from each other.
    pub fn new(
        league: League,
        flow: Flow,
        cells: u64,
        level: [u64; 4],
        units: [[Sq; 2]; 2],
        mover: usize,
    ) -> Self {
        let mut state = Self {
            cells,
            level,
            key: 0,
            units,
            scores: [0; 2],
            mover: mover as u8,
            dead: 0,
            rounds: 0,
            over: false,
            league,
            flow,
        };
        state.key = state.key_from_scratch();
        state
    }

    /// Cells of the grid, removed ones included.
    #[inline(always)]
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// Cells at least `k + 1` high.
    #[inline(always)]
    pub fn level(&self, k: usize) -> u64 {
        self.level[k]
    }

    /// Height of a cell, 0 to 4.
    #[inline(always)]
    pub fn height(&self, sq: Sq) -> u32 {
        let [a, b, c, d] = self.level;
        let s = sq.index();
        ((a >> s & 1) + (b >> s & 1) + (c >> s & 1) + (d >> s & 1)) as u32
    }

    /// Squares of a player's units.
    #[inline(always)]
    pub fn units(&self, player: usize) -> [Sq; 2] {
        self.units[player & 1]
    }

    /// Points so far.
    #[inline(always)]
    pub fn points(&self, player: usize) -> u32 {
        u32::from(self.scores[player & 1])
    }

    /// Whether a player is out.
    #[inline(always)]
    pub fn is_dead(&self, player: usize) -> bool {
        self.dead >> player & 1 == 1
    }

    /// Completed rounds.
    #[inline(always)]
    pub fn rounds(&self) -> u32 {
        u32::from(self.rounds)
    }

    /// The rules in force.
    #[inline(always)]
    pub fn league(&self) -> League {
        self.league
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn mover(&self) -> usize {
        self.mover as usize & 1
    }

    /// Squares held by a player (plus the bit of [`Sq::NONE`]).
    #[inline(always)]
    pub fn mask(&self, player: usize) -> u64 {
        let [a, b] = self.units[player & 1];
        a.bit() | b.bit()
    }

    /// Squares within one step of a player's units.
    #[inline(always)]
    pub fn sight(&self, player: usize) -> u64 {
        let [a, b] = self.units[player & 1];
        let near = |sq: Sq| if sq == Sq::NONE { 0 } else { NEAR[sq.index()] };
        near(a) | near(b)
    }

    /// Cells a unit on `from` is high enough to step onto (removed cells excluded, units ignored).
    #[inline(always)]
    pub fn climbable(&self, from: Sq) -> u64 {
        let [one, two, three, four] = self.level;
        let s = from.index();
        let h1 = 0u64.wrapping_sub(one >> s & 1);
        let h2 = 0u64.wrapping_sub(two >> s & 1);
        (!two | (h1 & !three) | h2) & !four & self.cells
    }

    /// Calls `f` with every legal action of the mover, in no fixed order; nothing when it has none.
    #[inline(always)]
    pub fn each_move(&self, mut f: impl FnMut(Move)) {
        let me = self.mover();
        let own = self.mask(me);
        let foes = self.mask(1 - me);
        let seen = if self.league == League::Fog {
            foes & self.sight(me)
        } else {
            foes
        };
        let open = self.cells & !self.level[3];
        for (unit, &from) in self.units[me].iter().enumerate() {
            if from == Sq::NONE {
                continue;
            }
            let free = open & !(own ^ from.bit()) & !seen;
            let targets = NEAR[from.index()] & self.climbable(from) & !own & !foes;
            for to in Bits(targets) {
                let to = Sq(to as u8);
                for build in Bits(NEAR[to.index()] & free) {
                    f(Move::step(unit, to, Sq(build as u8)));
                }
            }
        }
        if self.league >= League::Push {
            for (unit, &from) in self.units[me].iter().enumerate() {
                for target in Bits(NEAR[from.index()] & foes & self.cells) {
                    let target = Sq(target as u8);
                    let fan = push_targets(from, target) & self.climbable(target) & !own & !seen;
                    for dest in Bits(fan) {
                        f(Move::push(unit, target, Sq(dest as u8)));
                    }
                }
            }
        }
    }

    /// Whether the mover has any legal action.
    #[inline(always)]
    pub fn can_act(&self) -> bool {
        let me = self.mover();
        let taken = self.mask(0) | self.mask(1);
        // A step always has a build: back onto the cell just left.
        for &from in &self.units[me] {
            if from != Sq::NONE && NEAR[from.index()] & self.climbable(from) & !taken != 0 {
                return true;
            }
        }
        let mut any = false;
        if self.league >= League::Push {
            self.each_move(|_| any = true);
        }
        any
    }

    /// The judge's list: legal actions in string order.
    pub fn legal(&self) -> Vec<Move> {
        let mut list = Vec::with_capacity(128);
        self.each_move(|m| list.push(m));
        list.sort_by_key(|&m| self.order(m));
        list
    }

    /// Sort key of an action: push after move, then unit, then directions in the judge's order.
    fn order(&self, m: Move) -> (bool, usize, Option<Dir>, Option<Dir>) {
        let from = self.units[self.mover()][m.unit()];
        (
            m.is_push(),
            m.unit(),
            Dir::between(from, m.first()),
            Dir::between(m.first(), m.second()),
        )
    }

    /// Whether the mover may play `m`: the rules asked one by one, without a list.
    pub fn is_legal(&self, m: Move) -> bool {
        let me = self.mover();
        let (from, to, last) = (self.units[me][m.unit()], m.first(), m.second());
        let near = |a: Sq, b: Sq| a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y())) == 1;
        if m.is_defeat() || from == Sq::NONE || !near(from, to) || !near(to, last) {
            return false;
        }
        let own = self.mask(me);
        let foes = self.mask(1 - me);
        let seen = if self.league == League::Fog {
            foes & self.sight(me)
        } else {
            foes
        };
        let open = |sq: Sq| self.cells & !self.level[3] & sq.bit() != 0;
        if m.is_push() {
            self.league >= League::Push
                && foes & self.cells & to.bit() != 0
                && open(last)
                && self.height(last) <= self.height(to) + 1
                && (own | seen) & last.bit() == 0
                && push_targets(from, to) & last.bit() != 0
        } else {
            open(to)
                && (own | foes) & to.bit() == 0
                && self.height(to) <= self.height(from) + 1
                && open(last)
                && ((own ^ from.bit()) | seen) & last.bit() == 0
        }
    }

    /// Moves a unit in place and key.
    #[inline(always)]
    pub(super) fn relocate(&mut self, player: usize, unit: usize, to: Sq) {
        let from = self.units[player][unit];
        self.units[player][unit] = to;
        self.key = self.key_moved(player, from, to);
    }

    /// The key with a unit elsewhere.
    #[inline(always)]
    pub(super) fn key_moved(&self, player: usize, from: Sq, to: Sq) -> u64 {
        self.key ^ KEYS.unit[player & 1][from.index()] ^ KEYS.unit[player & 1][to.index()]
    }

    /// What one level more on a cell changes in the key.
    #[inline(always)]
    pub(super) fn level_key(&self, sq: Sq) -> u64 {
        KEYS.level[self.height(sq) as usize & 3][sq.index()]
    }

    /// One level more on a cell lower than 4.
    #[inline(always)]
    pub(super) fn raise(&mut self, sq: Sq) {
        debug_assert!(self.height(sq) < 4 && self.cells & sq.bit() != 0);
        self.key ^= self.level_key(sq);
        let bit = sq.bit();
        let [one, two, three, _] = self.level;
        self.level[3] |= bit & three;
        self.level[2] |= bit & two;
        self.level[1] |= bit & one;
        self.level[0] |= bit;
    }

    /// Carries out a step or a push on the board; true when it climbs onto height 3.
    #[inline(always)]
    pub(super) fn act(&mut self, m: Move) -> bool {
        let me = self.mover();
        let (first, second) = (m.first(), m.second());
        // Only an enemy in the fog can be in the way of a legal action's second square.
        let blocked = self.league == League::Fog && self.mask(1 - me) & second.bit() != 0;
        if m.is_push() {
            if !blocked {
                let victim = usize::from(self.units[1 - me][1] == first);
                self.relocate(1 - me, victim, second);
                self.raise(first);
            }
            return false;
        }
        self.relocate(me, m.unit(), first);
        if !blocked {
            // The height that counts is the one stepped onto, before any build.
            self.raise(second);
        }
        self.level[2] & first.bit() != 0
    }

    /// The incremental key, computed anew.
    pub fn key_from_scratch(&self) -> u64 {
        // Map and rules are part of the position: tables may outlive a game, or a change of league.
        let mut key = (self.cells ^ (self.league as u64) << 60).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        for (keys, &mask) in KEYS.level.iter().zip(&self.level) {
            for sq in Bits(mask) {
                key ^= keys[sq as usize];
            }
        }
        for (keys, units) in KEYS.unit.iter().zip(&self.units) {
            for sq in units {
                key ^= keys[sq.index()];
            }
        }
        key
    }

    /// Key of board and rules (map, heights, units; own units are interchangeable).
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// An action in the judge's words.
    pub fn action(&self, m: Move) -> String {
        if m.is_defeat() {
            return "ACCEPT-DEFEAT".to_owned();
        }
        let from = self.units[self.mover()][m.unit()];
        let name = |a, b| Dir::between(a, b).map_or("?", Dir::name);
        format!(
            "{} {} {} {}",
            if m.is_push() { "PUSH&BUILD" } else { "MOVE&BUILD" },
            m.unit(),
            name(from, m.first()),
            name(m.first(), m.second())
        )
    }

    /// Reads an action of the mover in the judge's words; the squares need not make it legal.
    pub fn parse_action(&self, text: &str) -> Option<Move> {
        let mut words = text.split_ascii_whitespace();
        let push = match words.next()? {
            "MOVE&BUILD" => false,
            "PUSH&BUILD" => true,
            _ => return None,
        };
        let unit: usize = words.next()?.parse().ok()?;
        let from = *self.units[self.mover()].get(unit)?;
        let first = from.step(Dir::parse(words.next()?)?)?;
        let second = first.step(Dir::parse(words.next()?)?)?;
        (from != Sq::NONE).then(|| {
            if push {
                Move::push(unit, first, second)
            } else {
                Move::step(unit, first, second)
            }
        })
    }
}
