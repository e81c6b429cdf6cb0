//! wondev's networks against their descriptions: from the numbers, that of league 0 cell by cell, without masks.

use fifty::games::wondev::board::Sq;
use fifty::games::wondev::eval::{counts, row, stage, terms, TERMS};
use fifty::games::wondev::learned::NETS;
use fifty::games::wondev::net::{self, AROUND, FIRST, HEIGHTS, HIDDEN, INPUTS, SECOND};
use fifty::games::wondev::policy::Nets;
use fifty::games::wondev::sides;
use fifty::games::wondev::state::{Flow, League, State};
use fifty::games::wondev::unshipped::setup::{start, Setup};
use fifty::games::wondev::weights::Weights;
use fifty::kit::cpu::{self, Kernel, Level, Plain};
use fifty::kit::packed::Numbers;
use fifty::kit::rng::Rng;
use fifty::search::game::Game;

/// Numbers of the text, some left out.
fn numbers(skip: usize, take: usize) -> Vec<i64> {
    let mut all = Numbers::new(NETS);
    (0..skip + take).map(|_| all.number().into()).skip(skip).collect()
}

/// All numbers of league 0, those of the first layer and the others. A row is told by what tells it from a third of those
/// west and north of it in the window, which has a centre only for the other unit's places.
fn climb() -> (Vec<i64>, Vec<i64>) {
    let mut first = numbers(0, net::NUMBERS);
    let rest = first.split_off(FIRST);
    let mut at = 0;
    for window in 0..6 * HEIGHTS {
        let mut rows = [[[0; HIDDEN]; 6]; 6];
        for (y, x) in (0..25).map(|k| (k / 5, k % 5)) {
            if window < 5 * HEIGHTS && (x, y) == (2, 2) {
                continue;
            }
            let row = &mut first[at..at + HIDDEN];
            for (i, n) in row.iter_mut().enumerate() {
                *n += (rows[y + 1][x][i] + rows[y][x + 1][i]) / 3;
            }
            rows[y + 1][x + 1].copy_from_slice(row);
            at += HIDDEN;
        }
    }
    assert_eq!(at, FIRST - HIDDEN);
    (first, rest)
}

/// Place of a cell in a window row by row without its centre; far away: as the centre, after the first half.
fn place(a: Sq, x: i32, y: i32) -> Option<usize> {
    let (dx, dy) = (x - i32::from(a.x()), y - i32::from(a.y()));
    let k = (5 * (dy + 2) + dx + 2) as usize;
    (dx.abs() <= 2 && dy.abs() <= 2 && k != 12).then_some(k)
}

/// What the unit on `a` sees.
fn accumulate(first: &[i64], state: &State, a: Sq, b: Sq) -> Vec<i64> {
    let height = state.height(a) as usize;
    let mut rows = Vec::new();
    for y in -3..10 {
        for x in -3..10 {
            let Some(k) = place(a, x, y) else { continue };
            let slot = k - usize::from(k > 12);
            let inside = (0..7).contains(&x) && (0..7).contains(&y);
            let sq = Sq::at((x & 7) as u8, (y & 7) as u8);
            if inside && state.cells() & sq.bit() != 0 {
                let levels = 0..state.height(sq) as usize;
                rows.extend(levels.map(|level| (height * 5 + level) * AROUND + slot));
            } else {
                rows.push((height * 5 + 4) * AROUND + slot);
            }
        }
    }
    let slot = place(a, b.x().into(), b.y().into()).unwrap_or(12);
    rows.push(HEIGHTS * 5 * AROUND + state.height(b) as usize * (AROUND + 1) + slot);
    let bias = &first[FIRST - HIDDEN..];
    (0..HIDDEN)
        .map(|i| bias[i] + rows.iter().map(|row| first[row * HIDDEN + i]).sum::<i64>())
        .collect()
}

fn reference(first: &[i64], rest: &[i64], state: &State, counts: &[i32; TERMS], share: i32) -> i64 {
    let [own, foe] = [0, 1].map(|k| state.units(state.mover() ^ k)[0]);
    let mut inputs = accumulate(first, state, own, foe);
    inputs.extend(accumulate(first, state, foe, own));
    for x in &mut inputs {
        *x = (*x).clamp(0, 64);
    }
    inputs.extend(counts.iter().map(|&t| 4 * i64::from(t)));
    inputs.push(i64::from(share >> 14));
    let (second, last) = rest.split_at(SECOND * INPUTS);
    let sums = second.chunks_exact(INPUTS).zip(last).map(|(line, weight)| {
        let sum: i64 = line.iter().zip(&inputs).map(|(w, x)| w * x).sum();
        (sum >> 8).clamp(0, 4095) * 4 * weight
    });
    (sums.sum::<i64>() + 256 * last[SECOND]) >> 13
}

/// Enough positions were compared, and values of some size were among them.
fn assert_varied(checked: usize, largest: i64) {
    let varied = checked > 500 && (100..20_000).contains(&largest);
    assert!(varied, "{checked} positions, the largest value {largest}");
}

#[test]
fn the_network_is_what_it_is_said_to_be() {
    let (first, rest) = climb();
    assert_eq!((first.len(), rest.len()), (FIRST, SECOND * (INPUTS + 1) + 1));
    let mut rng = Rng::new(11);
    let (mut checked, mut largest) = (0, 0);
    let mut net = Nets::learned().climb;
    for seed in 0..60 {
        let (mut state, _) = start(&Setup::new(League::Climb, Flow::Turn, seed));
        net.face(state.cells());
        let row = row(&Weights::DEFAULT, League::Climb, state.cells());
        while !state.is_over() {
            let moves = state.legal();
            if moves.is_empty() {
                break;
            }
            let (terms, share) = (terms(&counts(&state).0), stage(&state, &row));
            let want = reference(&first, &rest, &state, &terms, share);
            assert_eq!(
                i64::from(net.evaluate::<Plain>(&state, &terms, share)),
                want,
                "{state:?}"
            );
            largest = largest.max(want.abs());
            checked += 1;
            state.play(moves[rng.below(moves.len() as u32) as usize]);
        }
    }
    assert_varied(checked, largest);
}

/// What a network on both sides' counts adds, in plain numbers.
fn sides_reference(numbers: &[i64], counts: &[[i32; 26]; 2], share: i32) -> i64 {
    let mut inputs: Vec<i64> = counts.concat().iter().map(|&c| 4 * i64::from(c)).collect();
    inputs.push(i64::from(share >> 14));
    let mut sum = 256 * numbers[numbers.len() - 1];
    for k in 0..sides::HIDDEN {
        let line = &numbers[k * sides::INPUTS..(k + 1) * sides::INPUTS];
        let hidden: i64 = line.iter().zip(&inputs).map(|(w, x)| w * x).sum();
        sum += (hidden >> 8).clamp(0, 4095) * 4 * numbers[sides::HIDDEN * sides::INPUTS + k];
    }
    sum >> 13
}

/// A side's counts of what its units can do at once, unit by unit and cell by cell.
fn at_once(state: &State, player: usize) -> (Vec<i32>, i32, i32, i32) {
    let others: Vec<Sq> = (0..2)
        .flat_map(|p| state.units(p))
        .filter(|&sq| sq != Sq::NONE)
        .collect();
    let (mut steps, mut tight, mut stuck, mut pushes) = (vec![0; 4], 0, 0, 0);
    for sq in state.units(player).into_iter().filter(|&sq| sq != Sq::NONE) {
        let mut ways = 0;
        for to in (0..56).map(Sq).filter(|to| state.cells() & to.bit() != 0) {
            let near = sq.x().abs_diff(to.x()).max(sq.y().abs_diff(to.y())) == 1;
            let high = state.height(to) <= state.height(sq) + 1 && state.height(to) < 4;
            if near && high && !others.contains(&to) {
                ways += 1;
                steps[state.height(to) as usize] += 1;
            }
        }
        tight += i32::from(ways <= 1);
        stuck += i32::from(ways == 0);
    }
    let mut turn = *state;
    if turn.mover() != player {
        let [own, foe] = [0, 1].map(|p| turn.units(p));
        let level = [0, 1, 2, 3].map(|k| turn.level(k));
        turn = State::new(
            state.league(),
            Flow::Turn,
            state.cells(),
            level,
            [own, foe],
            player,
        );
    }
    turn.each_move(|m| pushes += i32::from(m.is_push()));
    (steps, tight, stuck, pushes)
}

#[test]
fn the_networks_on_counts_are_what_they_are_said_to_be() {
    let mut rng = Rng::new(12);
    let (mut checked, mut largest) = (0, 0);
    for seed in 0..40 {
        let league = [League::Points, League::Push][seed as usize % 2];
        let numbers = numbers(net::NUMBERS + seed as usize % 2 * sides::NUMBERS, sides::NUMBERS);
        let net = &Nets::learned().sides[seed as usize % 2];
        let (mut state, _) = start(&Setup::new(league, Flow::Turn, seed));
        let row = row(&Weights::DEFAULT, league, state.cells());
        while !state.is_over() {
            let moves = state.legal();
            if moves.is_empty() {
                break;
            }
            let (both, share) = (counts(&state).0, stage(&state, &row));
            let added = i64::from(net.evaluate::<Plain>(&both, share));
            assert_eq!(added, sides_reference(&numbers, &both, share), "{state:?}");
            for (side, counts) in both.iter().enumerate() {
                let (steps, tight, stuck, pushes) = at_once(&state, state.mover() ^ side);
                assert_eq!(counts[17..21], steps, "{state:?}");
                assert_eq!(
                    (counts[21], counts[24], counts[25]),
                    (tight, stuck, pushes),
                    "{state:?}"
                );
            }
            largest = largest.max(added.abs());
            checked += 1;
            state.play(moves[rng.below(moves.len() as u32) as usize]);
        }
    }
    assert_varied(checked, largest);
}

struct Products<'a>(&'a [([i16; 2], [[i16; 2]; 16])]);

impl Kernel for Products<'_> {
    type Out = [i32; 16];

    #[inline(always)]
    fn run<L: Level>(self) -> [i32; 16] {
        let mut sums = [0; 16];
        for (inputs, weights) in self.0 {
            L::add_products(&mut sums, *inputs, weights);
        }
        sums
    }
}

/// The machine's own level adds up the same as a loop over single products.
#[test]
fn products_do_not_depend_on_the_level() {
    let mut rng = Rng::new(7);
    let mut number = |most: u32| (rng.below(2 * most + 1) as i32 - most as i32) as i16;
    let pairs: Vec<([i16; 2], [[i16; 2]; 16])> = (0..24)
        .map(|_| {
            (
                [number(2000), number(2000)],
                [(); 16].map(|()| [number(8191), number(8191)]),
            )
        })
        .collect();
    let want: Vec<i32> = (0..16)
        .map(|k| {
            let products = |(x, w): &([i16; 2], [[i16; 2]; 16])| {
                i32::from(x[0]) * i32::from(w[k][0]) + i32::from(x[1]) * i32::from(w[k][1])
            };
            pairs.iter().map(products).sum()
        })
        .collect();
    assert_eq!(cpu::run(Products(&pairs)).to_vec(), want);
    assert_eq!(Products(&pairs).run::<Plain>().to_vec(), want);
}
