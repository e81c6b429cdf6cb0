//! What the controller reads from a bot's output: `fgets` of 127 bytes, then four stream extractions.

use anyhow::{Context, anyhow};
use crate::elsewhere::{Recorded, Said};
use serde_json::Value;
use std::collections::VecDeque;

/// Longest part of the first line the controller looks at, line end included.
const LINE: usize = 127;

/// The four integers understood, or `None` for a pass.
///
/// Only the first line counts, only its first 127 bytes, only what precedes a NUL. Each number may follow
/// white space and a sign and must fit 32 bits; after the fourth there must be one more byte.
pub fn read_answer(stdout: &[u8]) -> Option<[i32; 4]> {
    let line = stdout.get(..LINE).unwrap_or(stdout);
    let line = line.split_inclusive(|&b| b == b'\n').next()?;
    let mut rest = line.split(|&b| b == 0).next()?;
    let mut answer = [0; 4];
    for number in &mut answer {
        *number = read_number(&mut rest)?;
    }
    (!rest.is_empty()).then_some(answer)
}

/// Games as the controller's recordings hold them: objects with `positions` (one, an array, or one a line), or lines
/// `ARGUMENT MOVE` of one game. None where the text is neither.
pub fn recorded(text: &str) -> Option<Vec<anyhow::Result<Recorded>>> {
    let values: Vec<Value> = match serde_json::from_str(text) {
        Ok(Value::Array(list)) => list,
        Ok(value) => vec![value],
        Err(_) => text
            .lines()
            .filter_map(|l| serde_json::from_str(l).ok())
            .collect(),
    };
    if !values.is_empty() {
        let ours = values.iter().all(|v| v["positions"].is_array());
        return ours.then(|| values.iter().map(object).collect());
    }
    lines(text)
}

/// The seat that an argument asks, and the rows of its board.
fn asked(argument: &str) -> Option<(usize, usize)> {
    let (player, rows) = argument.split_once(',')?;
    let seat = player
        .parse::<usize>()
        .ok()?
        .checked_sub(1)
        .filter(|seat| *seat < 4)?;
    Some((seat, rows.split(',').count()))
}

fn object(game: &Value) -> anyhow::Result<Recorded> {
    let mut turns = Vec::new();
    for (n, position) in game["positions"].as_array().into_iter().flatten().enumerate() {
        let argument = position["arg"].as_str().unwrap_or_default();
        let answer = match &position["move"] {
            Value::String(text) => text.clone(),
            Value::Array(list) => list.iter().map(Value::to_string).collect::<Vec<_>>().join(" "),
            _ => "pass".to_owned(),
        };
        let (seat, size) = asked(argument)
            .with_context(|| format!("turn {n}: expected player and board in arg, met {argument:?}"))?;
        turns.push((seat, size, answer));
    }
    let words = |key: &str| game[key].as_array().into_iter().flatten();
    let mut record = record(&turns);
    record.key = game["id"]
        .as_str()
        .map_or_else(String::new, |id| format!("slime {id}"));
    let movers: Vec<String> = words("movers")
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    if movers.len() == 4 {
        record.bots = movers;
    }
    record.scores = words("scores").filter_map(Value::as_f64).collect();
    Ok(record)
}

fn lines(text: &str) -> Option<Vec<anyhow::Result<Recorded>>> {
    let mut turns = Vec::new();
    for line in text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let (argument, answer) = line.split_once(' ').unwrap_or((line, "pass"));
        match asked(argument) {
            Some((seat, size)) => turns.push((seat, size, answer.trim().to_owned())),
            None if turns.is_empty() => return None,
            None => return Some(vec![Err(anyhow!("expected ARGUMENT MOVE, met {line:?}"))]),
        }
    }
    (!turns.is_empty()).then(|| vec![Ok(record(&turns))])
}

fn record(turns: &[(usize, usize, String)]) -> Recorded {
    let mut said = vec![VecDeque::new(); 4];
    for (seat, _, answer) in turns {
        said[*seat].push_back(Said {
            text: Some(answer.clone()),
            ..Said::default()
        });
    }
    let size = turns.first().map_or(8, |t| t.1);
    Recorded {
        options: [("size".to_owned(), size.to_string())].into(),
        bots: (1..=4).map(|n| format!("player {n}")).collect(),
        said,
        ..Recorded::default()
    }
}

/// Takes one decimal integer off the front.
fn read_number(rest: &mut &[u8]) -> Option<i32> {
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r');
    let mut text = &rest[rest.iter().take_while(|b| blank(b)).count()..];
    let negative = text.first() == Some(&b'-');
    if matches!(text.first(), Some(b'+' | b'-')) {
        text = &text[1..];
    }
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let value = text[..digits].iter().try_fold(0i64, |value, digit| {
        let value = value * 10 + i64::from(digit - b'0');
        (value <= 1 << 32).then_some(value)
    })?;
    *rest = &text[digits..];
    i32::try_from(if negative { -value } else { value }).ok()
}

#[cfg(test)]
mod tests {
    use super::read_answer;

    #[test]
    fn answers_are_read_like_the_controller_reads_them() {
        assert_eq!(read_answer(b"0 0 1 1\n"), Some([0, 0, 1, 1]));
        assert_eq!(read_answer(b"0 0 1 1"), None);
        assert_eq!(read_answer(b"0 0 1 1\0\n"), None);
        assert_eq!(read_answer(b"0 0 1 -2147483648\n"), Some([0, 0, 1, i32::MIN]));
        assert_eq!(read_answer(b"0 0 1 2147483648\n"), None);
        assert_eq!(read_answer(b"-99999999999999999999 0 0 0\n"), None);
        assert_eq!(read_answer(b"0 0 + 1 1\n"), None);
        let padded = |n: usize| [vec![b' '; n], b"0 0 1 1\n".to_vec()].concat();
        assert!(read_answer(&padded(119)).is_some() && read_answer(&padded(120)).is_none());
    }
}
