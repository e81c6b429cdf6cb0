//! Opponents beside our own bots: random orders, AUTOPLACE with the best disruption, the sparring partner.

use super::partner::partner;
use crate::adapter::Player;
use fifty::games::rails::bot::line;
use fifty::games::rails::map::Map;
use fifty::games::rails::protocol::Reader;
use fifty::games::rails::state::State;
use fifty::games::rails::unshipped::autoplace::autoplace;
use fifty::kit::rng::Rng;

/// How an opponent chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Random cells and regions.
    Random,
    /// The nearest open wish, the region that costs the other one most.
    Greedy,
    /// The sparring partner, trying so many boards a turn.
    Beam(usize),
}

/// One seat of such an opponent.
pub struct Builtin {
    kind: Kind,
    rng: Rng,
    reader: Reader,
    begun: bool,
}

impl Builtin {
    /// A new opponent; only `Random` uses the seed.
    pub fn new(kind: Kind, seed: u64) -> Self {
        Self {
            kind,
            rng: Rng::new(seed),
            reader: Reader::new(),
            begun: false,
        }
    }

    fn answer(&mut self) -> String {
        let (map, state, me) = (&self.reader.map, &self.reader.state, self.reader.seat);
        match self.kind {
            Kind::Random => random(map, state, &mut self.rng),
            Kind::Greedy => greedy(map, state, me),
            Kind::Beam(boards) => line(partner(map, state, me, boards)),
        }
    }
}

fn random(map: &Map, state: &State, rng: &mut Rng) -> String {
    let free: Vec<_> = state.buildable(map).iter().collect();
    let mut parts = Vec::new();
    for _ in 0..3 {
        if !free.is_empty() {
            let cell = free[rng.below(free.len() as u32) as usize];
            parts.push(format!("PLACE_TRACKS {} {}", cell.x(), cell.y()));
        }
    }
    parts.push(format!("DISRUPT {}", rng.below(map.regions.len().max(1) as u32)));
    parts.join(";")
}

/// AUTOPLACE of the nearest open wish that has a route, DISRUPT of the region where the other side's
/// active tracks outnumber ours most (then its tracks at all).
pub fn greedy(map: &Map, state: &State, me: usize) -> String {
    let mut open: Vec<_> = map
        .wishes
        .iter()
        .zip(&state.links)
        .filter(|(_, link)| link.length == 0)
        .map(|(wish, _)| (map.towns[usize::from(wish.from)], map.towns[usize::from(wish.to)]))
        .collect();
    open.sort_by_key(|(a, b)| a.distance(*b));
    let mut parts = Vec::new();
    if let Some((a, b)) = open
        .into_iter()
        .find(|&(a, b)| !autoplace(map, state, a, b).is_empty())
    {
        parts.push(format!("AUTOPLACE {} {} {} {}", a.x(), a.y(), b.x(), b.y()));
    }
    let mut active = vec![0i32; map.regions.len()];
    for w in 0..map.wishes.len() {
        for cell in state.path(map, w) {
            let value = [1 - me, me].map(|seat| i32::from(state.tracks[seat].has(cell)));
            active[usize::from(map.region[cell.index()])] += value[0] - value[1];
        }
    }
    let best = (0..map.regions.len())
        .filter(|&r| state.disruptable(map, r as u8))
        .max_by_key(|&r| {
            let tracks = |seat: usize| state.tracks[seat].and(&map.regions[r]).len() as i32;
            (
                active[r] * 4 + i32::from(state.instability[r]),
                tracks(1 - me) - tracks(me),
            )
        });
    if let Some(region) = best {
        parts.push(format!("DISRUPT {region}"));
    }
    if parts.is_empty() {
        parts.push("WAIT".into());
    }
    parts.join(";")
}

impl Player for Builtin {
    fn respond(&mut self, send: &str, _want: usize) -> Vec<u8> {
        let mut input = send.as_bytes();
        let fresh = !core::mem::replace(&mut self.begun, true);
        let read = (!fresh || self.reader.init(&mut input, || {}).unwrap_or(false))
            && self.reader.turn(&mut input, || {}).unwrap_or(false);
        if read {
            (self.answer() + "\n").into_bytes()
        } else {
            Vec::new()
        }
    }
}
