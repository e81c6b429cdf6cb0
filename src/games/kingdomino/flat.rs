//! Flat Monte Carlo: every action of the root gets the same number of greedy playouts over the same
//! draws; the best mean share of the points wins. The yardstick for the tree.

use super::playout::{greedy_playout, Deck};
use super::state::{Action, State};
use super::weights::Weights;
use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};
use crate::kit::rng::Rng;
use crate::search::game::Game;

/// The choice and what it rests on.
#[derive(Clone, Copy, Debug)]
pub struct Flat {
    /// The action with the best mean.
    pub action: Action,
    /// Its mean margin over the best other seat, in points.
    pub margin: f32,
    /// Playouts.
    pub playouts: u64,
}

struct Run<'a, const N: usize> {
    state: &'a State<N>,
    deck: Deck,
    weights: &'a Weights,
    limit: Limit,
    seed: u64,
}

impl<const N: usize> Kernel for Run<'_, N> {
    type Out = Flat;

    #[inline(always)]
    fn run<L: Level>(mut self) -> Flat {
        let (me, mut actions) = (self.state.mover(), Vec::new());
        self.state.moves(me, &mut actions);
        let mut rng = Rng::new(self.seed);
        let mut sums = vec![(0.0f32, 0u32); actions.len()];
        let mut playouts = 0;
        'time: while actions.len() > 1 {
            self.deck.shuffle(&mut rng);
            let draws = rng.next_u64();
            for (action, sum) in actions.iter().zip(&mut sums) {
                if playouts % 16 == 0 && self.limit.reached(playouts) {
                    break 'time;
                }
                let mut state = self.state.clone();
                state.play(*action);
                self.deck.rewind();
                greedy_playout::<L, N>(&mut state, &mut self.deck, self.weights, &mut Rng::new(draws));
                sum.0 += margin(&state, me);
                sum.1 += 1;
                playouts += 1;
            }
        }
        let mut best = (actions[0], f32::NEG_INFINITY);
        for (action, &(sum, n)) in actions.iter().zip(&sums) {
            if n > 0 && sum / n as f32 > best.1 {
                best = (*action, sum / n as f32);
            }
        }
        Flat {
            action: best.0,
            margin: best.1,
            playouts,
        }
    }
}

/// Own score minus the best other one.
#[inline(always)]
fn margin<const N: usize>(state: &State<N>, me: usize) -> f32 {
    let mut other = 0;
    for (seat, kingdom) in state.kingdoms.iter().enumerate() {
        if seat != me {
            other = other.max(kingdom.score());
        }
    }
    state.kingdoms[me].score() as f32 - other as f32
}

/// Searches for the mover. `deck` holds the undrawn tiles; work is counted in playouts.
pub fn search<const N: usize>(
    state: &State<N>,
    deck: Deck,
    weights: &Weights,
    limit: Limit,
    seed: u64,
) -> Flat {
    cpu::run(Run {
        state,
        deck,
        weights,
        limit,
        seed,
    })
}
