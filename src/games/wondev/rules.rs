//! The flow of a wondev game: turns, rounds, deaths, ends, results; and [`State`] as a search sees it.
//!
//! Points leagues: a death costs nothing but ends the game once the survivor leads. League 0: a death
//! or a climb decides. 200 rounds are a hard cap.

use super::state::{Flow, League, Move, State};
use crate::kit::cpu::{Kernel, Level};
use crate::kit::rng::Rng;
use crate::search::game::Game;

/// No game lasts longer.
pub const MAX_ROUNDS: u8 = 200;

impl State {
    /// Plays a legal action, or [`Move::DEFEAT`]: board, points, deaths, next mover, end.
    #[inline(always)]
    pub fn play(&mut self, m: Move) {
        debug_assert!(!self.over && (m.is_defeat() || self.is_legal(m)), "{m:?}");
        if m.is_defeat() {
            self.die();
            return;
        }
        if self.act(m) {
            self.scores[self.mover()] += 1;
            if self.league == League::Climb && self.flow == Flow::Turn {
                self.over = true;
                return;
            }
        }
        self.pass_turn();
    }

    /// Like [`State::play`] for an action from outside; the reason if it may not be played.
    pub fn try_play(&mut self, m: Move) -> Result<(), &'static str> {
        if self.over {
            return Err("the game is over");
        }
        if !m.is_defeat() && !self.is_legal(m) {
            return Err("not a legal action here");
        }
        self.play(m);
        Ok(())
    }

    /// The mover dies: by giving up, by an illegal answer, or by none.
    pub fn die(&mut self) {
        self.dead |= 1 << self.mover();
        if self.league == League::Climb {
            self.over = true;
        } else {
            self.end_if_settled();
        }
        if !self.over {
            self.pass_turn();
        }
    }

    /// Ends a points game when both are dead or the survivor leads.
    fn end_if_settled(&mut self) {
        self.over |= match self.dead {
            0b01 => self.scores[1] > self.scores[0],
            0b10 => self.scores[0] > self.scores[1],
            0b11 => true,
            _ => false,
        };
    }

    /// The hash after a legal action that neither scores nor ends anything; else another.
    #[inline(always)]
    pub fn hash_after(&self, m: Move) -> u64 {
        let me = self.mover();
        let (first, second) = (m.first(), m.second());
        let (player, from, to, raised) = if m.is_push() {
            (1 - me, first, second, first)
        } else {
            (me, self.units[me][m.unit()], first, second)
        };
        self.flow_key(self.mover ^ 1) ^ self.key_moved(player, from, to) ^ self.level_key(raised)
    }

    /// Whose turn it is, the lead and the deaths as a part of the hash.
    #[inline(always)]
    fn flow_key(&self, mover: u8) -> u64 {
        let lead = u64::from(self.scores[0].wrapping_sub(self.scores[1]));
        let flow = lead << 8 | u64::from(self.dead) << 2 | u64::from(mover) << 1 | u64::from(self.over);
        flow.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Hands the turn to the next living player, counting the rounds that end on the way.
    #[inline(always)]
    fn pass_turn(&mut self) {
        self.mover ^= 1;
        if self.mover == 0 {
            self.end_round();
        }
        if self.dead != 0 && !self.over && self.is_dead(self.mover()) {
            self.mover ^= 1;
            if self.mover == 0 {
                self.end_round();
            }
        }
    }

    #[inline(always)]
    fn end_round(&mut self) {
        self.rounds += 1;
        if self.rounds >= MAX_ROUNDS {
            self.over = true;
        }
        if self.league == League::Climb {
            self.over |= self.scores != [0, 0];
        } else if self.dead != 0 {
            self.end_if_settled();
        }
    }

    /// The judge's scores: points; in league 0 1 for a climb and -1 for a death.
    pub fn scores(&self) -> [i32; 2] {
        [0, 1].map(|p| {
            if self.league == League::Climb && self.is_dead(p) {
                -1
            } else {
                i32::from(self.scores[p])
            }
        })
    }

    /// Who has won, once the game is over; `None` is a draw.
    pub fn winner(&self) -> Option<usize> {
        let [a, b] = self.scores();
        (a != b).then_some(usize::from(b > a))
    }

    /// Sets the points and the deaths of a position that is put together from outside.
    #[must_use]
    pub fn with_past(mut self, scores: [u8; 2], dead: u8) -> Self {
        self.scores = scores;
        self.dead = dead & 3;
        self
    }
}

impl Game<2> for State {
    type Move = Move;

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.over
    }

    fn payoff(&self) -> [f32; 2] {
        match self.winner() {
            Some(0) => [1.0, 0.0],
            Some(_) => [0.0, 1.0],
            None => [0.5, 0.5],
        }
    }

    #[inline(always)]
    fn to_move(&self) -> usize {
        self.mover()
    }

    #[inline(always)]
    fn moves(&self, _seat: usize, out: &mut Vec<Move>) {
        self.each_move(|m| out.push(m));
        if out.is_empty() {
            out.push(Move::DEFEAT);
        }
    }

    #[inline(always)]
    fn advance(&mut self, joint: &[Move; 2], _rng: &mut Rng) {
        self.play(joint[self.mover()]);
    }

    /// Equal up to the numbering of own units, the round, and points other than their difference.
    #[inline(always)]
    fn hash(&self) -> u64 {
        self.key ^ self.flow_key(self.mover)
    }
}

/// Counts the positions `depth` plies below `state`, each of them made. A player without an action dies,
/// which is one ply; a finished game has no plies below it.
pub struct Perft {
    /// Where to start.
    pub state: State,
    /// Plies.
    pub depth: u32,
}

impl Kernel for Perft {
    type Out = u64;

    #[inline(always)]
    fn run<L: Level>(self) -> u64 {
        let Self { state, depth } = self;
        if depth == 0 {
            return 1;
        }
        if state.is_over() {
            return 0;
        }
        let mut nodes = 0;
        let mut stuck = true;
        state.each_move(|m| {
            stuck = false;
            let mut child = state;
            child.play(m);
            nodes += if depth == 1 {
                // Reads the made position, so that making it cannot be optimised away.
                u64::from(child.hash() != 0)
            } else {
                L::enter(Self {
                    state: child,
                    depth: depth - 1,
                })
            };
        });
        if stuck {
            let mut child = state;
            child.play(Move::DEFEAT);
            nodes += L::enter(Self {
                state: child,
                depth: depth - 1,
            });
        }
        nodes
    }
}
