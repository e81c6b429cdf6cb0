//! Filters checked against counts by hand, and over many games.

use super::{Filter, FoundGames, quoted};
use crate::arena::result::{FaultReport, GameResult, LateReport};
use crate::arena::store::Store;
use crate::serve::index::Index;
use crate::show::trace::{Exchange, Step, Trace};
use rusqlite::types::Value as Sql;
use serde_json::json;

/// Game n: seed n/2, seats swapped, seat 0 wins by n mod 5 - 2.
fn result(n: usize) -> GameResult {
    let margin = (n % 5) as f64 - 2.0;
    let first = if margin > 0.0 {
        1.0
    } else if margin < 0.0 {
        0.0
    } else {
        0.5
    };
    let faulty = n.is_multiple_of(50);
    GameResult {
        index: n,
        group: n / 2,
        seed: n as u64 / 2,
        seating: if n.is_multiple_of(2) {
            vec![0, 1]
        } else {
            vec![1, 0]
        },
        scores: vec![10.0 + margin, 10.0],
        points: vec![first, 1.0 - first],
        end: if faulty { "deactivated" } else { "over" }.into(),
        batches: 20 + n % 30,
        faults: Vec::from_iter(faulty.then(|| FaultReport {
            kind: "timeout".into(),
            ..FaultReport::default()
        })),
        late: Vec::from_iter((n % 40 == 7).then_some(LateReport {
            seat: 1,
            batch: 3,
            ms: 60.0,
            limit: 50.0,
            ..LateReport::default()
        })),
        times: vec![vec![1.0, (n % 60) as f32], vec![2.0]],
        ..GameResult::default()
    }
}

fn index(games: usize, traced: bool) -> (tempfile::TempDir, Index) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.sqlite");
    let store = Store::open(&path).unwrap();
    let spec = json!({"bots": ["./Alpha", "./beta"], "options": {"league": "3"}});
    let run = store.begin("play", "wondev", &spec, false).unwrap();
    let trace = |n: usize| Trace {
        game: "wondev".into(),
        bots: vec!["./Alpha".into(), "./beta".into()],
        steps: vec![Step {
            view: json!({"rows": vec!["0"; 6], "units": [[[0, 0]], [[1, 1]]]}),
            exchanges: vec![Exchange {
                want: 1,
                stderr: format!("[TDATA] towns = {}\nthink nodes={}", n % 3, n),
                ..Exchange::default()
            }],
        }],
        ..Trace::default()
    };
    if traced {
        for n in 0..games {
            store.save(run, &result(n), Some(&trace(n))).unwrap();
        }
    } else {
        // As the arena stores them, without a transaction for each.
        let db = rusqlite::Connection::open(&path).unwrap();
        let tx = db.unchecked_transaction().unwrap();
        for n in 0..games {
            let text = serde_json::to_string(&result(n)).unwrap();
            tx.execute(
                "INSERT INTO arena_game(run, n, result) VALUES(?1, ?2, ?3)",
                [Sql::Integer(run), Sql::Integer(n as i64), Sql::Text(text)],
            )
            .unwrap();
        }
        tx.commit().unwrap();
    }
    let mut index = Index::open(&path).unwrap();
    assert_eq!(index.update(|_, _| {}).unwrap(), games);
    assert_eq!(index.update(|_, _| {}).unwrap(), 0);
    (dir, index)
}

fn filter(set: impl FnOnce(&mut Filter)) -> Filter {
    let mut filter = Filter {
        sort: "id".into(),
        ..Filter::default()
    };
    set(&mut filter);
    filter
}

fn find(index: &Index, set: impl FnOnce(&mut Filter)) -> FoundGames {
    filter(set).find(index).unwrap()
}

#[test]
fn filters_combine_as_counted_by_hand() {
    let (_dir, index) = index(400, false);
    assert_eq!(find(&index, |_| {}).all, 400);
    // Game by game, what the rows should be.
    let seats = (0..400).flat_map(|n| [(n, 0), (n, 1)]);
    let bot = |n: usize, seat: usize| result(n).seating[seat];
    let lost = |n: usize, seat: usize| result(n).points[seat] == 0.0;
    let alpha_lost = seats
        .clone()
        .filter(|&(n, s)| bot(n, s) == 0 && lost(n, s))
        .count();
    let found = find(&index, |f| {
        f.bot = Some("ALPHA".into());
        f.lost = true;
    });
    assert_eq!(found.all, alpha_lost);
    assert!(
        found
            .rows
            .iter()
            .all(|r| r.bot == "./Alpha" && r.against == "./beta" && r.result == "lost")
    );
    let close = find(&index, |f| {
        f.lost = true;
        f.drawn = true;
        f.margin = Some("-1..0".into());
        f.seed = Some("10..19".into());
        f.length = Some("25..".into());
    });
    let expected = seats
        .clone()
        .filter(|&(n, s)| {
            let r = result(n);
            let margin = r.scores[s] - r.scores[1 - s];
            (-1.0..=0.0).contains(&margin) && (10..20).contains(&r.seed) && r.batches >= 25
        })
        .count();
    assert_eq!((close.all, close.rows.len()), (expected, expected));
    assert_eq!(find(&index, |f| f.fault = Some("timeout".into())).all, 8);
    assert_eq!(find(&index, |f| f.fault = Some("crash".into())).all, 0);
    assert_eq!(find(&index, |f| f.late = true).all, 10);
    assert_eq!(find(&index, |f| f.option = Some("league=3".into())).all, 400);
    assert_eq!(find(&index, |f| f.option = Some("league=2".into())).all, 0);
    assert_eq!(
        find(&index, |f| f.like = Some(7))
            .rows
            .iter()
            .map(|r| r.id)
            .collect::<Vec<_>>(),
        [7, 8]
    );
    assert_eq!(find(&index, |f| f.ended = Some("DEACT".into())).all, 8);
    let page = find(&index, |f| {
        f.sort = "-turns".into();
        f.limit = 10;
        f.offset = 5;
    });
    assert_eq!((page.all, page.rows.len()), (400, 10));
    assert!(page.rows.is_sorted_by(|a, b| a.turns >= b.turns));
    let places = filter(|_| {}).leaderboard(&index).unwrap();
    assert_eq!(places.iter().map(|p| p.games).sum::<i64>(), 800);
    assert!((places.iter().map(|p| p.points).sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn facts_of_games_and_bots_are_found_and_sorted_by() {
    let (_dir, mut index) = index(30, true);
    assert_eq!(index.read_facts(20, |_| {}).unwrap(), 10);
    assert_eq!(index.read_facts(20, |_| {}).unwrap(), 0);
    assert_eq!(find(&index, |f| f.attr = Some("towns=2,size=6".into())).all, 10);
    assert_eq!(find(&index, |f| f.attr = Some("nodes>=28".into())).all, 2);
    let sorted = find(&index, |f| {
        f.sort = "-nodes".into();
        f.limit = 3;
    });
    assert_eq!(sorted.rows.iter().map(|r| r.id).collect::<Vec<_>>(), [30, 29, 28]);
    assert!(!sorted.rows[0].played.is_empty());
    let today = sorted.rows[0].played[..10].to_owned();
    assert_eq!(find(&index, |f| f.since = Some(today.clone())).all, 30);
    assert_eq!(find(&index, |f| f.until = Some("2001-01-01".into())).all, 0);
}

#[test]
fn what_makes_no_sense_is_named() {
    let (_dir, index) = index(2, false);
    let empty = Filter::default;
    let some = |text: &str| Some(text.to_owned());
    let wrong = [
        (
            "--seed x: expected a number or a range",
            Filter {
                seed: some("x"),
                ..empty()
            },
        ),
        (
            "--margin ..: expected",
            Filter {
                margin: some(".."),
                ..empty()
            },
        ),
        (
            "--since yesterday: expected a day",
            Filter {
                since: some("yesterday"),
                ..empty()
            },
        ),
        (
            "--attr towns: expected a name",
            Filter {
                attr: some("towns"),
                ..empty()
            },
        ),
        (
            "--fault odd: expected any",
            Filter {
                fault: some("odd"),
                ..empty()
            },
        ),
        (
            "--sort odd: expected one of id",
            Filter {
                sort: "odd".to_owned(),
                ..empty()
            },
        ),
    ];
    for (words, filter) in wrong {
        let error = filter.find(&index).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// SQLite counts its own steps, which a busy machine does not change; a look at every row of 100,000 games would
/// take millions of them.
#[test]
fn a_hundred_thousand_games_are_looked_up_by_their_index() {
    let (_dir, index) = index(100_000, false);
    let steps = |set: fn(&mut Filter)| {
        let counter = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
        let inside = counter.clone();
        index.db.progress_handler(
            1000,
            Some(move || {
                inside.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                false
            }),
        );
        let mut f = filter(set);
        f.limit = 50;
        let found = f.find(&index).unwrap();
        index.db.progress_handler(0, None::<fn() -> bool>);
        (found, counter.load(std::sync::atomic::Ordering::Relaxed) * 1000)
    };
    // About 20 million of SQLite's steps take a second on one slow core.
    let (all, home) = steps(|f| f.sort = "-id".into());
    assert_eq!((all.all, all.rows.len()), (100_000, 50));
    assert!(home < 3_000_000, "{home}");
    let (lost, filtered) = steps(|f| {
        f.bot = Some("alpha".into());
        f.lost = true;
        f.sort = "margin".into();
    });
    assert_eq!(lost.all, 40_000);
    assert!(filtered < 3_000_000, "{filtered}");
    let (faults, few) = steps(|f| f.fault = Some("any".into()));
    assert_eq!(faults.all, 2_000);
    assert!(few < 300_000, "{few}");
}

#[test]
fn fields_with_commas_are_quoted() {
    assert_eq!(quoted("a b"), "a b");
    assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
}
