//! The exact threat rule of league 0 against full-width search.

use fifty::games::wondev::board::{Sq, NEAR};
use fifty::games::wondev::policy::threatens;
use fifty::games::wondev::state::{Flow, League, State};
use fifty::games::wondev::unshipped::setup::{start, Setup};
use fifty::kit::rng::Rng;
use fifty::search::game::Game;

/// Whether the mover wins within `plies`, however the other plays.
fn wins(state: &State, plies: u32) -> bool {
    plies > 0
        && state.legal().into_iter().any(|m| {
            let mut next = *state;
            next.play(m);
            if next.is_over() {
                return next.winner() == Some(state.mover());
            }
            let replies = next.legal();
            plies > 2
                && replies.into_iter().all(|r| {
                    let mut after = next;
                    after.play(r);
                    !after.is_over() && wins(&after, plies - 2)
                })
        })
}

/// Whether a unit could climb to the top at once.
fn climbs(state: &State, sq: Sq) -> bool {
    let tops = state.level(2) & !state.level(3) & !state.mask(0) & !state.mask(1);
    state.height(sq) >= 2 && NEAR[sq.index()] & tops != 0
}

#[test]
fn a_threat_that_is_called_won_is_won() {
    let (mut called, mut won) = (0, 0);
    for seed in 0..300 {
        let (mut state, _) = start(&Setup::new(League::Climb, Flow::Turn, seed));
        let mut rng = Rng::new(seed as u64);
        while !state.is_over() {
            let moves = state.legal();
            if moves.is_empty() {
                break;
            }
            let [own, foe] = [0, 1].map(|k| state.units(state.mover() ^ k)[0]);
            // The rule is asked where nobody can climb at once; of the rest a part is enough.
            if !climbs(&state, own) && !climbs(&state, foe) {
                let said = threatens(&state, own, foe);
                if said || (state.height(own) > 0 && rng.below(8) == 0) {
                    let truth = wins(&state, 3);
                    assert!(truth || !said, "seed {seed}: {state:?}");
                    called += u32::from(said);
                    won += u32::from(truth);
                }
            }
            // Mostly upwards, or nobody ever threatens.
            let mut m = moves[rng.below(moves.len() as u32) as usize];
            for _ in 0..3 {
                let other = moves[rng.below(moves.len() as u32) as usize];
                if state.height(other.first()) > state.height(m.first()) {
                    m = other;
                }
            }
            state.play(m);
        }
    }
    assert!(called > 60 && called <= won, "{called} of {won}");
}
