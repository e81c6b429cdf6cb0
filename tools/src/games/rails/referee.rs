//! One rails game between two seats: what is sent, what the answers do, how it ends.

use anyhow::{Context, bail};
use crate::adapter::Setup;
use crate::referee::{Ask, Outcome, Referee, Reply, Verdict};
use fifty::games::rails::map::{Map, Rules};
use fifty::games::rails::state::{Plan, State};
use fifty::games::rails::unshipped::mapgen::generate;
use fifty::games::rails::unshipped::orders::resolve;
use fifty::games::rails::unshipped::text::{init_lines, turn_lines};
use serde_json::{Value, json};
use std::time::Duration;

/// Options of a game: name, default, allowed values.
pub const OPTIONS: &[(&str, &str, &str)] = &[
    (
        "variant",
        "utg",
        "utg (inks at 3, places of interest), utg-ink4, btk (inks at 4, none)",
    ),
    ("ink_threshold", "by variant", "1 to 9"),
    ("poi", "by variant", "true or false"),
    ("town_regions_disruptable", "false", "true or false"),
    ("towns", "by seed", "5 to 12, or a range as 5-6: the maps of other seeds are passed over"),
];

/// The options of one game, understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Threshold and immunity.
    pub rules: Rules,
    /// Cells of type 3 on the map.
    pub poi: bool,
    /// Fewest and most towns of the map, if that is not left to the seed.
    pub towns: Option<(usize, usize)>,
}

/// Towns the generator makes, fewest and most; one of 200 maps is one short.
const TOWNS: (usize, usize) = (5, 12);

impl Variant {
    /// From a setup's options; errors name the option.
    pub fn from_setup(setup: &Setup) -> anyhow::Result<Self> {
        let option = |name: &str| setup.options.get(name).map(String::as_str);
        let (ink_threshold, poi) = match option("variant").unwrap_or("utg") {
            "utg" => (3, true),
            "utg-ink4" => (4, true),
            "btk" => (4, false),
            other => bail!("option variant: utg, utg-ink4 or btk, not {other:?}"),
        };
        let mut variant = Self {
            rules: Rules::inking(ink_threshold),
            poi,
            towns: None,
        };
        for (name, value) in &setup.options {
            let wrong = || format!("option {name}: no value {value:?}");
            match name.as_str() {
                "variant" => {}
                "ink_threshold" => {
                    variant.rules.ink_threshold = value
                        .parse()
                        .ok()
                        .filter(|t| (1..=9).contains(t))
                        .with_context(wrong)?;
                }
                "poi" => variant.poi = value.parse().ok().with_context(wrong)?,
                "towns" => {
                    let number = |text: &str| text.parse().ok().filter(|n| (TOWNS.0..=TOWNS.1).contains(n));
                    let (low, high) = value.split_once('-').unwrap_or((value, value));
                    let range = number(low).zip(number(high)).filter(|(low, high)| low <= high);
                    variant.towns = Some(range.with_context(wrong)?);
                }
                "town_regions_disruptable" => {
                    variant.rules.town_regions_disruptable = value.parse().ok().with_context(wrong)?;
                }
                _ => {
                    bail!(
                        "no option named {name}; rails has variant, ink_threshold, poi, \
                         town_regions_disruptable, towns"
                    );
                }
            }
        }
        Ok(variant)
    }

    /// The map of `seed`; where that has not as many towns as asked for, the first that has in a row of its own.
    pub fn map(&self, seed: u64) -> Map {
        let mut seed = seed;
        loop {
            let map = generate(seed as i64, self.poi, self.rules);
            let fits = |(low, high)| (low..=high).contains(&map.towns.len());
            if self.towns.is_none_or(fits) {
                return map;
            }
            seed = seed.wrapping_add(STRIDE);
        }
    }
}

/// Between the seeds of such a row: no two runs meet in it.
const STRIDE: u64 = 1 << 32;

/// The game as its referee keeps it, without transport.
pub struct Game {
    /// The board that never changes.
    pub map: Map,
    /// The board that does.
    pub state: State,
    /// Seats that answered nothing or nonsense.
    pub out: [bool; 2],
    /// Seats that met the side quest's wording.
    pub quest: [bool; 2],
    /// Messages of the last turn.
    pub messages: [Vec<String>; 2],
}

impl Game {
    /// A game on `map`.
    pub fn new(map: Map) -> Self {
        Self {
            map,
            state: State::new(),
            out: [false; 2],
            quest: [false; 2],
            messages: [Vec::new(), Vec::new()],
        }
    }

    /// Plays one turn; `None` for a seat that did not answer in time.
    pub fn step(&mut self, lines: [Option<&str>; 2]) {
        let mut plans = [Plan::WAIT; 2];
        for (seat, line) in lines.iter().enumerate() {
            if let Some(line) = line {
                let resolved = resolve(&self.map, &self.state, line);
                plans[seat] = resolved.plan;
                self.messages[seat] = resolved.messages;
                self.out[seat] = resolved.invalid;
            } else {
                self.messages[seat].clear();
                self.out[seat] = true;
            }
        }
        self.state.play(&self.map, &plans);
        for seat in 0..2 {
            self.quest[seat] |= self.state.side_quest(&self.map, seat);
        }
    }

    /// Scores as shown: -1 for a deactivated seat.
    pub fn scores(&self) -> [i64; 2] {
        [0, 1].map(|seat| {
            if self.out[seat] {
                -1
            } else {
                i64::from(self.state.scores[seat])
            }
        })
    }

    /// Why the game is over, if it is.
    pub fn end(&self) -> Option<&'static str> {
        if self.out.contains(&true) {
            Some("deactivated")
        } else if self.state.turn >= 100 {
            Some("turn-limit")
        } else if self.state.stuck {
            Some("no-connection-possible")
        } else {
            None
        }
    }

    /// The turn's block as `seat` reads it.
    pub fn turn_lines(&self, seat: usize) -> Vec<String> {
        turn_lines(&self.map, &self.state, self.scores(), seat)
    }
}

/// A running game, asked and answered in text.
pub struct RailsReferee {
    game: Game,
    last: [String; 2],
    verdicts: [Verdict; 2],
}

impl RailsReferee {
    /// A game from options; errors name the option.
    pub fn new(setup: &Setup) -> anyhow::Result<Self> {
        let variant = Variant::from_setup(setup)?;
        let map = variant.map(setup.seed);
        Ok(Self {
            game: Game::new(map),
            last: [String::new(), String::new()],
            verdicts: [Verdict::Fine, Verdict::Fine],
        })
    }
}

impl Referee for RailsReferee {
    fn asks(&mut self) -> Vec<Ask> {
        if self.game.end().is_some() {
            return Vec::new();
        }
        let first = self.game.state.turn == 0;
        (0..2)
            .map(|seat| {
                let mut lines = Vec::new();
                if first {
                    lines = init_lines(&self.game.map, seat);
                }
                lines.extend(self.game.turn_lines(seat));
                let mut send = lines.join("\n");
                send.push('\n');
                Ask {
                    seat,
                    send,
                    want: 1,
                    limit: Duration::from_millis(if first { 1000 } else { 50 }),
                }
            })
            .collect()
    }

    fn reply(&mut self, replies: &[Reply]) {
        let mut lines: [Option<String>; 2] = [None, None];
        for reply in replies {
            match reply.output {
                Ok(_) => lines[reply.seat] = Some(reply.lines().into_iter().next().unwrap_or_default()),
                Err(fault) => self.verdicts[reply.seat] = fault.into(),
            }
        }
        self.game.step([lines[0].as_deref(), lines[1].as_deref()]);
        for (seat, line) in lines.into_iter().enumerate() {
            if line.is_some() && self.game.out[seat] {
                let message = self.game.messages[seat].first().cloned().unwrap_or_default();
                self.verdicts[seat] = Verdict::Invalid(message);
            }
            self.last[seat] = line.unwrap_or_default();
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let end = self.game.end()?;
        let scores = self.game.scores();
        let points = [0, 1].map(|seat: usize| match scores[seat].cmp(&scores[1 - seat]) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        });
        Some(Outcome {
            scores: scores.iter().map(|&s| s as f64).collect(),
            points: points.to_vec(),
            end: end.into(),
            verdicts: self.verdicts.to_vec(),
        })
    }

    fn view(&self) -> Value {
        json!({
            "init": init_lines(&self.game.map, 0),
            "turn": self.game.turn_lines(0),
            "number": self.game.state.turn,
            "scores": self.game.scores(),
            "quest": self.game.quest,
            "orders": self.last,
            "messages": self.game.messages,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Variant;
    use crate::adapter::Setup;

    fn variant(towns: &str) -> anyhow::Result<Variant> {
        Variant::from_setup(&Setup {
            options: [("towns".to_owned(), towns.to_owned())].into(),
            ..Setup::default()
        })
    }

    #[test]
    fn maps_have_the_towns_asked_for() {
        let small = variant("5-6").unwrap();
        let mut sizes = [0; 16];
        for seed in 1..25 {
            sizes[small.map(seed).towns.len()] += 1;
        }
        assert_eq!(sizes[5] + sizes[6], 24, "{sizes:?}");
        assert!(sizes[5] > 0 && sizes[6] > 0, "{sizes:?}");
        assert_eq!(variant("12").unwrap().map(1).towns.len(), 12);
        for wrong in ["4", "13", "6-5", "x", ""] {
            let error = variant(wrong).unwrap_err().to_string();
            assert!(error.starts_with("option towns"), "{wrong}: {error}");
        }
    }
}
