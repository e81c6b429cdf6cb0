//! The log of a CodinGame referee run at home: what `fifty referee -l` writes and outside referees hand us.
//!
//! Maps by seat as text (`"0"`, `"1"`, …): `scores`, and for every frame `outputs` and `errors` (stderr), null where the
//! seat was silent. One frame an answer; frame 0 comes before the first. A log of ours also carries the whole game
//! under `fifty`, so that nothing is lost on the way. Not here: playing a log again by the simulator (`serve::import`).

use crate::show::trace::{Exchange, Step, Trace};
use serde_json::{Map, Value, json};

/// Where the whole game lies in a log of ours.
const WHOLE: &str = "fifty";

/// The log of a game. `scores` are the whole numbers that were printed.
pub fn write(trace: &Trace, scores: &[i64]) -> Value {
    let seats = trace.bots.len();
    let columns = |mut column: Vec<Vec<Value>>, referee: Vec<Value>| {
        let mut map = Map::new();
        for (seat, frames) in column.drain(..).enumerate() {
            map.insert(seat.to_string(), Value::Array(frames));
        }
        map.insert("referee".to_owned(), Value::Array(referee));
        Value::Object(map)
    };
    let (mut outputs, mut errors) = (vec![vec![Value::Null]; seats], vec![vec![Value::Null]; seats]);
    let first = trace.steps.first().map_or(Value::Null, |step| step.view.clone());
    let mut views = vec![json!(first.to_string())];
    let mut summaries = vec![json!("")];
    // A line that was cut by the end of a turn goes with its other half.
    let mut begun = vec![String::new(); seats];
    for step in &trace.steps {
        for e in step.exchanges.iter().filter(|e| e.want > 0 && e.seat < seats) {
            let more = later(trace, e);
            let mut stderr = std::mem::take(&mut begun[e.seat]) + &e.stderr;
            if more && !stderr.ends_with('\n') {
                begun[e.seat] = stderr.split_off(stderr.rfind('\n').map_or(0, |at| at + 1));
            }
            let answered = !(e.output.starts_with('<') && e.output.ends_with('>'));
            for seat in 0..seats {
                let own = seat == e.seat;
                outputs[seat].push(if own && answered {
                    json!(e.output)
                } else {
                    Value::Null
                });
                errors[seat].push(if own && !stderr.is_empty() {
                    json!(stderr)
                } else {
                    Value::Null
                });
            }
            views.push(json!(step.view.to_string()));
            summaries.push(json!(if answered {
                String::new()
            } else {
                format!("{} (seat {}): {}", trace.bots[e.seat], e.seat, e.output)
            }));
        }
    }
    if let Some(last) = summaries.last_mut() {
        let verdicts = trace.verdicts.iter().enumerate().filter(|(_, v)| *v != "fine");
        let told: Vec<String> = verdicts.map(|(seat, v)| format!("seat {seat}: {v}")).collect();
        let before = last.as_str().unwrap_or_default();
        let words = [before, &trace.end, &told.join("; ")];
        let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
        *last = json!(words.join("\n"));
    }
    let silent = vec![Value::Null; views.len()];
    let by_seat = |value: &dyn Fn(usize) -> Value| -> Value {
        (0..seats)
            .map(|seat| (seat.to_string(), value(seat)))
            .collect::<Map<_, _>>()
            .into()
    };
    let mut inputs = vec![format!("seed={}", trace.seed)];
    inputs.extend(trace.options.iter().map(|(key, value)| format!("{key}={value}")));
    let mut log = json!({
        "scores": by_seat(&|seat| json!(scores.get(seat))),
        "errors": columns(errors, silent.clone()),
        "outputs": columns(outputs, silent),
        "summaries": summaries,
        "views": views,
        "uinput": inputs,
        "agents": trace.bots.iter().enumerate()
            .map(|(seat, name)| json!({"index": seat, "name": name, "avatar": null})).collect::<Vec<_>>(),
        "metadata": {},
        "tooltips": [],
    });
    log[WHOLE] = json!(trace);
    log
}

/// True where the seat is asked again after `exchange`.
fn later(trace: &Trace, exchange: &Exchange) -> bool {
    let last = trace.answers().rfind(|e| e.seat == exchange.seat);
    last.is_some_and(|last| !std::ptr::eq(last, exchange))
}

/// The whole game out of a log of ours, or out of one written before logs had CodinGame's form.
pub fn whole(log: &Value) -> Option<Trace> {
    let inner = log.get(WHOLE).unwrap_or(log);
    inner.get("steps")?;
    serde_json::from_value(inner.clone()).ok()
}

/// What any other log of that form tells: its frames one by one, with what each seat answered and said.
pub fn frames(log: &Value) -> Option<Trace> {
    let of_seat = |map: &Value, seat: usize| -> Value {
        match map {
            Value::Array(list) => list.get(seat).cloned().unwrap_or_default(),
            other => other[seat.to_string()].clone(),
        }
    };
    let (outputs, errors) = (&log["outputs"], &log["errors"]);
    let seats = (0..16)
        .take_while(|&seat| of_seat(outputs, seat).is_array() || of_seat(&log["scores"], seat).is_number())
        .count();
    if seats == 0 || !(outputs.is_object() || outputs.is_array()) {
        return None;
    }
    let texts = |value: &Value| -> Vec<String> {
        let list = value.as_array().map_or(&[][..], Vec::as_slice);
        list.iter()
            .map(|v| v.as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let columns = |map: &Value| -> Vec<Vec<Value>> {
        (0..seats)
            .map(|seat| of_seat(map, seat).as_array().cloned().unwrap_or_default())
            .collect()
    };
    let (said, erred) = (columns(outputs), columns(errors));
    let (summaries, views) = (texts(&log["summaries"]), texts(&log["views"]));
    let lengths = said.iter().chain(&erred).map(Vec::len);
    let count = lengths.chain([summaries.len(), views.len()]).max().unwrap_or(0);
    let agents = log["agents"].as_array().map_or(&[][..], Vec::as_slice);
    let name = |seat: usize| {
        let agent = agents.iter().find(|a| a["index"].as_u64() == Some(seat as u64));
        agent
            .and_then(|a| a["name"].as_str())
            .map_or_else(|| format!("seat {seat}"), str::to_owned)
    };
    let mut trace = Trace {
        bots: (0..seats).map(name).collect(),
        ..Trace::default()
    };
    for line in texts(&log["uinput"]) {
        match line.split_once('=') {
            Some(("seed", value)) => {
                trace.seed = value
                    .parse()
                    .or_else(|_| value.parse::<i64>().map(|n| n as u64))
                    .unwrap_or_default();
            }
            Some((key, value)) => {
                trace.options.insert(key.to_owned(), value.to_owned());
            }
            None => {}
        }
    }
    let text = |list: &[String], n: usize| list.get(n).cloned().unwrap_or_default();
    for n in 0..count {
        let mut exchanges = Vec::new();
        for seat in 0..seats {
            let cell = |column: &[Vec<Value>]| -> Option<String> {
                column[seat].get(n).and_then(Value::as_str).map(str::to_owned)
            };
            let (output, stderr) = (cell(&said), cell(&erred));
            if output.is_some() || stderr.is_some() {
                exchanges.push(Exchange {
                    seat,
                    want: 1,
                    output: output.unwrap_or_default(),
                    stderr: stderr.unwrap_or_default(),
                    ..Exchange::default()
                });
            }
        }
        trace.steps.push(Step {
            view: json!({"frame": n, "summary": text(&summaries, n), "view": text(&views, n)}),
            exchanges,
        });
    }
    trace.scores = (0..seats)
        .map(|seat| of_seat(&log["scores"], seat).as_f64().unwrap_or_default())
        .collect();
    trace.verdicts = trace
        .scores
        .iter()
        .map(|score| if *score < 0.0 { "fault" } else { "fine" }.to_owned())
        .collect();
    Some(trace)
}

#[cfg(test)]
mod tests {
    use super::{frames, whole, write};
    use crate::show::trace::{Exchange, Step, Trace};
    use serde_json::json;

    fn game() -> Trace {
        let answer = |seat: usize, output: &str, stderr: &str| Exchange {
            seat,
            want: 1,
            output: output.into(),
            stderr: stderr.into(),
            ..Exchange::default()
        };
        let told = Exchange {
            send: "5\n".into(),
            ..Exchange::default()
        };
        Trace {
            game: "wondev".into(),
            seed: u64::MAX,
            options: [("league".to_owned(), "3".to_owned())].into(),
            bots: vec!["./a".into(), "./b".into()],
            steps: vec![
                Step {
                    view: json!({"turn": 0}),
                    exchanges: vec![told, answer(0, "N\n", "[PDATA][0] depth = 3\n")],
                },
                Step {
                    view: json!({"turn": 1}),
                    exchanges: vec![answer(1, "<Crash>", "lost\n")],
                },
            ],
            scores: vec![4.0, 2.0],
            points: vec![1.0, 0.0],
            end: "fault".into(),
            verdicts: vec!["fine".into(), "crash".into()],
        }
    }

    #[test]
    fn a_log_has_maps_by_seat_and_a_place_a_frame() {
        let log = write(&game(), &[4, -1]);
        assert_eq!(log["scores"], json!({"0": 4, "1": -1}));
        assert_eq!(log["errors"]["0"], json!([null, "[PDATA][0] depth = 3\n", null]));
        assert_eq!(log["errors"]["1"], json!([null, null, "lost\n"]));
        assert_eq!(log["outputs"]["0"], json!([null, "N\n", null]));
        assert_eq!(log["outputs"]["1"], json!([null, null, null]));
        assert_eq!(log["uinput"], json!(["seed=18446744073709551615", "league=3"]));
        assert_eq!(log["views"].as_array().unwrap().len(), 3);
        assert!(log["summaries"][2].as_str().unwrap().contains("seat 1: crash"));
        assert_eq!(whole(&log), Some(game()));
        assert_eq!(whole(&json!(game())), Some(game()));
    }

    #[test]
    fn a_line_cut_by_the_end_of_a_turn_is_whole() {
        let mut trace = game();
        let mut second = trace.steps[0].exchanges[1].clone();
        trace.steps[0].exchanges[1].stderr = "one\n[PDATA] no".into();
        second.stderr = "des = 5\nend".into();
        trace.steps[1].exchanges.push(second);
        let log = write(&trace, &[4, -1]);
        assert_eq!(
            log["errors"]["0"],
            json!([null, "one\n", null, "[PDATA] nodes = 5\nend"])
        );
    }

    #[test]
    fn frames_of_another_program_are_read_one_by_one() {
        let mut log = write(&game(), &[4, -1]);
        log.as_object_mut().unwrap().remove("fifty");
        assert_eq!(whole(&log), None);
        let trace = frames(&log).unwrap();
        assert_eq!(
            (trace.seed, trace.options["league"].as_str(), trace.steps.len()),
            (u64::MAX, "3", 3)
        );
        assert_eq!(trace.scores, [4.0, -1.0]);
        let said = &trace.steps[2].exchanges;
        assert_eq!(
            (said[0].seat, said[0].stderr.as_str(), said[0].output.as_str()),
            (1, "lost\n", "")
        );
        for bad in [json!([]), json!({"outputs": 3}), json!({"scores": {"0": 1}})] {
            assert_eq!(frames(&bad), None);
        }
    }
}
