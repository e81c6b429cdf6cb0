//! connexion: the simulator against its slow oracle, the recordings and itself.

use crate::conformance;
use crate::connexion_oracle::{labels, scores, Oracle, Placed};
use crate::recorded::records;
use fifty::games::connexion::board::Board;
use fifty::games::connexion::cells::Cell;
use fifty::games::connexion::field::Field;
use fifty::games::connexion::state::{shuffled, Illegal, Move, State, TURNS};
use fifty::games::connexion::tiles::{Kind, Tiles};
use fifty::kit::rng::Rng;
use serde_json::Value;

fn cell(text: &str) -> Cell {
    Cell::parse(text).unwrap_or_else(|| panic!("cell {text}"))
}

fn kind(text: &str) -> Kind {
    Kind::parse(text).unwrap_or_else(|| panic!("tile {text}"))
}

fn strings(value: &Value) -> Vec<String> {
    let items = value.as_array().expect("a list");
    items
        .iter()
        .map(|v| v.as_str().expect("text").to_owned())
        .collect()
}

#[test]
fn recorded_boards_score_the_same_in_both() {
    let boards = records("connexion/boards.jsonl.gz");
    assert_eq!(boards.len(), 500);
    for record in &boards {
        let mut board = Board::EMPTY;
        let mut placed = Placed::new();
        for item in record["board"].as_array().unwrap() {
            let item = strings(item);
            let _ = board.place(cell(&item[0]), kind(&item[1]));
            placed.insert(item[0].clone(), item[1].clone());
        }
        let want = [
            record["scores"][0].as_u64().unwrap(),
            record["scores"][1].as_u64().unwrap(),
        ];
        assert_eq!(scores(&placed), want, "{}", record["id"]);
        assert_eq!(board.scores().map(|s| s as u64), want, "{}", record["id"]);
    }
}

#[test]
fn recorded_games_replay_in_both() {
    let games = records("connexion/games.jsonl.gz");
    assert_eq!(games.len(), 76);
    let mut moves = 0;
    for record in &games {
        let bags = [strings(&record["bags"][0]), strings(&record["bags"][1])];
        let mut oracle = Oracle::new(bags.clone());
        let mut hands = [Tiles::EMPTY; 2];
        for seat in 0..2 {
            for tile in &bags[seat][..5] {
                hands[seat].add(kind(tile));
            }
        }
        let mut state = State::new(hands);
        for item in record["moves"].as_array().unwrap() {
            let item = strings(item);
            let seat = state.mover();
            assert_eq!(item[0], ["FIRST", "SECOND"][seat], "{}", record["id"]);
            assert_eq!(
                oracle.play(&item[1], &item[2]).as_ref(),
                Ok(&item[3]),
                "{}",
                record["id"]
            );
            let mv = Move {
                cell: cell(&item[1]),
                kind: kind(&item[2]),
            };
            assert_eq!(state.try_play(mv), Ok(()));
            if item[3] == "X0" {
                assert!(state.bags[seat].is_empty() && state.turn > 54);
            } else {
                assert!(state.draw(seat, kind(&item[3])));
            }
            assert_eq!(state.board.scores().map(|s| s as u64), scores(&oracle.placed));
            moves += 1;
        }
        if let Some(want) = record["scores"].as_array() {
            assert_eq!(u64::from(state.turn), 64);
            let got = state.board.scores().map(Value::from);
            assert_eq!(want[..], got[..], "{}", record["id"]);
        }
    }
    assert_eq!(moves, 3962);
}

/// Random games: every refusal, every count of moves and every score agrees with the oracle.
#[test]
fn random_games_agree_with_the_oracle() {
    let names = labels();
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let orders = [shuffled(Tiles::OWNED, &mut rng), shuffled(Tiles::OWNED, &mut rng)];
        let mut oracle = Oracle::new(orders.clone().map(|o| o.iter().map(Kind::to_string).collect()));
        let mut hands = [Tiles::EMPTY; 2];
        for seat in 0..2 {
            for &k in &orders[seat][..5] {
                hands[seat].add(k);
            }
        }
        let mut state = State::new(hands);
        while state.turn < TURNS {
            let seat = state.mover();
            assert_eq!(state.legal(seat).count(), oracle.moves());
            for _ in 0..4 {
                let (label, k) = (&names[rng.below(64) as usize], Kind(rng.below(16) as u8));
                let mine = state.clone().try_play(Move {
                    cell: cell(label),
                    kind: k,
                });
                let theirs = oracle.clone().play(label, &k.to_string()).map(|_| ());
                assert_eq!(
                    mine.map_err(|e| match e {
                        Illegal::NotEmpty => "NOT EMPTY",
                        Illegal::NoTile => "NO TILE",
                    }),
                    theirs
                );
            }
            let moves: Vec<Move> = state.legal(seat).collect();
            let mv = moves[rng.below(moves.len() as u32) as usize];
            let index = 5 + usize::from(state.turn) / 2;
            let drawn = oracle.play(&mv.cell.to_string(), &mv.kind.to_string()).unwrap();
            state.play(mv);
            match orders[seat].get(index) {
                Some(&k) => {
                    assert_eq!(drawn, k.to_string());
                    assert!(state.draw(seat, k));
                }
                None => assert_eq!(drawn, "X0"),
            }
            assert_eq!(state.board.scores().map(|s| s as u64), scores(&oracle.placed));
        }
        assert_eq!(oracle.placed.len(), 64);
    }
}

#[test]
fn connexion_conforms() {
    let deal = |seed: u64| State::deal(&mut Rng::new(seed ^ 0xC0));
    conformance::check(deal, 30, 64);
    // What each tile is worth on every empty cell tells boards apart.
    let see = |field: &Field| {
        let values = [0, 1, 2, 3].map(|class| field.values(0, Kind::new(class, class)));
        (field.hands, field.empty(), field.margin, values)
    };
    let hashes = conformance::check_hashes(|seed| Field::new(&deal(seed)), see, 3);
    assert!(hashes > 40_000, "{hashes}");
}

/// Leaves of the full tree without draws, from three tiles a hand (perft): counted by the rules of
/// combination and by making every move.
#[test]
fn perft_without_draws() {
    fn perft(state: &State, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut sum = 0;
        for mv in state.legal(state.mover()) {
            let mut next = state.clone();
            next.play(mv);
            sum += perft(&next, depth - 1);
        }
        sum
    }
    let mut hands = [Tiles::EMPTY; 2];
    for text in ["R1", "Y3", "B1"] {
        hands[0].add(kind(text));
        hands[1].add(kind(text));
    }
    let start = State::new(hands);
    assert_eq!(perft(&start, 1), 64 * 3);
    assert_eq!(perft(&start, 2), 64 * 3 * 63 * 3);
    assert_eq!(perft(&start, 3), 64 * 3 * 63 * 3 * 62 * 2);
}
