//! Recorded boards, games and aborts against simulator, judge and bot-side tracking.
//!
//! The kind of a record is told by its keys: `board` or `bags`.

use super::formats::{Bags, End, NAMES, drawn};
use super::referee::{ConnexionReferee, parse_put};
use crate::recorded::{Check, Checked, Difference, list, same, same_json, text};
use crate::referee::{Ask, Fault, Referee, Reply};
use fifty::games::connexion::board::Board;
use fifty::games::connexion::cells::Cell;
use fifty::games::connexion::protocol::{Tracker, Wants};
use fifty::games::connexion::state::{Move, State};
use fifty::games::connexion::tiles::Kind;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::Duration;

fn cell(value: &Value, at: &str) -> Check<Cell> {
    Cell::parse(text(at, value)?).ok_or_else(|| Difference::new(at, "a cell", value))
}

fn kind(value: &Value, at: &str) -> Check<Kind> {
    Kind::parse(text(at, value)?).ok_or_else(|| Difference::new(at, "a tile", value))
}

/// One record of either kind.
pub fn record(record: &Value) -> Check<Checked> {
    if record.get("board").is_some() {
        board(record)
    } else if record.get("bags").is_some() {
        game(record)
    } else {
        Err(Difference::new("record", "a key `board` or `bags`", record))
    }
}

/// A set of placed tiles and its scores: forwards, backwards, and after taking everything back.
fn board(record: &Value) -> Check<Checked> {
    let mut placed = Vec::new();
    for (n, item) in list("board", &record["board"])?.iter().enumerate() {
        let at = format!("board entry {n}");
        placed.push((cell(&item[0], &at)?, kind(&item[1], &at)?));
    }
    let mut undone = Vec::new();
    let mut forwards = Board::EMPTY;
    for &(cell, kind) in &placed {
        if forwards.occupied() & cell.bit() != 0 {
            return Err(Difference::new("board", "cells that differ", cell));
        }
        undone.push((cell, kind, forwards.place(cell, kind)));
    }
    same_json("scores", &record["scores"], forwards.scores())?;
    let mut backwards = Board::EMPTY;
    for &(cell, kind) in placed.iter().rev() {
        let _ = backwards.place(cell, kind);
    }
    same("board in reverse order", &forwards, &backwards)?;
    for &(cell, kind) in &placed {
        same("tile read back", &Some(kind), &forwards.tile(cell))?;
    }
    for (cell, kind, undo) in undone.into_iter().rev() {
        forwards.take_back(cell, kind, undo);
    }
    same("board after taking back", &Board::EMPTY, &forwards)?;
    Ok(Checked { turns: 1 })
}

fn game(record: &Value) -> Check<Checked> {
    let mut bags = [Vec::new(), Vec::new()];
    for (seat, bag) in bags.iter_mut().enumerate() {
        for tile in list("bags", &record["bags"][seat])? {
            bag.push(kind(tile, "bags")?);
        }
    }
    let lines = Bags(bags).render();
    let bags = Bags::parse(&lines).map_err(|e| Difference::new("bags", "two full bags", e))?;
    let turns = moves(record, &bags)?;
    transcripts(record, &bags)?;
    for seat in 0..2 {
        tracker(record, &bags, seat)?;
    }
    Ok(Checked { turns })
}

/// Legality, draws, and scores kept move by move against a recount; each move is also taken back once.
fn moves(record: &Value, bags: &Bags) -> Check<u64> {
    let mut state = State::new(bags.hands());
    let mut drawn_so_far = [5usize; 2];
    let list = list("moves", &record["moves"])?;
    for (n, item) in list.iter().enumerate() {
        let at = format!("turn {n}");
        let seat = state.mover();
        same_json(format!("{at} player"), &item[0], NAMES[seat])?;
        let mv = Move {
            cell: cell(&item[1], &at)?,
            kind: kind(&item[2], &at)?,
        };
        let mut board = state.board.clone();
        if !state.legal(seat).any(|m| m == mv) {
            return Err(Difference::new(at, "a legal move", mv));
        }
        let undo = board.place(mv.cell, mv.kind);
        state
            .try_play(mv)
            .map_err(|e| Difference::new(&at, "a legal move", format!("{mv}: {e:?}")))?;
        same(format!("{at} board"), &state.board, &board)?;
        let mut recount = Board::EMPTY;
        for c in (0..64).rev().map(Cell) {
            if let Some(kind) = board.tile(c) {
                let _ = recount.place(c, kind);
            }
        }
        same(format!("{at} recount"), &recount, &board)?;
        board.take_back(mv.cell, mv.kind, undo);
        same(
            format!("{at} taken back"),
            &board.occupied(),
            &(state.board.occupied() & !mv.cell.bit()),
        )?;
        let tile = bags.0[seat].get(drawn_so_far[seat]).copied();
        drawn_so_far[seat] += 1;
        if let Some(kind) = tile {
            if !state.draw(seat, kind) {
                return Err(Difference::new(at, "a tile of the bag", kind));
            }
        }
        same_json(format!("{at} drawn"), &item[3], drawn(tile))?;
    }
    if record["abort"].is_null() {
        same("number of turns", &64, &state.turn)?;
        same_json("scores", &record["scores"], state.board.scores())?;
        let end = End::Scores(state.board.scores().map(i64::from));
        same_json("result", &record["result"], end.result())?;
    }
    Ok(list.len() as u64)
}

/// True where the seat's process ended by itself: the testing tool tells such a one nothing more, no FINISH either.
fn exited(record: &Value, seat: usize) -> bool {
    let pairs = record["transcripts"][NAMES[seat]].as_array();
    pairs.is_some_and(|pairs| pairs.iter().any(|pair| pair[0] == "exit"))
}

/// What scripted bots still have to write.
#[derive(Debug)]
enum Written {
    Line(String),
    Late,
    Exit,
}

/// Runs the referee on what the recorded bots wrote; both transcripts, abort, result and scores.
fn transcripts(record: &Value, bags: &Bags) -> Check<()> {
    let mut scripts: [VecDeque<Written>; 2] = [VecDeque::new(), VecDeque::new()];
    let mut want: [VecDeque<String>; 2] = [VecDeque::new(), VecDeque::new()];
    for seat in 0..2 {
        for (n, pair) in list("transcripts", &record["transcripts"][NAMES[seat]])?
            .iter()
            .enumerate()
        {
            let at = format!("transcript {} entry {n}", NAMES[seat]);
            let line = text(&at, &pair[1])?.to_owned();
            match text(&at, &pair[0])? {
                "in" => want[seat].push_back(line),
                "out" => scripts[seat].push_back(Written::Line(line)),
                "late" => scripts[seat].push_back(Written::Late),
                "exit" => scripts[seat].push_back(Written::Exit),
                other => return Err(Difference::new(at, "in, out, late or exit", other)),
            }
        }
    }
    let mut referee = ConnexionReferee::new(bags.clone(), super::referee::CLOCK_MS);
    let mut sent = [0usize; 2];
    loop {
        let asks = referee.asks();
        if asks.is_empty() {
            break;
        }
        let mut replies = Vec::new();
        for Ask {
            seat, send, want: w, ..
        } in asks
        {
            for line in send.lines() {
                sent[seat] += 1;
                let at = format!("line {} read by {}", sent[seat], NAMES[seat]);
                if want[seat].is_empty() && exited(record, seat) {
                    continue;
                }
                let expected = want[seat].pop_front().unwrap_or_else(|| "no line".into());
                same(at, &expected, &line.to_owned())?;
            }
            if w > 0 {
                let output = match scripts[seat].pop_front() {
                    Some(Written::Line(line)) => Ok(format!("{line}\n").into_bytes()),
                    Some(Written::Late) => Err(Fault::Timeout),
                    Some(Written::Exit) | None => Err(Fault::Crash),
                };
                replies.push(Reply {
                    seat,
                    output,
                    elapsed: Duration::ZERO,
                });
            }
        }
        referee.reply(&replies);
    }
    for (seat, rest) in want.iter().enumerate() {
        if let Some(line) = rest.front() {
            return Err(Difference::new(format!("end of {}'s lines", NAMES[seat]), line, "no line"));
        }
    }
    let log = referee
        .log(Default::default())
        .ok_or_else(|| Difference::new("end", "a finished game", "none"))?;
    same_json("referee's result", &record["result"], log.end.result())?;
    let (abort, scores) = match &log.end {
        End::Abort(seat, reason) => (json!({"player": NAMES[*seat], "reason": reason}), Value::Null),
        End::Scores(scores) => (Value::Null, json!(scores)),
    };
    same_json("referee's abort", &record["abort"], abort)?;
    same_json("referee's scores", &record["scores"], scores)?;
    let played: Vec<Value> = log
        .moves
        .iter()
        .map(|p| {
            json!([
                NAMES[p.seat],
                p.mv.cell.to_string(),
                p.mv.kind.to_string(),
                drawn(p.drawn)
            ])
        })
        .collect();
    same_json("referee's moves", &record["moves"], played)
}

/// The bot's side: fed what it read, its board, hands and bag contents agree with bags and moves, and
/// FINISH ends it.
fn tracker(record: &Value, bags: &Bags, seat: usize) -> Check<()> {
    let mut tracker = Tracker::default();
    let mut truth = State::new(bags.hands());
    let all = list("moves", &record["moves"])?;
    let mut own = all.iter().filter(|m| m[0] == NAMES[seat]);
    let mut next = 0;
    let (mut finished, mut dealt) = (false, false);
    let pairs = list("transcripts", &record["transcripts"][NAMES[seat]])?;
    for (n, pair) in pairs.iter().enumerate() {
        if pair[0] != "in" {
            continue;
        }
        let line = text("transcript", &pair[1])?;
        let at = format!("{} tracking entry {n} `{line}`", NAMES[seat]);
        let wants = tracker
            .line(line)
            .map_err(|(e, _)| Difference::new(&at, "an understood line", e))?;
        finished = wants == Wants::Exit;
        dealt |= line.starts_with("INIT");
        if let Wants::Put(..) = wants {
            // Draws trail the own placement, so both sides agree whenever the bot is asked.
            for item in &all[next..] {
                if truth.turn == tracker.state.turn {
                    break;
                }
                next += 1;
                advance(&mut truth, item, &at)?;
            }
            same(&at, &truth, &tracker.state)?;
            // The answer is taken over only if the referee accepted it.
            if let Some(item) = own.next() {
                let answer = pairs[n + 1..].iter().find(|p| p[0] == "out");
                let put = answer.and_then(|p| parse_put(p[1].as_str()?).ok());
                let accepted = Move {
                    cell: cell(&item[1], &at)?,
                    kind: kind(&item[2], &at)?,
                };
                same(format!("{at} answer"), &Some(accepted), &put)?;
                tracker.put(accepted);
            }
        }
    }
    for item in &all[next..] {
        advance(&mut truth, item, "end")?;
    }
    if dealt {
        same(format!("{} last position", NAMES[seat]), &truth, &tracker.state)?;
    }
    let finished = finished || exited(record, seat);
    same(format!("{} reads FINISH last", NAMES[seat]), &true, &finished)
}

fn advance(truth: &mut State, item: &Value, at: &str) -> Check<()> {
    let seat = truth.mover();
    truth.play(Move {
        cell: cell(&item[1], at)?,
        kind: kind(&item[2], at)?,
    });
    if item[3] != "X0" {
        truth.draw(seat, kind(&item[3], at)?);
    }
    Ok(())
}
