//! Recorded games and recorded readings against referee, simulator and reader.

use super::protocol::read_answer;
use super::referee::SlimeReferee;
use crate::recorded::{Check, Checked, Difference, same_json, text};
use crate::referee::{Referee, Reply};
use fifty::games::slime::state::State;
use serde_json::Value;
use std::time::Duration;

/// Checks one record; its keys tell whether it is a game or a reading.
pub fn verify(record: &Value) -> Check<Checked> {
    if record.get("stdout").is_some() {
        reading(record)
    } else {
        game(record)
    }
}

/// `stdout` (bytes as Latin-1) and the `move` understood.
fn reading(record: &Value) -> Check<Checked> {
    let at = format!("stdout {}", record["stdout"]);
    let bytes: Vec<u8> = text(&at, &record["stdout"])?.chars().map(|c| c as u32 as u8).collect();
    same_json(at, &record["move"], read_answer(&bytes))?;
    Ok(Checked { turns: 1 })
}

/// A whole game: every argument, every board, the end, the scores; driven through the referee.
fn game(record: &Value) -> Check<Checked> {
    let none = Vec::new();
    let positions = record["positions"].as_array().unwrap_or(&none);
    let first = positions.first().map_or(&Value::Null, |p| &p["arg"]);
    let size = first.as_str().map_or(8, |arg| arg.matches(',').count() as u32);
    let mut game = SlimeReferee::new(size.clamp(4, 8));
    for (n, position) in positions.iter().enumerate() {
        let at = |key: &str| format!("turn {n}, {key}");
        let asked = game.asks();
        let Some(ask) = asked.first() else {
            return Err(Difference::new(at("end"), "another turn", "the game is over"));
        };
        same_json(at("player"), &position["player"], ask.seat + 1)?;
        same_json(at("arg"), &position["arg"], &ask.send)?;
        let answer = match &position["move"] {
            Value::String(text) => format!("{text}\n"),
            Value::Array(numbers) => {
                let words: Vec<String> = numbers.iter().map(Value::to_string).collect();
                words.join(" ") + "\n"
            }
            _ => "pass\n".to_owned(),
        };
        // The bot's own reader must see the same board.
        let read = State::parse(&ask.send).map_or_else(|error| error, |state| state.argument());
        same_json(at("arg as read"), &position["arg"], read)?;
        game.reply(&[Reply {
            seat: ask.seat,
            output: Ok(answer.into_bytes()),
            elapsed: Duration::ZERO,
        }]);
        same_json(at("after"), &position["after"], game.state().rows())?;
    }
    same_json("end", &record["turns"], game.state().turns())?;
    let Some(outcome) = game.outcome() else {
        return Err(Difference::new("end", "the game is over", "another turn"));
    };
    let scores: Vec<u64> = outcome.scores.iter().map(|&n| n as u64).collect();
    same_json("scores", &record["scores"], scores)?;
    Ok(Checked {
        turns: positions.len() as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::verify;
    use serde_json::json;

    #[test]
    fn differences_are_found() {
        let right = json!({"stdout": "0 0 1 1\n", "move": [0, 0, 1, 1]});
        let wrong = json!({"stdout": "0 0 1 1", "move": [0, 0, 1, 1]});
        assert!(verify(&right).is_ok() && verify(&wrong).is_err());
        let start = "1......2,........,........,........,........,........,........,3......4";
        let after = "11.....2,........,........,........,........,........,........,3......4";
        let position = |after: &str| json!({"player": 1, "arg": format!("1,{start}"), "move": "0 0 0 1", "after": after});
        let game = |after| json!({"positions": [position(after)], "turns": 1, "scores": [2, 1, 1, 1]});
        assert_eq!(verify(&game(start)).unwrap_err().at, "turn 0, after");
        assert_eq!(verify(&game(after)).unwrap_err().at, "end");
    }
}
