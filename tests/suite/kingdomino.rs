//! Kingdomino: conformance, and the reader against everything a judge might print.

use crate::conformance::{check, check_hashes};
use crate::recorded::records;
use fifty::games::kingdomino::protocol::{answer, read_call, read_init, Request, Shape};
use fifty::games::kingdomino::state::{Action, State, Variant};
use fifty::games::kingdomino::tile::Tile;
use fifty::kit::rng::Rng;

fn start<const N: usize>(variant: Variant, seed: u64) -> State<N> {
    let mut state = State::new(variant);
    state.draw(&mut Rng::new(seed + 77), Tile::of_box);
    state
}

#[test]
fn kingdomino_conforms() {
    check(|seed| start::<2>(Variant::MAIN, seed), 40, 53);
    check(|seed| start::<2>(Variant::classic(2), seed), 20, 29);
    check(|seed| start::<3>(Variant::classic(3), seed), 20, 40);
    check(|seed| start::<4>(Variant::classic(4), seed), 20, 53);
    let hashes = check_hashes(|seed| start::<2>(Variant::MAIN, seed), State::clone, 2);
    assert!(hashes > 20_000, "{hashes}");
}

#[test]
fn order_of_play_follows_the_tiles() {
    let mut state = State::<2>::new(Variant::MAIN);
    state.deal(&[30, 4, 17, 9].map(Tile::of_box));
    let mut movers = Vec::new();
    for slot in [3, 0, 1, 2] {
        movers.push(state.mover());
        state.play(Action::new(None, Some(slot)));
    }
    assert_eq!(movers, [0, 1, 0, 1]);
    // Seat 0 took 30 and 9, seat 1 took 4 and 17: the order is by id.
    assert_eq!(state.row.owners, [1, 0, 1, 0]);
    assert_eq!(state.row.tiles, [4, 9, 17, 30].map(Tile::of_box));
    assert_eq!(state.turn, 2);
    assert_eq!(state.deck.count_ones(), 44);
}

/// One recorded call as text.
fn recorded(game: usize, call: usize) -> Vec<String> {
    let games = records("kingdomino/games.jsonl.gz");
    games[game]["calls"][call]["input"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l.as_str().unwrap().to_owned())
        .collect()
}

fn read(lines: &[String]) -> Request {
    read_odd(lines).0
}

/// A request, and what it says is odd.
fn read_odd(lines: &[String]) -> (Request, String) {
    let (rest, mut odd) = (format!("{}\n", lines[1..].join("\n")), String::new());
    let request = read_call(Shape::MAIN, &lines[0], &mut rest.as_bytes(), &mut odd).unwrap();
    (request.unwrap(), odd)
}

#[test]
fn any_filler_means_no_tile() {
    let first = recorded(0, 1);
    let expected: State<2> = read(&first).state(Variant::MAIN, 0, 1);
    assert_eq!((expected.done, expected.mover()), (1, 0));
    let fillers = [
        "-1 _0 _0 -1 0",
        "0 __ __ -1 0",
        "",
        "-",
        "0",
        "0 0 0 0 0",
        "99 c0 c0 0 1",
        "5 *0 _0 0 1",
        "null null null null null",
        "\u{fffd}",
    ];
    for filler in fillers {
        let mut lines = first.clone();
        lines[26..30].fill(filler.into());
        let state: State<2> = read(&lines).state(Variant::MAIN, 0, 1);
        assert_eq!(state, expected, "filler {filler:?}");
    }
    let last = recorded(0, 51);
    let expected: State<2> = read(&last).state(Variant::MAIN, 0, 13);
    for filler in fillers {
        let mut lines = last.clone();
        lines[30..34].fill(filler.into());
        let state: State<2> = read(&lines).state(Variant::MAIN, 0, 13);
        assert_eq!(state, expected, "filler {filler:?}");
    }
}

#[test]
fn lines_of_tiles_may_come_in_any_order() {
    for call in [9, 22, 35] {
        let lines = recorded(3, call);
        let expected: State<2> = read(&lines).state(Variant::MAIN, 0, 5);
        let mut turned = lines.clone();
        turned[26..30].reverse();
        turned[30..34].rotate_left(1);
        assert_eq!(read(&turned).state::<2>(Variant::MAIN, 0, 5), expected);
    }
}

#[test]
fn tiles_of_nobody_are_left_out_of_the_order() {
    // The opponent's game has ended: his tiles come with owner -1.
    let lines: Vec<String> = recorded(2, 20)
        .iter()
        .enumerate()
        .map(|(n, line)| {
            let words: Vec<&str> = line.split(' ').collect();
            if (26..30).contains(&n) && words[3] == "1" {
                format!("{} {} {} -1 {}", words[0], words[1], words[2], words[4])
            } else {
                line.clone()
            }
        })
        .collect();
    let state: State<2> = read(&lines).state(Variant::MAIN, 0, 6);
    assert_eq!(state.row.len, 2);
    assert!(state.row.owners[..2].iter().all(|&o| o == 0));
}

#[test]
fn lines_that_make_no_sense_are_named() {
    let lines = recorded(1, 12);
    let (good, odd) = read_odd(&lines);
    assert_eq!(odd, "");
    // Line by line: a grid, a tile in play, a tile on offer.
    for (n, line) in [
        (0, "?9".repeat(13)),
        (1, lines[1].clone() + "c0c0c0"),
        (2, String::new()),
        (3, "_0".repeat(12)),
        (26, "what is this".into()),
        (27, "5 c0 c0 0".into()),
        (28, "5 c0 c0 zero 0".into()),
        (29, lines[29].clone() + " 7"),
        (30, String::new()),
        (31, "5 c0 c0".into()),
        (32, "5 c0 c0 -1 0".into()),
        (33, "99 c0 c0 -1".into()),
    ] {
        let mut lines = lines.clone();
        lines[n].clone_from(&line);
        // Only the first is told.
        if n < 33 {
            lines[33] = "also odd".into();
        }
        assert_eq!(read_odd(&lines).1, format!("{line:?}"));
    }
    // A crown that is no digit counts as none, CRLF ends lines as well.
    let crlf: Vec<String> = lines.iter().map(|line| format!("{line}\r")).collect();
    assert_eq!(read_odd(&crlf), (good, String::new()));
}

#[test]
fn every_recorded_request_is_understood() {
    for game in records("kingdomino/games.jsonl.gz") {
        for call in game["calls"].as_array().unwrap() {
            let input = call["input"].as_array().unwrap();
            let lines: Vec<String> = input.iter().map(|l| l.as_str().unwrap().into()).collect();
            assert_eq!(read_odd(&lines).1, "");
        }
    }
}

#[test]
fn a_cut_request_is_the_end() {
    let lines = recorded(1, 12);
    let short = lines[1..20].join("\n");
    let mut odd = String::new();
    let read = read_call(Shape::MAIN, &lines[0], &mut short.as_bytes(), &mut odd);
    assert_eq!((read.unwrap(), &odd[..]), (None, " the end"));
}

#[test]
fn init_lines_of_the_classic_variant() {
    let init = |first: &str, second: &str| {
        let mut odd = String::new();
        let shape = read_init(first, &mut second.as_bytes(), &mut odd).unwrap();
        (shape.players, shape.variant, odd)
    };
    assert_eq!(init("3", "3\n"), (3, Variant::classic(3), String::new()));
    assert_eq!(Variant::classic(3).lanes, 3);
    assert_eq!(init("x", "?\n"), (2, Variant::classic(2), r#""x ?""#.into()));
    assert_eq!(init("9", "4\n"), (4, Variant::classic(4), r#""9 4""#.into()));
}

#[test]
fn answers_keep_their_form_without_tiles() {
    let state = State::<2>::new(Variant::MAIN);
    assert_eq!(answer(&state, Action::new(None, None)), "PUT 0 0 0\nPICK 0\n");
}
