//! The evaluation's factors in one position, for the fit of its weights. Nothing is decided here.

use crate::referee::Features;
use fifty::games::wondev::eval::{Counts, TERMS, counts, row, stage, terms};
use fifty::games::wondev::policy::Nets;
use fifty::games::wondev::state::{League, State};
use fifty::games::wondev::weights::Weights;
use fifty::kit::cpu::Plain;
use std::cell::RefCell;

thread_local! {
    /// The networks, that of league 0 ready for the last map.
    static NETS: RefCell<Nets> = RefCell::new(Nets::learned());
}

/// What a network adds for the player to move, while both live and meet.
fn network(state: &State, counts: &Counts) -> i32 {
    NETS.with_borrow_mut(|nets| {
        let stage = stage(state, &row(&Weights::DEFAULT, state.league(), state.cells()));
        nets.climb.face(state.cells());
        nets.added::<Plain>(state, counts, stage)
    })
}

/// Every count of `terms`, split by how full the board is between its two weights, in seat 0's view.
pub fn of(state: &State) -> Features {
    let (both, alone) = counts(state);
    let block = match state.league() {
        _ if alone => 3,
        League::Climb => 0,
        League::Points => 1,
        League::Push | League::Fog => 2,
    };
    let built: u32 = (0..4).map(|k| state.level(k).count_ones()).sum();
    let mut stage = f64::from(built) / f64::from(4 * state.cells().count_ones());
    if state.league() == League::Points {
        stage *= stage;
    }
    let sign = if state.mover() == 0 { 1.0 } else { -1.0 };
    let mut factors = Vec::with_capacity(2 * TERMS);
    for (k, &count) in terms(&both).iter().enumerate().filter(|(_, count)| **count != 0) {
        for (late, share) in [(0, 1.0 - stage), (1, stage)] {
            let name = Weights::LIST[2 * (block * TERMS + k) + late].name;
            factors.push((name, sign * f64::from(count) * share));
        }
    }
    let rest = if alone { 0.0 } else { sign * f64::from(network(state, &both)) };
    Features { rest, factors }
}

#[cfg(test)]
mod tests {
    use super::of;
    use fifty::games::wondev::policy::Opinion;
    use fifty::games::wondev::state::{Flow, League};
    use fifty::games::wondev::unshipped::setup::{Setup, start};
    use fifty::games::wondev::weights::Weights;
    use fifty::kit::cpu::Plain;
    use fifty::kit::rng::Rng;
    use fifty::search::game::Game;

    #[test]
    fn factors_times_weights_is_the_evaluation() {
        let weights = Weights::DEFAULT;
        let mut rng = Rng::new(4);
        for seed in 0..40 {
            let league = League::from_number(seed % 3).unwrap();
            let (mut state, _) = start(&Setup::new(league, Flow::Turn, seed as i64));
            let mut opinion = Opinion::new(weights.clone());
            opinion.face(&state);
            while !state.is_over() {
                if state.can_act() {
                    let features = of(&state);
                    let sum = (features.factors.iter())
                        .map(|(name, factor)| factor * weights.get(name).unwrap())
                        .sum::<f64>()
                        + features.rest;
                    let mine = if state.mover() == 0 { sum } else { -sum };
                    let exact = f64::from(opinion.worth::<Plain>(&state));
                    // The bot's stage is rounded down three times, to 1/4096 and where it is squared, and counts
                    // as often as the position is worth more on a full board than on an empty one.
                    let turn: f64 = (features.factors.chunks(2))
                        .map(|pair| {
                            let [early, late] = [0, 1].map(|k| weights.get(pair[k].0).unwrap());
                            (pair[0].1 + pair[1].1) * (late - early)
                        })
                        .sum();
                    let rounding = 1.0 + turn.abs() * 5.0 / 4096.0;
                    assert!(
                        (mine - exact).abs() < rounding.min(12.0),
                        "seed {seed}: {mine} is not {exact}"
                    );
                }
                let moves = state.legal();
                if moves.is_empty() {
                    state.die();
                } else {
                    state.play(moves[rng.below(moves.len() as u32) as usize]);
                }
            }
        }
    }
}
