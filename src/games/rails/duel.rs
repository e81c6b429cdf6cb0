//! The whole game behind the search interface.
//!
//! A joint turn has millions of choices: [`Game::moves`] lists single orders only, one track beside existing rails, one
//! disruption, or nothing. What is played are whole turns, which [`super::search`] makes.

use super::cells::Cell;
use super::map::Map;
use super::state::{Plan, State};
use crate::kit::rng::Rng;
use crate::search::game::Game;
use std::sync::Arc;

/// One game with its map.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The board that never changes.
    pub map: Arc<Map>,
    /// The board that does.
    pub state: State,
}

impl Game<2> for Duel {
    type Move = Plan;
    const SIMULTANEOUS: bool = true;

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.state.is_over()
    }

    #[inline(always)]
    fn payoff(&self) -> [f32; 2] {
        match self.state.scores[0].cmp(&self.state.scores[1]) {
            core::cmp::Ordering::Greater => [1.0, 0.0],
            core::cmp::Ordering::Equal => [0.5, 0.5],
            core::cmp::Ordering::Less => [0.0, 1.0],
        }
    }

    #[inline(always)]
    fn to_move(&self) -> usize {
        0
    }

    #[inline(always)]
    fn moves(&self, _seat: usize, out: &mut Vec<Plan>) {
        out.push(Plan::WAIT);
        let beside = self.state.rails(&self.map).spread();
        for cell in beside.and(&self.state.buildable(&self.map)).iter() {
            out.push(Plan {
                cells: [cell, Cell::NONE, Cell::NONE],
                ..Plan::WAIT
            });
        }
        for region in 0..self.map.regions.len() as u8 {
            if self.state.disruptable(&self.map, region) {
                out.push(Plan { region, ..Plan::WAIT });
            }
        }
    }

    #[inline(always)]
    fn advance(&mut self, joint: &[Plan; 2], _rng: &mut Rng) {
        self.state.play(&self.map, joint);
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        self.state.mark() ^ u64::from(self.state.turn) << 56
    }
}
