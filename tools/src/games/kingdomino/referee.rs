//! The referee of one game, 2 to 4 players, both variants.

use super::protocol;
use crate::referee::{Ask, Outcome, Referee, Reply, Verdict};
use fifty::games::kingdomino::protocol::Shape;
use fifty::games::kingdomino::state::{FREE, Lane, State};
use fifty::games::kingdomino::tile::Tile;
use fifty::kit::rng::Rng;
use serde_json::{Value, json};
use std::time::Duration;

/// The box in an order that depends on the seed alone.
pub fn shuffled(seed: u64) -> Vec<Tile> {
    let mut deck: Vec<Tile> = (1..=48).map(Tile::of_box).collect();
    Rng::new(seed).shuffle(&mut deck);
    deck
}

/// One game in progress.
pub struct KingdominoReferee<const N: usize> {
    state: State<N>,
    shape: Shape,
    deck: Vec<Tile>,
    drawn: usize,
    forgiving: bool,
    asked: [bool; N],
    discards: [u32; N],
    verdicts: Vec<Verdict>,
    faulty: Option<usize>,
}

impl<const N: usize> KingdominoReferee<N> {
    /// A game with this deck, drawn from the front; tiles beyond what the variant uses stay hidden.
    /// `forgiving`: an illegal PUT costs the tile, not the game.
    pub fn new(shape: Shape, deck: Vec<Tile>, forgiving: bool) -> Self {
        let mut referee = Self {
            state: State::new(shape.variant),
            shape,
            deck,
            drawn: 0,
            forgiving,
            asked: [false; N],
            discards: [0; N],
            verdicts: vec![Verdict::Fine; N],
            faulty: None,
        };
        referee.draw();
        referee
    }

    /// The position.
    pub fn state(&self) -> &State<N> {
        &self.state
    }

    /// Tiles discarded so far, by seat.
    pub fn discards(&self) -> [u32; N] {
        self.discards
    }

    /// True when nothing more will be asked.
    pub fn finished(&self) -> bool {
        self.faulty.is_some() || self.state.over()
    }

    fn draw(&mut self) {
        if self.state.wants_draw() {
            let to = (self.drawn + self.state.variant.lanes as usize).min(self.deck.len());
            self.state.deal(&self.deck[self.drawn..to]);
            self.drawn = to;
        }
    }

    /// Plays the mover's answer lines.
    pub fn answer(&mut self, lines: &[String]) {
        let mover = self.state.mover();
        match protocol::action(&self.state, lines, self.forgiving) {
            Ok((action, _)) => {
                if self.state.tile_in_play() != Tile::NONE && action.put().is_none() {
                    self.discards[mover] += 1;
                }
                self.state.play(action);
                if !self.state.over() {
                    self.draw();
                }
            }
            Err(verdict) => self.fail(mover, verdict),
        }
    }

    fn fail(&mut self, seat: usize, verdict: Verdict) {
        self.verdicts[seat] = verdict;
        self.faulty = Some(seat);
    }

    /// Scores with the extra points of the tie-breaks: of equal scores those with most squares get one,
    /// of those still equal the ones with most crowns get one more.
    pub fn scores(&self) -> [u32; N] {
        let ranks = self.state.kingdoms.map(|k| k.rank());
        std::array::from_fn(|i| {
            let (score, squares, crowns) = ranks[i];
            let tied: Vec<_> = ranks.iter().filter(|r| r.0 == score).collect();
            if tied.len() < 2 {
                return score;
            }
            let most = tied.iter().map(|r| r.1).max().unwrap_or(0);
            if squares < most {
                return score;
            }
            let still: Vec<_> = tied.iter().filter(|r| r.1 == most).collect();
            let top = still.iter().map(|r| r.2).max().unwrap_or(0);
            score + 1 + u32::from(still.len() > 1 && crowns == top)
        })
    }
}

impl<const N: usize> Referee for KingdominoReferee<N> {
    fn asks(&mut self) -> Vec<Ask> {
        if self.finished() {
            return Vec::new();
        }
        let seat = self.state.mover();
        let first = !std::mem::replace(&mut self.asked[seat], true);
        let mut send = if first {
            protocol::init(self.shape)
        } else {
            String::new()
        };
        send.push_str(&protocol::call(&self.state));
        vec![Ask {
            seat,
            send,
            want: 2,
            limit: Duration::from_millis(if first { 1000 } else { 50 }),
        }]
    }

    fn reply(&mut self, replies: &[Reply]) {
        for reply in replies {
            match &reply.output {
                Ok(_) => self.answer(&reply.lines()),
                Err(fault) => self.fail(reply.seat, (*fault).into()),
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.finished() {
            return None;
        }
        let mut points: Vec<f64> = self.state.points().iter().map(|&p| f64::from(p)).collect();
        if let Some(seat) = self.faulty {
            // The faulty one comes last; the others share what is above by their standing now.
            let below = points[seat];
            for (i, p) in points.iter_mut().enumerate() {
                if i == seat {
                    *p = 0.0;
                } else if *p <= below {
                    *p += 1.0 / (N as f64 - 1.0) * if (*p - below).abs() < 1e-9 { 0.5 } else { 1.0 };
                }
            }
        }
        Some(Outcome {
            scores: self.scores().iter().map(|&s| f64::from(s)).collect(),
            points,
            end: match self.faulty {
                Some(_) => "fault".into(),
                None => "all tiles placed".into(),
            },
            verdicts: self.verdicts.clone(),
        })
    }

    fn redraw(&mut self, seed: u64) {
        Rng::new(seed).shuffle(&mut self.deck[self.drawn..]);
    }

    fn view(&self) -> Value {
        let lane = |lane: &Lane| -> Vec<Value> {
            (0..lane.len as usize)
                .filter(|&i| lane.tiles[i] != Tile::NONE)
                .map(|i| {
                    let owner = match lane.owners[i] {
                        FREE => Value::Null,
                        seat => json!(seat),
                    };
                    json!({"tile": protocol::tile(lane.tiles[i]), "owner": owner})
                })
                .collect()
        };
        json!({
            "turn": self.state.turn,
            "sequence": self.state.done,
            "player": if self.finished() { Value::Null } else { json!(self.state.mover()) },
            "scores": self.state.kingdoms.iter().map(fifty::games::kingdomino::kingdom::Kingdom::score).collect::<Vec<_>>(),
            "discards": self.discards.to_vec(),
            "grids": self.state.kingdoms.iter().map(protocol::grid).collect::<Vec<_>>(),
            "row": lane(&self.state.row),
            "offer": lane(&self.state.offer),
        })
    }
}
