//! What a game tells other arenas: a score a line, or one JSON line for psyleague and for cgarena's command referees.
//!
//! What bots say of themselves goes along: `[TDATA]` and `[PDATA]` lines and the numbers of `think` lines, once a game
//! for psyleague (means), turn by turn for cgarena's charts.

use crate::adapter::Adapter;
use crate::arena::result::GameResult;
use crate::serve::facts::{self, Told};
use crate::show::trace::Trace;
use serde_json::{Map, Value, json};

/// One whole number a seat that orders the seats as the result does: the contest's scores, -1 for a seat at
/// fault; where these would tell another result, match points in percent.
pub fn scores(result: &GameResult) -> Vec<i64> {
    let plain: Vec<i64> = result.scores.iter().map(|s| s.round() as i64).collect();
    let mut marked = plain.clone();
    for fault in &result.faults {
        marked[fault.seat] = -1;
    }
    let percent = result.points.iter().map(|p| (p * 100.0).round() as i64).collect();
    let told = [marked, plain].into_iter().find(|scores| {
        let pairs = (0..scores.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let mut pairs = pairs.map(|(a, b)| {
            (
                scores[a].cmp(&scores[b]),
                result.points[a].total_cmp(&result.points[b]),
            )
        });
        pairs.all(|(score, points)| score == points)
    });
    told.unwrap_or(percent)
}

/// Ranks from 0 (equal ones share theirs), faults, and what tables can filter and average. Fractions as text:
/// psyleague would cut them.
pub fn line(adapter: &dyn Adapter, result: &GameResult, trace: &Trace) -> Value {
    let seats = 0..result.points.len();
    let rank = |seat: usize| result.points.iter().filter(|&&p| p > result.points[seat]).count();
    let errors = |seat: usize| usize::from(result.faults.iter().any(|f| f.seat == seat));
    let mut test = Map::new();
    test.insert("seed".to_owned(), json!(result.seed));
    test.insert("batches".to_owned(), json!(result.batches));
    test.insert("end".to_owned(), json!(result.end));
    let player = |seat: usize| {
        let mut map = Map::new();
        map.insert("score".to_owned(), json!(result.scores[seat].to_string()));
        map.insert(
            "slowest_ms".to_owned(),
            json!(format!("{:.1}", result.slowest(seat))),
        );
        map
    };
    let mut players: Vec<Map<String, Value>> = seats.clone().map(player).collect();
    for ((name, seat), told) in facts::of_game(Some(adapter), trace) {
        let value = match told {
            Told::Number(number) => json!(number.to_string()),
            Told::Word(word) => json!(word),
        };
        match seat {
            None => {
                test.entry(name).or_insert(value);
            }
            Some(seat) => {
                if let Some(map) = players.get_mut(seat) {
                    map.insert(name, value);
                }
            }
        }
    }
    json!({
        "ranks": seats.clone().map(rank).collect::<Vec<_>>(),
        "errors": seats.map(errors).collect::<Vec<_>>(),
        "scores": scores(result),
        "test_data": test,
        "player_data": players,
        "attributes": attributes(trace),
    })
}

/// Every word told, by seat and turn, as cgarena keeps them: a turn is the seat's own count of answers.
fn attributes(trace: &Trace) -> Vec<Value> {
    let mut out = Vec::new();
    let mut answers = vec![0u16; trace.bots.len()];
    for e in trace.answers() {
        let Some(turn) = answers.get_mut(e.seat) else {
            continue;
        };
        for (owner, at, name, value) in facts::told_by(e) {
            let plain = |c: char| c.is_alphanumeric() || c == '_';
            if name.chars().all(plain) {
                let seat = owner.then_some(e.seat);
                let turn = match at {
                    facts::At::Game => None,
                    facts::At::Answer => Some(*turn),
                    facts::At::Turn(turn) => Some(turn),
                };
                out.push(json!({"name": name, "player": seat, "turn": turn, "value": value}));
            }
        }
        *turn = turn.saturating_add(1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{line, scores};
    use crate::arena::result::{FaultReport, GameResult};
    use crate::games::known;
    use crate::show::trace::{Exchange, Step, Trace};
    use serde_json::json;

    fn result(scores: &[f64], points: &[f64], faulty: Option<usize>) -> GameResult {
        GameResult {
            seed: 1,
            seating: vec![0, 1],
            scores: scores.to_vec(),
            points: points.to_vec(),
            batches: 1,
            faults: Vec::from_iter(faulty.map(|seat| FaultReport {
                seat,
                kind: "crash".into(),
                ..FaultReport::default()
            })),
            times: vec![vec![], vec![]],
            ..GameResult::default()
        }
    }

    #[test]
    fn scores_tell_the_result() {
        assert_eq!(scores(&result(&[12.0, 9.0], &[1.0, 0.0], None)), [12, 9]);
        assert_eq!(scores(&result(&[0.0, 0.0], &[0.0, 1.0], Some(0))), [-1, 0]);
        // Who fails loses, whatever it had.
        assert_eq!(scores(&result(&[5.0, 3.0], &[0.0, 1.0], Some(0))), [-1, 3]);
        // A fault that decided nothing is no reason for another order.
        assert_eq!(scores(&result(&[40.0, 24.0], &[1.0, 0.0], Some(0))), [40, 24]);
        // Dead without a fault.
        assert_eq!(scores(&result(&[5.0, 3.0], &[0.0, 1.0], None)), [0, 100]);
        assert_eq!(scores(&result(&[5.0, 5.0], &[0.5, 0.5], None)), [5, 5]);
    }

    #[test]
    fn what_bots_say_goes_along() {
        let answer = |seat: usize, stderr: &str| Exchange {
            seat,
            want: 1,
            stderr: stderr.into(),
            ..Exchange::default()
        };
        let step = |a: &str, b: &str| Step {
            exchanges: vec![answer(0, a), answer(1, b)],
            ..Step::default()
        };
        let trace = Trace {
            bots: vec!["a".into(), "b".into()],
            steps: vec![
                step(
                    "think value=0.5 nodes=10 pv=x=7\n[TDATA] map = big",
                    "[PDATA][4] depth = 3",
                ),
                step("think nodes=30", "[PDATA] plan = rush hour\nhello = world"),
            ],
            ..Trace::default()
        };
        let told = line(
            known("wondev").unwrap(),
            &result(&[4.0, 9.0], &[0.0, 1.0], Some(0)),
            &trace,
        );
        assert_eq!(told["ranks"], json!([1, 0]));
        assert_eq!(told["errors"], json!([1, 0]));
        assert_eq!(told["scores"], json!([-1, 9]));
        assert_eq!(told["test_data"]["map"], "big");
        assert_eq!(told["player_data"][0]["nodes"], "20");
        assert_eq!(told["player_data"][1]["plan"], "rush hour");
        let attribute = |name: &str, player: Option<usize>, turn: Option<u16>, value: &str| json!({"name": name, "player": player, "turn": turn, "value": value});
        assert_eq!(
            told["attributes"],
            json!([
                attribute("value", Some(0), Some(0), "0.5"),
                attribute("nodes", Some(0), Some(0), "10"),
                attribute("map", None, None, "big"),
                attribute("depth", Some(1), Some(4), "3"),
                attribute("nodes", Some(0), Some(1), "30"),
                attribute("plan", Some(1), None, "rush hour"),
            ])
        );
    }
}
