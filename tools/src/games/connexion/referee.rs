//! The referee of connexion: READY, INIT, then TIME and PUT by turns on a clock for the whole game.
//!
//! Reasons of an abort and their order are those of the rules. Waiting, queues of unread lines and the
//! end of processes are the arena's.

use anyhow::bail;
use super::formats::{Bags, End, Log, NAMES, Played, drawn, tiles};
use crate::referee::{Ask, Fault, Outcome, Referee, Reply, Verdict};
use fifty::games::connexion::cells::Cell;
use fifty::games::connexion::state::{Illegal, Move, State, TURNS};
use fifty::games::connexion::tiles::{HAND, Kind};
use fifty::kit::rng::Rng;
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// Clock of each player for the whole game, in ms.
pub const CLOCK_MS: u64 = 10_000;
/// For the answer to READY.
const READY_LIMIT: Duration = Duration::from_secs(3);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Ready,
    Turns,
    Finish,
    Over,
}

/// One game.
#[derive(Clone, Debug)]
pub struct ConnexionReferee {
    bags: Bags,
    state: State,
    clocks: [u64; 2],
    phase: Phase,
    /// Lines each seat has to read before the next question.
    notes: [String; 2],
    init: bool,
    moves: Vec<Played>,
    end: Option<End>,
    verdicts: [Verdict; 2],
}

/// Reads an answer to TIME; the reason in the words of the log.
pub fn parse_put(line: &str) -> Result<Move, &'static str> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let ["PUT", cell, tile] = words[..] else {
        return Err("PUT PARSE FAILED");
    };
    Ok(Move {
        cell: Cell::parse(cell).ok_or("CELL PARSE FAILED")?,
        kind: Kind::parse(tile).ok_or("TILE PARSE FAILED")?,
    })
}

impl ConnexionReferee {
    /// A game from given bags, `clock_ms` for each player.
    pub fn new(bags: Bags, clock_ms: u64) -> Self {
        Self {
            state: State::new(bags.hands()),
            bags,
            clocks: [clock_ms; 2],
            phase: Phase::Ready,
            notes: [String::new(), String::new()],
            init: false,
            moves: Vec::new(),
            end: None,
            verdicts: [Verdict::Fine, Verdict::Fine],
        }
    }

    /// The log of a finished game; `None` while it runs.
    pub fn log(&self, commands: [String; 2]) -> Option<Log> {
        let hands = [self.bags.0[0][..HAND].to_vec(), self.bags.0[1][..HAND].to_vec()];
        Some(Log {
            commands,
            init: self.init.then_some(hands),
            moves: self.moves.clone(),
            end: self.end.clone()?,
        })
    }

    fn abort(&mut self, seat: usize, reason: &str, verdict: Verdict) {
        self.verdicts[seat] = verdict;
        self.end = Some(End::Abort(seat, reason.into()));
        self.phase = Phase::Finish;
    }

    /// Text of one line, or the fault with its reason.
    fn text(reply: &Reply, garbage: &'static str) -> Result<String, (&'static str, Verdict)> {
        match &reply.output {
            Ok(bytes) => Ok(String::from_utf8_lossy(bytes)
                .trim_end_matches(['\n', '\r'])
                .to_owned()),
            Err(Fault::Flood) => Err((garbage, Verdict::Flood)),
            Err(fault) => Err(("TLE", Verdict::from(*fault))),
        }
    }

    fn ready(&mut self, replies: &[Reply]) {
        for (seat, reply) in replies.iter().enumerate() {
            debug_assert_eq!(reply.seat, seat);
            match Self::text(reply, "INVALID READY MESSAGE") {
                Ok(text) if text.trim_matches([' ', '\t', '\r', '\n']) == "OK" => {}
                Ok(text) => {
                    return self.abort(seat, "INVALID READY MESSAGE", Verdict::Garbage(text));
                }
                Err((reason, verdict)) => return self.abort(seat, reason, verdict),
            }
        }
        self.init = true;
        for seat in 0..2 {
            let (own, other) = (&self.bags.0[seat], &self.bags.0[1 - seat]);
            self.notes[seat] = format!("INIT {} {}\n", tiles(&own[..HAND]), tiles(&other[..HAND]));
        }
        self.phase = Phase::Turns;
    }

    fn turn(&mut self, reply: &Reply) {
        let seat = self.state.mover();
        debug_assert_eq!(reply.seat, seat);
        let text = match Self::text(reply, "PUT PARSE FAILED") {
            Ok(text) => text,
            Err((reason, verdict)) => return self.abort(seat, reason, verdict),
        };
        let mv = match parse_put(&text) {
            Ok(mv) => mv,
            Err(reason) => return self.abort(seat, reason, Verdict::Garbage(text)),
        };
        if let Err(illegal) = self.state.try_play(mv) {
            let reason = match illegal {
                Illegal::NotEmpty => "NOT EMPTY",
                Illegal::NoTile => "NO TILE",
            };
            return self.abort(seat, reason, Verdict::Invalid(reason.into()));
        }
        let ms = (reply.elapsed.as_millis() as u64).min(self.clocks[seat]);
        self.clocks[seat] -= ms;
        // Both players have made the same number of placements before a FIRST turn.
        let tile = self.bags.0[seat]
            .get(HAND + usize::from(self.state.turn - 1) / 2)
            .copied();
        if let Some(kind) = tile {
            self.state.draw(seat, kind);
        }
        self.moves.push(Played {
            seat,
            mv,
            drawn: tile,
            ms,
        });
        self.notes[seat] = format!("GET {}\n", drawn(tile));
        self.notes[1 - seat] = format!("OPP {mv} {} {ms}\n", drawn(tile));
        if self.state.turn == TURNS {
            self.end = Some(End::Scores(self.state.board.scores().map(i64::from)));
            self.phase = Phase::Finish;
        }
    }
}

impl Referee for ConnexionReferee {
    fn asks(&mut self) -> Vec<Ask> {
        let ask = |seat: usize, send: String, want: usize, limit: Duration| Ask {
            seat,
            send,
            want,
            limit,
        };
        match self.phase {
            Phase::Ready => (0..2)
                .map(|seat| ask(seat, format!("READY {}\n", NAMES[seat]), 1, READY_LIMIT))
                .collect(),
            Phase::Turns => {
                let mover = self.state.mover();
                (0..2)
                    .filter_map(|seat| {
                        let mut send = std::mem::take(&mut self.notes[seat]);
                        let limit = Duration::from_millis(self.clocks[seat]);
                        if seat == mover {
                            let clocks = [self.clocks[seat], self.clocks[1 - seat]];
                            let _ = writeln!(send, "TIME {} {}", clocks[0], clocks[1]);
                            Some(ask(seat, send, 1, limit))
                        } else {
                            (!send.is_empty()).then(|| ask(seat, send, 0, limit))
                        }
                    })
                    .collect()
            }
            Phase::Finish => (0..2)
                .map(|seat| {
                    let send = std::mem::take(&mut self.notes[seat]) + "FINISH\n";
                    ask(seat, send, 0, Duration::from_secs(1))
                })
                .collect(),
            Phase::Over => Vec::new(),
        }
    }

    fn reply(&mut self, replies: &[Reply]) {
        match (self.phase, replies) {
            (Phase::Ready, _) => self.ready(replies),
            (Phase::Turns, [reply]) => self.turn(reply),
            (Phase::Turns, _) => debug_assert!(false, "one seat was asked"),
            (Phase::Finish | Phase::Over, _) => self.phase = Phase::Over,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.phase != Phase::Over {
            return None;
        }
        let end = self.end.as_ref()?;
        let points = match end.result() {
            "1-0" => vec![1.0, 0.0],
            "0-1" => vec![0.0, 1.0],
            _ => vec![0.5, 0.5],
        };
        let (scores, text) = match end {
            End::Scores(scores) => (
                scores.iter().map(|&s| s as f64).collect(),
                "all cells filled".into(),
            ),
            End::Abort(seat, reason) => (vec![0.0, 0.0], format!("ABORT {} {reason}", NAMES[*seat])),
        };
        Some(Outcome {
            scores,
            points,
            end: text,
            verdicts: self.verdicts.to_vec(),
        })
    }

    fn redraw(&mut self, seed: u64) {
        let mut rng = Rng::new(seed);
        for seat in 0..2 {
            let drawn = HAND + self.moves.iter().filter(|m| m.seat == seat).count();
            let bag = &mut self.bags.0[seat];
            let drawn = drawn.min(bag.len());
            rng.shuffle(&mut bag[drawn..]);
        }
    }

    fn view(&self) -> Value {
        let board: Vec<[String; 2]> = (0..64)
            .filter_map(|c| Some([Cell(c).to_string(), self.state.board.tile(Cell(c))?.to_string()]))
            .collect();
        let contents = |t: fifty::games::connexion::tiles::Tiles| -> Vec<String> {
            t.kinds()
                .flat_map(|k| (0..t.count(k)).map(move |_| k.to_string()))
                .collect()
        };
        let moves: Vec<[Value; 5]> = self
            .moves
            .iter()
            .map(|p| {
                [
                    NAMES[p.seat].into(),
                    p.mv.cell.to_string().into(),
                    p.mv.kind.to_string().into(),
                    drawn(p.drawn).into(),
                    p.ms.into(),
                ]
            })
            .collect();
        json!({
            "turn": self.state.turn,
            "mover": NAMES[self.state.mover()],
            "board": board,
            "scores": self.state.board.scores(),
            "hands": [contents(self.state.hands[0]), contents(self.state.hands[1])],
            "left": [self.state.bags[0].len(), self.state.bags[1].len()],
            "clocks": self.clocks,
            "bags": [tiles(&self.bags.0[0]), tiles(&self.bags.0[1])],
            "ready": self.init,
            "moves": moves,
            "end": self.end.as_ref().map(|end| match end {
                End::Scores(scores) => json!({"scores": scores}),
                End::Abort(seat, reason) => json!({"abort": NAMES[*seat], "reason": reason}),
            }),
        })
    }
}

/// The log of a finished game from its last [`Referee::view`].
pub fn log_from_view(view: &Value, commands: [String; 2]) -> anyhow::Result<Log> {
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let bags = Bags::parse(&format!("{}\n{}", text(&view["bags"][0]), text(&view["bags"][1])))?;
    let mut lines = String::new();
    for item in view["moves"].as_array().into_iter().flatten() {
        let words = [&item[0], &item[1], &item[2], &item[3]].map(text);
        let _ = writeln!(lines, "{} {}", words.join(" "), item[4]);
    }
    let end = &view["end"];
    if end["scores"].is_array() {
        let [first, second] = [&end["scores"][0], &end["scores"][1]];
        let _ = writeln!(lines, "SCOREFIRST {first}\nSCORESECOND {second}");
    } else if end["abort"].is_string() {
        let _ = writeln!(lines, "ABORT {} {}", text(&end["abort"]), text(&end["reason"]));
    } else {
        bail!("expected the view of a finished game");
    }
    let mut log = Log::parse(&lines)?;
    log.commands = commands;
    if view["ready"] == Value::Bool(true) {
        log.init = Some([bags.0[0][..HAND].to_vec(), bags.0[1][..HAND].to_vec()]);
    }
    Ok(log)
}
