//! The whole game behind the search interface, with turns cut down to single orders.
//!
//! A joint turn has millions of choices; this face offers each seat one track beside existing rails, one
//! disruption, or nothing. Searches that want whole turns make their own [`Plan`]s.

use crate::games::rails::cells::Cell;
use crate::games::rails::map::Map;
use crate::games::rails::state::{Plan, State};
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

    fn is_over(&self) -> bool {
        self.state.is_over()
    }

    fn payoff(&self) -> [f32; 2] {
        match self.state.scores[0].cmp(&self.state.scores[1]) {
            core::cmp::Ordering::Greater => [1.0, 0.0],
            core::cmp::Ordering::Equal => [0.5, 0.5],
            core::cmp::Ordering::Less => [0.0, 1.0],
        }
    }

    fn to_move(&self) -> usize {
        0
    }

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

    fn advance(&mut self, joint: &[Plan; 2], _rng: &mut Rng) {
        self.state.play(&self.map, joint);
    }

    fn hash(&self) -> u64 {
        self.state.mark() ^ u64::from(self.state.turn) << 56
    }
}
