//! One wondev game between two seats.

use anyhow::{Context, bail};
use super::features;
use super::protocol::{Answer, init_lines, read_answer, turn_lines};
use crate::adapter::Setup;
use crate::referee::{Ask, Features, Outcome, Referee, Reply, Verdict};
use fifty::games::wondev::state::{Flow, League, State};
use fifty::games::wondev::unshipped::setup::{self, Map};
use fifty::search::game::Game;
use serde_json::{Value, json};
use std::time::Duration;

/// Options of a game: name, default, allowed values.
pub const OPTIONS: &[(&str, &str, &str)] = &[
    ("league", "0", "0 climb, 1 points, 2 two units and pushes, 3 fog"),
    ("flow", "turn", "turn or round: when a climb ends a league 0 game"),
    ("map", "seed", "seed, 0 square, 1 diamond, 2 random"),
    ("symmetric", "false", "true or false: mirrored starting squares"),
];

/// A running game.
pub struct WondevReferee {
    state: State,
    size: u8,
    asked: [bool; 2],
    verdicts: [Verdict; 2],
    end: &'static str,
}

impl WondevReferee {
    /// A game from options; errors name the option.
    pub fn new(options: &Setup) -> anyhow::Result<Self> {
        let mut start = setup::Setup::new(League::Climb, Flow::Turn, options.seed as i64);
        for (name, value) in &options.options {
            let number = value.parse::<u64>().ok();
            let wrong = || format!("option {name}: no value {value:?}");
            match name.as_str() {
                "league" => start.league = number.and_then(League::from_number).with_context(wrong)?,
                "flow" => {
                    start.flow = match value.as_str() {
                        "turn" => Flow::Turn,
                        "round" => Flow::Round,
                        _ => bail!(wrong()),
                    }
                }
                "map" if value == "seed" => start.map = None,
                "map" => start.map = Some(number.and_then(Map::from_number).with_context(wrong)?),
                "symmetric" => start.symmetric = value.parse().ok().with_context(wrong)?,
                _ => {
                    bail!(
                        "no option named {name}; wondev has league, flow, map, symmetric"
                    );
                }
            }
        }
        Ok(Self::start(&start))
    }

    /// A game from a setup.
    pub fn start(options: &setup::Setup) -> Self {
        let (state, size) = setup::start(options);
        Self {
            state,
            size,
            asked: [false; 2],
            verdicts: [Verdict::Fine, Verdict::Fine],
            end: "",
        }
    }

    /// The position now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Size of the grid.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Plays one answer of the mover; `None` is a fault of its process.
    pub fn answer(&mut self, line: Option<&str>) {
        let me = self.state.mover();
        match line.map_or(Answer::Resign, |line| read_answer(&self.state, line)) {
            Answer::Play(m) => {
                self.state.play(m);
                self.end = "points";
                if self.state.is_over() && self.state.league() == League::Climb {
                    self.end = "climb";
                }
                return;
            }
            // Nobody can answer well without a legal action; the judge calls that a loss, not a fault.
            _ if !self.state.can_act() => self.end = "stuck",
            Answer::Resign => self.end = "gave up",
            Answer::Invalid(why) => {
                self.end = "invalid action";
                self.verdicts[me] = Verdict::Invalid(why);
            }
            Answer::Garbage(met) => {
                self.end = "garbage";
                self.verdicts[me] = Verdict::Garbage(met);
            }
        }
        self.state.die();
    }
}

impl Referee for WondevReferee {
    fn asks(&mut self) -> Vec<Ask> {
        if self.state.is_over() {
            return Vec::new();
        }
        let seat = self.state.mover();
        let first = !std::mem::replace(&mut self.asked[seat], true);
        let mut lines = if first {
            init_lines(&self.state, self.size)
        } else {
            Vec::new()
        };
        lines.extend(turn_lines(&self.state, self.size));
        vec![Ask {
            seat,
            send: lines.join("\n") + "\n",
            want: 1,
            limit: Duration::from_millis(if first { 1000 } else { 50 }),
        }]
    }

    fn reply(&mut self, replies: &[Reply]) {
        for reply in replies {
            match &reply.output {
                Ok(_) => {
                    let lines = reply.lines();
                    self.answer(Some(lines.first().map_or("", String::as_str)));
                }
                Err(fault) => {
                    self.verdicts[reply.seat] = Verdict::from(*fault);
                    self.answer(None);
                }
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.is_over().then(|| Outcome {
            scores: self.state.scores().map(f64::from).to_vec(),
            points: self.state.payoff().map(f64::from).to_vec(),
            end: self.end.to_owned(),
            verdicts: self.verdicts.to_vec(),
        })
    }

    fn view(&self) -> Value {
        let rows = turn_lines(&self.state, self.size)[..usize::from(self.size)].to_vec();
        let units: Vec<Vec<Value>> = (0..2)
            .map(|p| {
                self.state.units(p)[..self.state.league().units()]
                    .iter()
                    .map(|sq| json!([sq.x(), sq.y()]))
                    .collect()
            })
            .collect();
        json!({
            "rows": rows, "units": units, "points": self.state.scores(),
            "mover": self.state.mover(), "rounds": self.state.rounds(),
            "dead": [self.state.is_dead(0), self.state.is_dead(1)],
        })
    }
    fn features(&self) -> Option<Features> {
        (!self.state.is_over()).then(|| features::of(&self.state))
    }
}
