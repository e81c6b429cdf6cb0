//! Texts of the contest's testing tool: bags in, log out, and a small `KEY=value` file of options.
//!
//! Reading reports what was expected and what was met; what is written reads back equal.

use anyhow::{Context, bail};
use crate::elsewhere::{Recorded, Said};
use fifty::games::connexion::cells::Cell;
use fifty::games::connexion::state::{Move, shuffled};
use fifty::games::connexion::tiles::{BAG, COPIES, HAND, Kind, Tiles};
use fifty::kit::rng::Rng;
use std::fmt::Write;

/// Seats by their names in lines and logs.
pub const NAMES: [&str; 2] = ["FIRST", "SECOND"];

/// Both bags in draw order; the first five of each are the hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bags(pub [Vec<Kind>; 2]);

impl Bags {
    /// Two shuffled bags from a seed.
    pub fn random(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        Self([shuffled(Tiles::OWNED, &mut rng), shuffled(Tiles::OWNED, &mut rng)])
    }

    /// Two lines of 32 tiles, each kind exactly twice a line.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        let [first, second] = lines[..] else {
            bail!(
                "expected 2 lines of {BAG} tiles, met {} lines",
                lines.len()
            );
        };
        Ok(Self([bag(first, 0)?, bag(second, 1)?]))
    }

    /// The two lines.
    pub fn render(&self) -> String {
        format!("{}\n{}\n", tiles(&self.0[0]), tiles(&self.0[1]))
    }

    /// The dealt hands.
    pub fn hands(&self) -> [Tiles; 2] {
        [hand(&self.0[0]), hand(&self.0[1])]
    }
}

fn hand(bag: &[Kind]) -> Tiles {
    let mut out = Tiles::EMPTY;
    for &kind in &bag[..HAND] {
        out.add(kind);
    }
    out
}

fn bag(line: &str, seat: usize) -> anyhow::Result<Vec<Kind>> {
    let mut count = Tiles::EMPTY;
    let mut out = Vec::with_capacity(BAG);
    for word in line.split_ascii_whitespace() {
        let kind = Kind::parse(word)
            .with_context(|| format!("{}'s bag: expected a tile, met `{word}`", NAMES[seat]))?;
        if count.count(kind) == u32::from(COPIES) {
            bail!(
                "{}'s bag: expected {kind} twice, met it once more",
                NAMES[seat]
            );
        }
        count.add(kind);
        out.push(kind);
    }
    if out.len() != BAG {
        bail!(
            "{}'s bag: expected {BAG} tiles, met {}",
            NAMES[seat],
            out.len()
        );
    }
    Ok(out)
}

/// Tiles with single blanks between.
pub fn tiles(kinds: &[Kind]) -> String {
    kinds.iter().map(Kind::to_string).collect::<Vec<_>>().join(" ")
}

/// One accepted turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who.
    pub seat: usize,
    /// What.
    pub mv: Move,
    /// Tile drawn after it; none is `X0`.
    pub drawn: Option<Kind>,
    /// Milliseconds used.
    pub ms: u64,
}

/// A drawn tile as text.
pub fn drawn(tile: Option<Kind>) -> String {
    tile.map_or_else(|| "X0".into(), |k| k.to_string())
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// 64 turns played: points of FIRST and SECOND.
    Scores([i64; 2]),
    /// One seat was at fault.
    Abort(usize, String),
}

impl End {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match self {
            Self::Scores([a, b]) if a > b => "1-0",
            Self::Scores([a, b]) if a < b => "0-1",
            Self::Scores(_) => "1/2-1/2",
            Self::Abort(0, _) => "0-1",
            Self::Abort(..) => "1-0",
        }
    }
}

/// A log: everything but the debug lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// Start command of each seat.
    pub commands: [String; 2],
    /// Dealt tiles, FIRST's five and SECOND's five; absent if READY failed.
    pub init: Option<[Vec<Kind>; 2]>,
    /// Accepted turns.
    pub moves: Vec<Played>,
    /// The end.
    pub end: End,
}

impl Log {
    /// The log as text. `debug` are stderr lines per seat, put at the end.
    pub fn render(&self, debug: &[(usize, String)]) -> String {
        let mut out = String::new();
        for (name, command) in NAMES.iter().zip(&self.commands) {
            let text = serde_json::Value::from(format!("COMMAND: {command}"));
            let _ = writeln!(out, "[{name} {text}]");
        }
        let _ = writeln!(out, "[RESULT \"{}\"]", self.end.result());
        if let Some([first, second]) = &self.init {
            let _ = writeln!(out, "INIT {} {}", tiles(first), tiles(second));
        }
        for p in &self.moves {
            let _ = writeln!(out, "{} {} {} {}", NAMES[p.seat], p.mv, drawn(p.drawn), p.ms);
        }
        match &self.end {
            End::Scores([first, second]) => {
                let _ = writeln!(out, "FINISH\nSCOREFIRST {first}\nSCORESECOND {second}");
            }
            End::Abort(seat, reason) => {
                let _ = writeln!(out, "ABORT {} {reason}", NAMES[*seat]);
            }
        }
        for (seat, text) in debug {
            let _ = writeln!(out, "# Debug {}: {text}", NAMES[*seat]);
        }
        out
    }

    /// Reads a log; comment lines are passed over wherever they stand.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mut commands = [String::new(), String::new()];
        let (mut init, mut moves, mut scores, mut abort) = (None, Vec::new(), [None; 2], None);
        let mut result = None;
        for (n, line) in text.lines().enumerate() {
            let bad = |what: &str| format!("log line {}: expected {what}, met `{line}`", n + 1);
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(header) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                let (key, value) = header.split_once(' ').with_context(|| bad("a header"))?;
                let value: String = serde_json::from_str(value).ok().with_context(|| bad("a quoted header"))?;
                if key == "RESULT" {
                    result = Some(value);
                } else {
                    let seat = seat(key).with_context(|| bad("FIRST, SECOND or RESULT"))?;
                    let command = value.strip_prefix("COMMAND: ").unwrap_or(&value);
                    command.clone_into(&mut commands[seat]);
                }
                continue;
            }
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words[..] {
                ["INIT", ..] => {
                    let all: Option<Vec<Kind>> = words[1..].iter().map(|w| Kind::parse(w)).collect();
                    let all = all
                        .filter(|a| a.len() == 2 * HAND)
                        .with_context(|| bad("ten tiles"))?;
                    init = Some([all[..HAND].to_vec(), all[HAND..].to_vec()]);
                }
                ["FINISH"] => {}
                ["SCOREFIRST", points] => scores[0] = points.parse().ok(),
                ["SCORESECOND", points] => scores[1] = points.parse().ok(),
                ["ABORT", name, ..] => {
                    let seat = seat(name).with_context(|| bad("a seat"))?;
                    abort = Some((seat, words[2..].join(" ")));
                }
                [name, cell, kind, tile, ms] => {
                    let tile = match tile {
                        "X0" => Some(None),
                        tile => Kind::parse(tile).map(Some),
                    };
                    let played = (|| {
                        Some(Played {
                            seat: seat(name)?,
                            mv: Move {
                                cell: Cell::parse(cell)?,
                                kind: Kind::parse(kind)?,
                            },
                            drawn: tile?,
                            ms: ms.parse().ok()?,
                        })
                    })();
                    moves.push(played.with_context(|| bad("seat, cell, tile, drawn, ms"))?);
                }
                _ => bail!(bad("a line of a log")),
            }
        }
        let end = match (abort, scores) {
            (Some((seat, reason)), _) => End::Abort(seat, reason),
            (None, [Some(first), Some(second)]) => End::Scores([first, second]),
            _ => bail!("log: expected both scores or ABORT"),
        };
        if let Some(result) = result {
            if result != end.result() {
                bail!("log: expected the result {}, met {result}", end.result());
            }
        }
        Ok(Self {
            commands,
            init,
            moves,
            end,
        })
    }
}

impl Log {
    /// The game as its bags and answers. Tiles that were never drawn come last, in the order of kinds.
    pub fn recorded(&self) -> anyhow::Result<Recorded> {
        let init = self
            .init
            .as_ref()
            .context("log: expected INIT, nobody placed a tile")?;
        let mut lines = Vec::new();
        let mut said = Vec::new();
        for (seat, hand) in init.iter().enumerate() {
            let own = || self.moves.iter().filter(|m| m.seat == seat);
            let mut bag = hand.clone();
            bag.extend(own().filter_map(|m| m.drawn));
            for kind in (0..16).map(Kind) {
                let held = bag.iter().filter(|k| **k == kind).count();
                bag.extend(vec![kind; usize::from(COPIES).saturating_sub(held)]);
            }
            lines.push(tiles(&bag));
            let answer = |text: String, ms: u64| Said {
                text: Some(text),
                stderr: String::new(),
                ms,
            };
            let puts = own().map(|m| answer(format!("PUT {}", m.mv), m.ms));
            said.push([answer("OK".to_owned(), 0)].into_iter().chain(puts).collect());
        }
        let scores = match &self.end {
            End::Scores(scores) => scores.map(|s| s as f64).to_vec(),
            // The faulty answer is not in the log.
            End::Abort(seat, _) => (0..2).map(|s| if s == *seat { -1.0 } else { f64::NAN }).collect(),
        };
        Ok(Recorded {
            key: String::new(),
            seed: None,
            options: [("bags".to_owned(), lines.join(";"))].into(),
            bots: self.commands.to_vec(),
            said,
            scores,
            ranks: match self.end {
                End::Abort(seat, _) => (0..2).map(|s| u64::from(s == seat)).collect(),
                End::Scores(_) => Vec::new(),
            },
        })
    }
}

fn seat(name: &str) -> Option<usize> {
    NAMES.iter().position(|n| *n == name)
}

/// Options of the testing tool's configuration file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// File with the bags.
    pub input: Option<String>,
    /// File for the log.
    pub log: Option<String>,
    /// Start commands.
    pub exec: [Option<String>; 2],
    /// Working directories.
    pub cwd: [Option<String>; 2],
}

impl Config {
    /// `KEY=value` lines; `#` begins a comment line. The command line wins over them, which is the
    /// caller's part.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mut out = Self::default();
        for (n, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, value) = line
                .split_once('=')
                .with_context(|| format!("line {}: expected KEY=value, met `{line}`", n + 1))?;
            let slot = match key.trim() {
                "INPUT" => &mut out.input,
                "LOG" => &mut out.log,
                "EXEC1" => &mut out.exec[0],
                "EXEC2" => &mut out.exec[1],
                "CWD1" => &mut out.cwd[0],
                "CWD2" => &mut out.cwd[1],
                key => {
                    bail!(
                        "line {}: expected INPUT, LOG, EXEC1, EXEC2, CWD1 or CWD2, met `{key}`",
                        n + 1
                    );
                }
            };
            *slot = Some(value.trim().to_owned());
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bags, Config, End, Log, Played};
    use fifty::games::connexion::cells::Cell;
    use fifty::games::connexion::state::Move;
    use fifty::games::connexion::tiles::Kind;

    const EXAMPLE: &str = "\
R1 Y3 B1 G4 Y1 B3 Y2 R3 G1 R2 G3 G1 R2 R1 B4 G4 B2 Y2 R3 Y4 B1 R4 B4 B2 Y4 G2 R4 Y3 G2 B3 G3 Y1
G3 Y3 R1 Y2 R3 R1 Y1 B1 G1 R3 G2 Y4 Y2 Y3 B3 B2 B4 G2 R2 B4 R4 Y1 G4 R4 G3 Y4 G1 G4 B1 R2 B2 B3
";

    #[test]
    fn bags_read_back_and_wrong_ones_are_refused() {
        let bags = Bags::parse(EXAMPLE).unwrap();
        assert_eq!(bags.render(), EXAMPLE);
        assert!(Bags::parse(&EXAMPLE.replacen("R1", "Y3", 1)).is_err());
        assert!(Bags::parse(&EXAMPLE.replacen("R1 ", "", 1)).is_err());
        assert!(Bags::parse(EXAMPLE.lines().next().unwrap()).is_err());
        assert!(Bags::parse(&EXAMPLE.replacen("R1", "X0", 1)).is_err());
    }

    #[test]
    fn logs_read_back() {
        let kind = |t| Kind::parse(t).unwrap();
        let bags = Bags::parse(EXAMPLE).unwrap();
        let mut log = Log {
            commands: ["./a \"x\"".into(), "b".into()],
            init: Some([bags.0[0][..5].to_vec(), bags.0[1][..5].to_vec()]),
            moves: vec![Played {
                seat: 0,
                mv: Move {
                    cell: Cell::parse("a1+").unwrap(),
                    kind: kind("R1"),
                },
                drawn: Some(kind("B3")),
                ms: 70,
            }],
            end: End::Scores([128, 118]),
        };
        let text = log.render(&[(0, "hello".into())]);
        assert!(
            text.contains("[FIRST \"COMMAND: ./a \\\"x\\\"\"]\n[SECOND \"COMMAND: b\"]\n[RESULT \"1-0\"]\n")
        );
        assert!(
            text.contains(
                "\nINIT R1 Y3 B1 G4 Y1 G3 Y3 R1 Y2 R3\nFIRST a1+ R1 B3 70\nFINISH\nSCOREFIRST 128\n"
            )
        );
        assert!(text.ends_with("SCORESECOND 118\n# Debug FIRST: hello\n"));
        assert_eq!(Log::parse(&text).unwrap(), log);
        log.end = End::Abort(1, "NO TILE".into());
        log.init = None;
        assert_eq!(Log::parse(&log.render(&[])).unwrap(), log);
        assert!(Log::parse("FIRST a1- R1 X0 1\n").is_err());
    }

    #[test]
    fn configuration_files_name_what_they_set() {
        let config = Config::parse("# local\nINPUT=in.txt\nEXEC1 = ./a --x=1\nCWD2=/tmp\n").unwrap();
        assert_eq!(config.input.as_deref(), Some("in.txt"));
        assert_eq!(config.exec[0].as_deref(), Some("./a --x=1"));
        assert_eq!(config.cwd[1].as_deref(), Some("/tmp"));
        assert!(Config::parse("EXEC3=x").is_err() && Config::parse("nothing").is_err());
    }
}
