//! wondev's bot: fog against the truth, legal answers in every league, garbage, proofs, repeatability.

use fifty::games::wondev::board::Sq;
use fifty::games::wondev::bot::Bot;
use fifty::games::wondev::eval::row;
use fifty::games::wondev::fog::Fog;
use fifty::games::wondev::protocol::View;
use fifty::games::wondev::search::Search;
use fifty::games::wondev::state::{Flow, League, Move, State};
use fifty::games::wondev::unshipped::setup::{start, Setup};
use fifty::games::wondev::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::{Budget, Limit};
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::{WIN, WON};
use fifty::search::game::Game;

const LEAGUES: [League; 4] = [League::Climb, League::Points, League::Push, League::Fog];

fn setup(league: League, seed: i64) -> Setup {
    Setup::new(league, if seed % 3 == 0 { Flow::Round } else { Flow::Turn }, seed)
}

/// What the mover is shown, as the judge would write it.
fn text(state: &State, size: u8, first: bool) -> String {
    let me = state.mover();
    let units = state.league().units();
    let mut out = String::new();
    if first {
        out += &[size.to_string(), units.to_string(), String::new()].join("\n");
    }
    for y in 0..size {
        for x in 0..size {
            let sq = Sq::at(x, y);
            out += &if state.cells() & sq.bit() == 0 {
                ".".to_owned()
            } else {
                state.height(sq).to_string()
            };
        }
        out += "\n";
    }
    for player in [me, 1 - me] {
        for sq in &state.units(player)[..units] {
            let hidden = player != me && state.league() == League::Fog && state.sight(me) & sq.bit() == 0;
            let line = if hidden {
                "-1 -1\n".to_owned()
            } else {
                format!("{} {}\n", sq.x(), sq.y())
            };
            out += &line;
        }
    }
    let legal = state.legal();
    out += &(legal.len().to_string() + "\n");
    for m in legal {
        out += &(state.action(m) + "\n");
    }
    out
}

/// What the mover is shown, as the reader would give it.
fn view(state: &State) -> View {
    let me = state.mover();
    let mut foe = state.units(1 - me);
    for sq in &mut foe {
        if state.sight(me) & sq.bit() == 0 {
            *sq = Sq::NONE;
        }
    }
    View {
        cells: state.cells(),
        level: [0, 1, 2, 3].map(|k| state.level(k)),
        own: state.units(me),
        foe,
        units: 2,
        actions: state.legal().into_iter().map(|m| (state.action(m), m)).collect(),
        odd: String::new(),
    }
}

/// Over 200 fog games the true squares are always among the candidates, for both players.
#[test]
fn the_truth_is_always_a_candidate() {
    let weights = row(&Weights::DEFAULT, League::Fog, 0x001f_1f1f_1f1f);
    let (mut checked, mut hidden, mut widest) = (0, 0, 0);
    for seed in 0..200 {
        let (mut state, _) = start(&setup(League::Fog, seed));
        let mut rng = Rng::new(seed as u64);
        let mut fogs = [Fog::default(), Fog::default()];
        let mut past: [Option<(State, Move)>; 2] = [None, None];
        // Some games are pushy: wandering units meet rarely.
        let pushy = seed % 2 == 1;
        while !state.is_over() {
            let me = state.mover();
            let seen = view(&state);
            match &past[me] {
                Some((before, played)) => fogs[me].observe(before, *played, &seen, &weights),
                None => fogs[me].begin(&seen),
            }
            let truth = state.units(1 - me);
            assert!(
                fogs[me].holds(truth),
                "seed {seed} round {} player {me}: {truth:?} is not among {} candidates",
                state.rounds(),
                fogs[me].pairs.len()
            );
            let guess = fogs[me].pairs.iter().find(|p| p.units == truth).unwrap();
            assert!(
                u32::from(guess.points) >= state.points(1 - me),
                "seed {seed}: points"
            );
            checked += 1;
            hidden += usize::from(seen.foe.contains(&Sq::NONE));
            widest = widest.max(fogs[me].pairs.len());
            let list = state.legal();
            let m = if list.is_empty() || rng.below(600) == 0 {
                Move::DEFEAT
            } else {
                let pushes: Vec<Move> = list.iter().copied().filter(|m| m.is_push()).collect();
                let pool = if pushy && !pushes.is_empty() {
                    &pushes
                } else {
                    &list
                };
                pool[rng.below(pool.len() as u32) as usize]
            };
            // Own side is seat 0 in what the bot remembers.
            past[me] = Some((seen.state(League::Fog), m));
            state.play(m);
        }
    }
    assert!(
        checked > 10_000 && hidden > 5_000 && widest > 300,
        "{checked} {hidden} {widest}"
    );
}

/// Where everything is shown, one candidate remains: squares and points are exact, and only a dead
/// enemy is taken for one.
#[test]
fn without_fog_nothing_is_guessed() {
    let weights = row(&Weights::DEFAULT, League::Push, 0x001f_1f1f_1f1f);
    for seed in 0..40 {
        let (mut state, _) = start(&setup(League::Push, seed));
        let mut rng = Rng::new(seed as u64);
        let mut fogs = [Fog::default(), Fog::default()];
        let mut past: [Option<(State, Move)>; 2] = [None, None];
        while !state.is_over() {
            let me = state.mover();
            let mut seen = view(&state);
            seen.foe = state.units(1 - me);
            match &past[me] {
                Some((before, played)) => {
                    fogs[me].observe(before, *played, &seen, &weights);
                    assert!(!fogs[me].idle || state.is_dead(1 - me), "seed {seed}");
                }
                None => fogs[me].begin(&seen),
            }
            let [only] = fogs[me].pairs[..] else {
                panic!("seed {seed}: {} candidates", fogs[me].pairs.len())
            };
            assert_eq!(only.units, state.units(1 - me));
            assert_eq!(u32::from(only.points), state.points(1 - me));
            let list = state.legal();
            let m = if list.is_empty() {
                Move::DEFEAT
            } else {
                list[rng.below(list.len() as u32) as usize]
            };
            past[me] = Some((seen.state(League::Fog), m));
            state.play(m);
        }
    }
}

/// Bots at fixed work play whole games: every answer legal, and the same again.
#[test]
fn answers_are_legal_and_repeatable() {
    for league in LEAGUES {
        for seed in 0..3 {
            let mut lines = [Vec::new(), Vec::new()];
            for log in &mut lines {
                let (mut state, size) = start(&setup(league, seed));
                let mut bots = [0, 1].map(|_| Bot::new(Budget::Work(400), Weights::DEFAULT, 0));
                let mut asked = [false; 2];
                while !state.is_over() {
                    let me = state.mover();
                    let first = !std::mem::replace(&mut asked[me], true);
                    let input = text(&state, size, first);
                    let mut out = Vec::new();
                    assert!(bots[me].turn(&mut input.as_bytes(), &mut out).unwrap());
                    let line = String::from_utf8(out).unwrap();
                    assert_eq!(line.matches('\n').count(), 1);
                    // Nothing is odd in what a judge writes.
                    assert!(bots[me].said().starts_with(b"think "));
                    let m = if state.can_act() {
                        let m = state.parse_action(&line).unwrap_or_else(|| panic!("{line:?}"));
                        assert!(state.is_legal(m), "{league:?} {seed}: {line}");
                        m
                    } else {
                        assert_eq!(line.trim(), "ACCEPT-DEFEAT");
                        Move::DEFEAT
                    };
                    log.push(line);
                    state.play(m);
                }
            }
            assert_eq!(lines[0], lines[1]);
        }
    }
}

#[test]
fn garbage_never_stops_the_bot() {
    let (state, size) = start(&setup(League::Fog, 4));
    let good = text(&state, size, true);
    let mut rng = Rng::new(9);
    for _ in 0..300 {
        let mut bytes = good.clone().into_bytes();
        for _ in 0..=rng.below(6) {
            let at = rng.below(bytes.len() as u32) as usize;
            match rng.below(4) {
                0 => bytes[at] = rng.below(256) as u8,
                1 => bytes.truncate(at.max(1)),
                2 => bytes.insert(at, b"\r\n 9-&4"[rng.below(7) as usize]),
                _ => drop(bytes.remove(at)),
            }
        }
        let mut bot = Bot::new(Budget::Work(50), Weights::DEFAULT, 0);
        let mut input = bytes.as_slice();
        for _ in 0..100 {
            let mut out = Vec::new();
            if !bot.turn(&mut input, &mut out).unwrap() {
                break;
            }
            assert_eq!(out.iter().filter(|&&b| b == b'\n').count(), 1);
            assert!(
                out.starts_with(b"MOVE&BUILD ")
                    || out.starts_with(b"PUSH&BUILD ")
                    || out == b"ACCEPT-DEFEAT\n"
            );
        }
    }
}

#[test]
fn blank_lines_alone_are_told() {
    let mut bot = Bot::new(Budget::Work(50), Weights::DEFAULT, 0);
    let mut out = Vec::new();
    assert!(!bot.turn(&mut &b"\n\n\n"[..], &mut out).unwrap());
    assert!(out.is_empty() && bot.said().starts_with(b"passed over lines"));
}

/// Exact value of league 0 within `depth` plies: 1 won, -1 lost, 0 open, by plain negamax.
fn negamax(state: &State, depth: u32) -> i32 {
    if state.is_over() {
        return if state.winner() == Some(state.mover()) {
            1
        } else {
            -1
        };
    }
    if depth == 0 {
        return 0;
    }
    let mut best = -1;
    let legal = state.legal();
    for m in &legal {
        let mut child = *state;
        child.play(*m);
        let value = if child.mover() == state.mover() {
            negamax(&child, depth - 1)
        } else {
            -negamax(&child, depth - 1)
        };
        best = best.max(value);
        if best == 1 {
            break;
        }
    }
    best
}

/// Proofs of league 0 on 400 mid-game positions are never wrong, and short ones are never missed.
#[test]
fn proofs_hold_against_plain_negamax() {
    let (mut wrong, mut proven, mut missed) = (0, 0, 0);
    let mut positions = 0;
    for seed in 0.. {
        if positions == 400 {
            break;
        }
        let (mut state, _) = start(&Setup {
            flow: Flow::Turn,
            ..setup(League::Climb, seed)
        });
        let mut rng = Rng::new(seed as u64);
        for _ in 0..10 + seed % 12 {
            if !state.is_over() && state.can_act() {
                let list = state.legal();
                // Climbers: random walkers seldom meet a threat.
                let up = list
                    .iter()
                    .copied()
                    .max_by_key(|m| (state.height(m.first()), rng.below(1000)));
                let m = if rng.below(3) == 0 {
                    list[rng.below(list.len() as u32) as usize]
                } else {
                    up.unwrap()
                };
                state.play(m);
            }
        }
        if state.is_over() || !state.can_act() {
            continue;
        }
        positions += 1;
        let mut search = Search::new(Weights::DEFAULT, 14);
        let report = search.think(&state, &state.legal(), Limit::work(3_000));
        let exact = negamax(&state, 3);
        let found = match report.value {
            v if v >= WON => 1,
            v if v <= -WON => -1,
            _ => 0,
        };
        missed += i32::from(exact != 0 && found == 0);
        wrong += i32::from(exact != 0 && found == -exact);
        if found != 0 {
            proven += 1;
            let plies = WIN - report.value.abs();
            if plies <= 4 && negamax(&state, plies as u32) != found {
                wrong += 1;
            }
        }
    }
    assert!(
        wrong == 0 && missed == 0 && proven > 40,
        "{wrong} wrong, {missed} missed, {proven} proven"
    );
}

/// Shares of the work that are none and a divisor of zero: nobody sets them, and they neither hang nor panic.
#[test]
fn a_search_with_senseless_weights_ends() {
    let text =
        "5\n1\n".to_owned() + &"22222\n".repeat(5) + "0 0\n4 4\n2\nMOVE&BUILD 0 E E\nMOVE&BUILD 0 S S\n";
    for share in [-1, 101, i32::MIN, i32::MAX] {
        let weights = Weights {
            prove_root: share,
            prove_best: share,
            forget: 0,
            ..Weights::DEFAULT
        };
        let mut bot = Bot::new(Budget::Work(5), weights, 0);
        let mut out = Vec::new();
        assert!(bot.turn(&mut text.as_bytes(), &mut out).unwrap());
        assert!(out.starts_with(b"MOVE&BUILD 0 "), "{share}");
    }
}
