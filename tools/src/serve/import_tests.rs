//! Games written in the forms of other places and taken in again.

use super::{read, replay};
use crate::adapter::Adapter;
use crate::arena::bots::Bot;
use crate::arena::matches::recorded;
use crate::games::adapters;
use crate::outside::adapter::adapter;
use crate::show::trace::Trace;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};

fn game(adapter: &'static dyn Adapter) -> Trace {
    let bots = ["engine:15", "builtin:greedy"].map(|name| Bot::parse(name, adapter).unwrap());
    recorded(adapter, &bots, 11, 0).unwrap()
}

/// A trace as CodinGame would hand it out, with keys nobody knows and frames of the referee between.
fn downloaded(trace: &Trace) -> Value {
    let mut frames = vec![json!({"agentId": -1, "keyframe": true, "view": "0\n{}", "gameInformation": "x"})];
    for e in trace.answers() {
        frames.push(json!({"agentId": e.seat, "stdout": e.output, "keyframe": false, "novel": [1, {}]}));
        frames.push(json!({"agentId": -1, "summary": "…"}));
    }
    let agents: Vec<Value> = (0..trace.bots.len())
        .rev()
        .map(|seat| match seat {
            0 => json!({"index": 0, "codingamer": {"pseudo": "ann"}, "score": 3.5}),
            _ => json!({"index": seat, "arenaboss": {"nickname": format!("boss {seat}")}, "agentId": -1}),
        })
        .collect();
    json!({"gameId": 77, "refereeInput": format!("seed={}\nnovel=1\n", trace.seed as i64), "frames": frames,
           "agents": agents, "scores": trace.scores, "novel": null, "metadata": {"a": 1}})
}

fn at_home(trace: &Trace) -> Value {
    let mut outputs = vec![Vec::new(); trace.bots.len()];
    for e in trace.answers() {
        for (seat, list) in outputs.iter_mut().enumerate() {
            list.push(if seat == e.seat {
                json!(e.output)
            } else {
                Value::Null
            });
        }
    }
    let seats = |list: Vec<Value>| {
        let named = list
            .into_iter()
            .enumerate()
            .map(|(seat, v)| (seat.to_string(), v));
        Value::Object(named.collect())
    };
    json!({"scores": seats(trace.scores.iter().map(|s| json!(s)).collect()),
           "outputs": seats(outputs.into_iter().map(Value::from).collect()),
           "errors": {"referee": []}, "uinput": [format!("seed={}", trace.seed)],
           "agents": [{"index": 0, "name": "ann", "avatar": null}], "views": [], "summaries": []})
}

fn first(adapter: &dyn Adapter, text: &str) -> anyhow::Result<super::Replayed> {
    let record = read(adapter, text).remove(0)?;
    replay(adapter, &record, &BTreeMap::new())
}

#[test]
fn games_come_back_from_every_form_in_all_games() {
    for &adapter in adapters() {
        let trace = game(adapter);
        let plain = downloaded(&trace);
        let wrapped = json!({"success": plain, "error": null});
        let listed = json!([plain, null]);
        let lines = format!("{plain}\n{plain}\n");
        assert_eq!(read(adapter, &lines).len(), 2, "{}", adapter.name());
        for text in [
            plain.to_string(),
            wrapped.to_string(),
            listed.to_string(),
            lines,
            at_home(&trace).to_string(),
        ] {
            // connexion's clocks are not in these forms: bots were given other times, and answered the same.
            let back = first(adapter, &text).unwrap_or_else(|e| panic!("{}: {e}", adapter.name()));
            assert_eq!(back.trace.scores, trace.scores);
            assert_eq!(back.trace.points, trace.points);
            assert_eq!(back.trace.bots[0], "ann");
            assert_eq!(back.result.batches, trace.steps.len() - 1);
        }
    }
}

#[test]
fn what_differs_is_named() {
    let wondev = adapter("wondev").unwrap();
    let trace = game(wondev);
    let refused = |record: &Value, why: &str| {
        let error = first(wondev, &record.to_string()).err().unwrap().to_string();
        assert!(error.contains(why), "{error}");
    };
    let mut other = downloaded(&trace);
    other["scores"] = json!([5, 0]);
    refused(&other, "has score 5 in the record");
    let mut short = downloaded(&trace);
    short["frames"].as_array_mut().unwrap().truncate(6);
    refused(&short, "no answer left");
    let mut seedless = downloaded(&trace);
    seedless["refereeInput"] = json!("");
    refused(&seedless, "seed");
    let mut ranked = downloaded(&trace);
    let best = usize::from(trace.points[1] > trace.points[0]);
    ranked["ranks"] = json!([best, 1 - best]);
    assert!(first(wondev, &ranked.to_string()).is_ok());
    ranked["ranks"] = json!([1 - best, best]);
    refused(&ranked, "ranks");
    for text in ["", "{", "[]", "{\"success\": {}}", "7", "hello\nworld"] {
        assert!(read(wondev, text).iter().all(Result::is_err), "{text}");
    }
}

#[test]
fn a_silent_seat_is_a_timeout() {
    let wondev = adapter("wondev").unwrap();
    let mut game = downloaded(&game(wondev));
    let frames = game["frames"].as_array_mut().unwrap();
    frames.truncate(9);
    let seat = frames[7]["agentId"].as_u64().unwrap() as usize;
    frames[7].as_object_mut().unwrap().remove("stdout");
    let mut scores = [0.0, 0.0];
    scores[seat] = -1.0;
    scores[1 - seat] = f64::NAN;
    game["scores"] = json!(
        scores
            .iter()
            .map(|s| if s.is_nan() { json!(0) } else { json!(s) })
            .collect::<Vec<_>>()
    );
    let back = first(wondev, &game.to_string());
    let back = back.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(back.result.faults[0].kind, "timeout");
}

#[test]
fn the_testing_tools_log_is_read_and_can_be_asked_about() {
    let connexion = adapter("connexion").unwrap();
    let trace = game(connexion);
    let log = connexion.log(&trace).unwrap();
    let back = first(connexion, &log).unwrap();
    assert_eq!(back.trace.scores, trace.scores);
    let turn = back.trace.steps.len() / 2;
    let position = crate::serve::position::Position::at(connexion, &back.trace, turn, None).unwrap();
    assert_eq!(position.differs, None);
}

#[test]
fn recorded_games_agree() {
    let lines = |game: &str, most: usize| -> Vec<Value> {
        let path = format!(
            "{}/../tests/data/{game}/games.jsonl.gz",
            env!("CARGO_MANIFEST_DIR")
        );
        let file = std::fs::File::open(path).unwrap();
        let lines = BufReader::new(flate2::read::GzDecoder::new(file)).lines();
        lines
            .take(most)
            .map(|l| serde_json::from_str(&l.unwrap()).unwrap())
            .collect()
    };
    let frames = |answers: Vec<(usize, String)>| -> Vec<Value> {
        answers
            .into_iter()
            .map(|(seat, text)| json!({"agentId": seat, "stdout": text + "\n"}))
            .collect()
    };
    for record in lines("rails", 6) {
        let params = &record["params"];
        let input = format!(
            "seed={}\nink_threshold={}\npoi={}\ntown_regions_disruptable={}",
            record["seed"], params["ink_threshold"], params["poi"], params["town_regions_disruptable"]
        );
        let turns = record["turns"].as_array().unwrap().iter();
        let answers = turns.flat_map(|t| {
            (0..2)
                .map(|seat| (seat, t["outputs"][seat].as_str().unwrap().to_owned()))
                .collect::<Vec<_>>()
        });
        let game = json!({"refereeInput": input, "frames": frames(answers.collect()), "scores": record["final_scores"]});
        let back = first(adapter("rails").unwrap(), &game.to_string());
        back.unwrap_or_else(|e| panic!("{}: {e}", record["id"]));
    }
    let slime = adapter("slime").unwrap();
    for record in lines("slime", 3) {
        let back = first(slime, &record.to_string()).unwrap_or_else(|e| panic!("{}: {e}", record["id"]));
        assert_eq!(
            json!(back.trace.scores.iter().map(|s| *s as i64).collect::<Vec<_>>()),
            record["scores"]
        );
    }
}

/// As real files come: a byte order mark, Windows' line ends, a wrapper with other keys beside it, agents without names,
/// frames of the referee alone, several games in one list with what is none between.
#[test]
fn odd_clothes_are_seen_through() {
    for &adapter in adapters() {
        let trace = game(adapter);
        let mut odd = downloaded(&trace);
        odd["agents"] = json!([{"index": 1}, {"agentId": -1}]);
        odd["refereeInput"] = json!(odd["refereeInput"].as_str().unwrap().replace('\n', "\r\n"));
        for frame in odd["frames"].as_array_mut().unwrap() {
            if let Some(text) = frame["stdout"].as_str() {
                frame["stdout"] = json!(text.replace('\n', "\r\n"));
            }
        }
        let frames = odd["frames"].as_array_mut().unwrap();
        frames.insert(1, json!({"agentId": -1}));
        frames.push(json!({"gameInformation": "nobody's"}));
        let plain = odd.to_string();
        let wrapped = format!("\u{feff}{}\r\n", json!({"id": 3, "success": odd, "log": ["x"]}));
        for text in [plain.clone(), wrapped] {
            let back = first(adapter, &text).unwrap_or_else(|e| panic!("{}: {e}", adapter.name()));
            assert_eq!(back.trace.points, trace.points, "{}", adapter.name());
            assert_eq!(back.trace.bots[0], "seat 0");
        }
        let list = read(adapter, &format!("[{plain},\r\nnull, {{\"novel\": 1}}, {plain}]"));
        let fine: Vec<bool> = list.iter().map(Result::is_ok).collect();
        assert_eq!(fine, [true, false, true], "{}", adapter.name());
        // Cut short, over many lines: one complaint that says where.
        let long = serde_json::to_string_pretty(&odd).unwrap();
        let cut: String = long.chars().take(long.chars().count() / 2).collect();
        let complaints = read(adapter, &cut);
        assert_eq!(complaints.len(), 1, "{}", adapter.name());
        assert!(
            complaints[0].as_ref().unwrap_err().to_string().contains("line "),
            "{complaints:?}"
        );
    }
}

#[test]
fn the_controllers_games_are_read() {
    let slime = adapter("slime").unwrap();
    let trace = game(slime);
    let turns = trace.answers();
    let lines: Vec<String> = turns
        .map(|e| format!("{} {}", e.send.trim(), e.output.trim()))
        .collect();
    let back = first(slime, &lines.join("\r\n")).unwrap();
    assert_eq!((back.trace.scores, back.trace.bots.len()), (trace.scores, 4));
}
