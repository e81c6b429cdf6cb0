//! Runs over a game that is pure noise around the values it is given.

use super::{Played, TunePlan, here, play};
use crate::adapter::{Adapter, Player, Setup};
use crate::referee::{Ask, Outcome, Referee, Reply, Verdict};
use crate::tune::games::Games;
use crate::tune::spsa::Settings;
use crate::tune::store::Store;
use fifty::kit::clock::Budget;
use fifty::kit::rng::Rng;
use fifty::kit::tunables::Tunable;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Each seat says how good its number is; the better one wins more often.
struct Dice;

struct Table {
    seed: u64,
    said: Vec<f64>,
    asked: bool,
}

struct Voice(f64);

impl Player for Voice {
    fn respond(&mut self, _send: &str, _want: usize) -> Vec<u8> {
        format!("{}\n", -(self.0 - 3.0).powi(2)).into_bytes()
    }
}

impl Referee for Table {
    fn asks(&mut self) -> Vec<Ask> {
        if std::mem::replace(&mut self.asked, true) {
            return Vec::new();
        }
        (0..2)
            .map(|seat| Ask {
                seat,
                send: "?\n".into(),
                want: 1,
                limit: Duration::from_millis(50),
            })
            .collect()
    }

    fn reply(&mut self, replies: &[Reply]) {
        self.said = replies.iter().map(|r| r.lines()[0].parse().unwrap()).collect();
    }

    fn outcome(&self) -> Option<Outcome> {
        let chance = 1.0 / (1.0 + (self.said[1] - self.said[0]).exp());
        let won = f64::from(u8::from(f64::from(Rng::new(self.seed).unit()) < chance));
        let points = vec![won, 1.0 - won];
        Some(Outcome {
            scores: points.clone(),
            points,
            end: "said".into(),
            verdicts: vec![Verdict::Fine; 2],
        })
    }

    fn view(&self) -> Value {
        Value::Null
    }
}

impl Adapter for Dice {
    fn name(&self) -> &'static str {
        "dice"
    }
    fn referee(&self, setup: &Setup) -> anyhow::Result<Box<dyn Referee>> {
        Ok(Box::new(Table {
            seed: setup.seed,
            said: vec![],
            asked: false,
        }))
    }
    fn builtin(&self, _name: &str, _seed: u64) -> Option<Box<dyn Player>> {
        Some(Box::new(Voice(0.0)))
    }
    fn engine(&self, _budget: Budget, params: &[(String, f64)]) -> anyhow::Result<Box<dyn Player>> {
        Ok(Box::new(Voice(
            params.iter().find(|p| p.0 == "weight").map_or(0.0, |p| p.1),
        )))
    }
    fn tunables(&self) -> &'static [Tunable] {
        const fn dim(name: &'static str) -> Tunable {
            Tunable {
                name,
                value: 0.0,
                min: -5.0,
                max: 5.0,
                step: 0.2,
                whole: false,
                hand: None,
            }
        }
        const { &[dim("weight"), dim("dummy")] }
    }
    fn svg(&self, _view: &Value) -> String {
        String::new()
    }
}

fn plan() -> TunePlan {
    TunePlan {
        game: "dice".into(),
        params: vec![],
        walk: Settings {
            gain: 0.05,
            ..Settings::default()
        },
        work: 1,
        options: vec![BTreeMap::new()],
        pool: vec!["self".into(), "builtin:greedy".into()],
        start: vec![("weight".into(), -1.0)],
    }
}

/// A run kept before values of one option could take turns is still read.
#[test]
fn a_plan_with_one_map_of_options_is_read() {
    let mut new = plan();
    new.options = vec![BTreeMap::from([("league".to_owned(), "2".to_owned())])];
    let mut kept = serde_json::to_value(&new).unwrap();
    assert_eq!(serde_json::from_value::<TunePlan>(kept.clone()).unwrap(), new);
    kept["options"] = kept["options"][0].take();
    assert_eq!(serde_json::from_value::<TunePlan>(kept).unwrap(), new);
}

fn run(store: &mut Store, total: u64, stop: bool) -> Played {
    let games = Games::each(&Dice, Budget::Work(1), &[BTreeMap::new()]);
    let stop = AtomicBool::new(stop);
    play(&plan(), &games, store, "t", total, &stop, &here(&games)).unwrap()
}

#[test]
fn finds_the_number_and_leaves_the_dummy() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::open(&dir.path().join("r.sqlite")).unwrap();
    store.begin("t", "dice", "{}").unwrap();
    let played = run(&mut store, 12_000, false);
    let answer = played.answer();
    assert!((answer[0].1 - 3.0).abs() < 0.7, "{answer:?}");
    let text = crate::tune::report::text("t", &plan(), &played, &[]);
    let dummy = text.lines().find(|l| l.starts_with("dummy")).unwrap();
    assert!(dummy.contains("no influence seen"), "{text}");
    assert!(crate::tune::page::html("t", &plan(), &played, &[]).contains("</html>"));
}

#[test]
fn a_run_in_pieces_equals_one_in_a_piece() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (dir.path().join("one.sqlite"), dir.path().join("two.sqlite"));
    let mut whole = Store::open(&one).unwrap();
    whole.begin("t", "dice", "{}").unwrap();
    let expected = run(&mut whole, 3_000, false).answer();
    for total in [200, 1_000, 1_010, 3_000] {
        // Each piece opens the file anew, as after a kill.
        let mut store = Store::open(&two).unwrap();
        if store.setup("t").unwrap().is_none() {
            store.begin("t", "dice", "{}").unwrap();
        }
        run(&mut store, total, false);
    }
    let store = Store::open(&two).unwrap();
    assert_eq!(store.answer("t").unwrap().unwrap().1, expected);
    assert_eq!(store.rows("t").unwrap().len(), whole.rows("t").unwrap().len());
}

#[test]
fn a_stop_keeps_whole_batches() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::open(&dir.path().join("r.sqlite")).unwrap();
    store.begin("t", "dice", "{}").unwrap();
    let played = run(&mut store, 1_000, true);
    assert!(played.stopped && played.rows.is_empty());
    assert!(!run(&mut store, 1_000, false).stopped);
}
