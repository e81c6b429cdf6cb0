//! connexion's bot: exact endings against plain negamax, whole games through the protocol, nonsense.

use fifty::games::connexion::bot::Bot;
use fifty::games::connexion::decide::Thinker;
use fifty::games::connexion::protocol::{Tracker, Wants};
use fifty::games::connexion::state::{shuffled, Move, State, TURNS};
use fifty::games::connexion::tiles::{Kind, Tiles};
use fifty::games::connexion::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::{Budget, Limit};
use fifty::kit::rng::Rng;

/// The whole truth, without any pruning; only where at most one tile is left in each bag.
fn negamax(state: &State) -> i32 {
    let seat = state.mover();
    if state.turn == TURNS {
        return if seat == 0 { 1 } else { -1 } * state.board.margin();
    }
    let mut best = i32::MIN;
    for mv in state.legal(seat) {
        let mut next = state.clone();
        next.play(mv);
        if let Some(kind) = next.bags[seat].kinds().next() {
            next.draw(seat, kind);
        }
        best = best.max(-negamax(&next));
    }
    best
}

/// A random game until `empty` cells are left, half of the tiles placed where they link most.
fn late(seed: u64, empty: u8) -> State {
    let mut rng = Rng::new(seed);
    let mut state = State::deal(&mut rng);
    while state.turn < TURNS - empty {
        let seat = state.mover();
        let mut moves: Vec<Move> = state.legal(seat).collect();
        rng.shuffle(&mut moves);
        let links = |m: &Move| {
            state.board.gain(0, m.kind.symbol(), m.cell) + state.board.gain(1, m.kind.colour(), m.cell)
        };
        let mv = if rng.below(2) == 0 {
            moves[0]
        } else {
            moves.iter().copied().max_by_key(links).unwrap()
        };
        state.advance_random(mv, &mut rng);
    }
    state
}

#[test]
fn solved_endings_are_the_truth() {
    for (empty, positions) in [(1, 40), (2, 100), (3, 200), (4, 150), (5, 60)] {
        for seed in 0..positions {
            let state = late(seed * 8 + u64::from(empty), empty);
            let mut thinker = Thinker::new(Weights::DEFAULT, 1);
            let choice = thinker.solve(&state, Limit::work(u64::MAX)).unwrap();
            let want = negamax(&state);
            assert_eq!(choice.margin as i32, want, "{empty} empty, seed {seed}");
            let listed = thinker.candidates(choice);
            assert_eq!(listed[0], (choice.mv, choice.margin));
            assert!(listed.iter().all(|l| l.1 <= choice.margin));
            let mut next = state.clone();
            next.play(choice.mv);
            assert_eq!(-negamax(&next), want, "{empty} empty, seed {seed}: the move");
        }
    }
}

#[test]
fn hidden_draws_are_not_solved_and_open_ones_are() {
    let mut thinker = Thinker::new(Weights::DEFAULT, 1);
    assert!(thinker.solve(&late(1, 16), Limit::work(1_000)).is_none());
    assert!(thinker.solve(&late(2, 6), Limit::work(u64::MAX)).unwrap().exact);
    assert!(
        thinker.solve(&late(3, 10), Limit::work(1_000)).is_none(),
        "stopped by its limit"
    );
}

fn speak(bot: &mut Bot, line: &str) -> String {
    let mut out = Vec::new();
    bot.turn(&mut line.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// One game of the bot against itself through the protocol; all placements.
fn game(budget: Budget, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let bags = [shuffled(Tiles::OWNED, &mut rng), shuffled(Tiles::OWNED, &mut rng)];
    let text = |kinds: &[Kind]| kinds.iter().map(Kind::to_string).collect::<Vec<_>>().join(" ");
    let mut bots = [0, 1].map(|_| Bot::new(budget, Weights::DEFAULT, 1));
    let mut watcher = Tracker::default();
    watcher.line("READY FIRST").unwrap();
    for (seat, name) in ["FIRST", "SECOND"].iter().enumerate() {
        assert_eq!(speak(&mut bots[seat], &format!("READY {name}\n")), "OK\n");
        let line = format!("INIT {} {}\n", text(&bags[seat][..5]), text(&bags[1 - seat][..5]));
        assert_eq!(speak(&mut bots[seat], &line), "");
    }
    watcher
        .line(&format!("INIT {} {}", text(&bags[0][..5]), text(&bags[1][..5])))
        .unwrap();
    let mut out = Vec::new();
    for turn in 0..64 {
        let seat = turn % 2;
        let answer = speak(&mut bots[seat], "TIME 400 400\n");
        let put = answer
            .strip_prefix("PUT ")
            .and_then(|a| a.strip_suffix('\n'))
            .unwrap()
            .to_owned();
        let drawn = bags[seat].get(5 + turn / 2).map_or("X0".into(), Kind::to_string);
        let (cell, kind) = put.split_once(' ').unwrap();
        let mv = watcher
            .state
            .legal(seat)
            .find(|m| m.cell.to_string() == cell && m.kind.to_string() == kind);
        watcher.state.play(mv.expect("a legal placement"));
        if let Some(kind) = bags[seat].get(5 + turn / 2) {
            watcher.state.draw(seat, *kind);
        }
        speak(&mut bots[seat], &format!("GET {drawn}\n"));
        speak(&mut bots[1 - seat], &format!("OPP {put} {drawn} 1\n"));
        out.push(put);
    }
    let mut rest = Vec::new();
    assert!(!bots[0].turn(&mut &b"FINISH\n"[..], &mut rest).unwrap() && rest.is_empty());
    out
}

#[test]
fn fixed_work_gives_the_same_game_twice() {
    let first = game(Budget::Work(400), 5);
    assert_eq!(first.len(), 64);
    assert_eq!(first, game(Budget::Work(400), 5));
}

#[test]
fn nonsense_is_survived() {
    let mut bot = Bot::new(Budget::Work(300), Weights::DEFAULT, 1);
    for line in [
        "",
        "hello",
        "TIME",
        "TIME 5 5",
        "GET R1",
        "OPP a1+ R1 X0 5",
        "TIME 0 0",
        "INIT R1",
    ] {
        let answer = speak(&mut bot, &format!("{line}\n"));
        assert_eq!(answer.is_empty(), !line.starts_with("TIME"), "{line}");
        assert!(answer.is_empty() || answer.starts_with("PUT ") && answer.lines().count() == 1);
    }
    assert_eq!(speak(&mut bot, "READY SECOND\n"), "OK\n");
    speak(&mut bot, "INIT R1 Y3 B1 G4 Y1 G3 Y3 R1 Y2 R3\n");
    speak(&mut bot, "OPP a1+ B4 R1 5\n");
    assert!(speak(&mut bot, "TIME 10000 9995\r\n").starts_with("PUT "));
    assert_eq!(Tracker::default().line("FINISH"), Ok(Wants::Exit));
}
