//! A region that no opponent can enter: what the bot takes out of it at the clock's work, beside the most there is.

use fifty::games::wondev::board::{Sq, NEAR};
use fifty::games::wondev::search::Search;
use fifty::games::wondev::state::{Flow, League, State};
use fifty::games::wondev::weights::Weights;
use fifty::kit::bits::Bits;
use fifty::kit::clock::Limit;
use fifty::search::game::Game;
use std::collections::HashMap;

/// Nodes of an answer.
const WORK: u64 = 50_000;

/// Heights row by row, `.` for a hole.
fn board(rows: &[&str]) -> (u64, [u64; 4]) {
    let (mut cells, mut level) = (0, [0; 4]);
    for (y, row) in rows.iter().enumerate() {
        for (x, c) in row.chars().enumerate() {
            if let Some(height) = c.to_digit(10) {
                let bit = Sq::at(x as u8, y as u8).bit();
                cells |= bit;
                level[..height as usize].iter_mut().for_each(|mask| *mask |= bit);
            }
        }
    }
    (cells, level)
}

/// The most points of a unit that is alone with these levels, found by trying everything.
fn most(cells: u64, level: [u64; 4], at: Sq, known: &mut HashMap<([u64; 4], u8), u32>) -> u32 {
    if let Some(&points) = known.get(&(level, at.0)) {
        return points;
    }
    let height = |sq: Sq| (0..4).filter(|&k| level[k] & sq.bit() != 0).count();
    let mut best = 0;
    for to in Bits(NEAR[at.index()] & cells & !level[3]).map(|sq| Sq(sq as u8)) {
        if height(to) > height(at) + 1 {
            continue;
        }
        for built in Bits(NEAR[to.index()] & cells & !level[3]).map(|sq| Sq(sq as u8)) {
            let mut next = level;
            next[height(built)] |= built.bit();
            let points = u32::from(height(to) == 3) + most(cells, next, to, known);
            best = best.max(points);
        }
    }
    known.insert((level, at.0), best);
    best
}

/// Leading 8:0 in a small region beside a larger one: the bot plays both sides to the end and finds every climb that its
/// region has. Without a count of them it found 12 of 15, and lost the first 20:21.
#[test]
fn a_sealed_region_is_used_up() {
    for (rows, wins) in [
        (["12.000", "21.000", "01.00."], true),
        (["22.000", "13.000", "02.00."], false),
    ] {
        let (cells, level) = board(&rows);
        let (own, foe) = (Sq::at(0, 0), Sq::at(4, 1));
        let own_cells = cells & 0x0003_0303;
        let own_level = level.map(|mask| mask & own_cells);
        let there_are = most(own_cells, own_level, own, &mut HashMap::new());
        let units = [[own, Sq::NONE], [foe, Sq::NONE]];
        let mut state = State::new(League::Points, Flow::Turn, cells, level, units, 0).with_past([8, 0], 0);
        let mut searches = [0, 1].map(|_| Search::new(Weights::DEFAULT, 18));
        while !state.is_over() {
            let moves = state.legal();
            if moves.is_empty() {
                state.die();
                continue;
            }
            let report = searches[state.mover()].think(&state, &moves, Limit::work(WORK));
            state.play(report.best.unwrap());
        }
        assert_eq!(state.points(0), 8 + there_are, "{rows:?}: {:?}", state.scores());
        assert_eq!(state.winner() == Some(0), wins, "{rows:?}: {:?}", state.scores());
    }
}
