//! Rails for the technique matches: what the beam's parts and decoupled selection are worth.
//!
//! Games go on from recorded positions of the first forty turns. The beam players are the bot's own, foe first,
//! then the answer, at fixed work and without its side quest; what is compared is put around its nodes.

use crate::frame::{Contest, Pair, Player, Work};
use crate::settings::Mixed;
use crate::trees::grown;
use fifty::games::rails::cells::Cell;
use fifty::games::rails::duel::Duel;
use fifty::games::rails::map::Rules;
use fifty::games::rails::protocol::Reader;
use fifty::games::rails::search::Planner as Opinions;
use fifty::games::rails::state::{Plan, State};
use fifty::games::rails::unshipped::orders::resolve;
use fifty::games::rails::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::beam::{self, Beam, Candidate, Expand};
use fifty::search::game::Game;
use fifty::search::mcts::Params;
use fifty::search::policy::{Evaluate, Static, TreePolicy, Uct};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::sync::{Arc, OnceLock};

/// The game.
pub struct Tracks;

/// States a plan may expand, of either seat.
const WORK: u64 = 16;
/// Iterations of the tree searches.
const ITERATIONS: u64 = 3_000;
/// Recorded games that positions are taken from.
const GAMES: usize = 30;
/// Turns of each.
const TURNS: usize = 40;

/// Boards of recorded games.
fn positions() -> &'static [Duel] {
    static POSITIONS: OnceLock<Vec<Duel>> = OnceLock::new();
    POSITIONS.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rails/games.jsonl.gz");
        let file = std::fs::File::open(path).expect("the recorded games");
        let lines = BufReader::new(GzDecoder::new(file)).lines().take(GAMES);
        lines.flat_map(|line| boards(&line.expect("a line"))).collect()
    })
}

/// The boards of one record.
fn boards(line: &str) -> Vec<Duel> {
    let record: Value = serde_json::from_str(line).expect("a record");
    let init = record["init"][0].as_array().expect("init lines");
    let lines: Vec<&str> = init.iter().filter_map(Value::as_str).collect();
    let text = lines.join("\n") + "\n";
    let mut reader = Reader::new();
    reader.init(&mut text.as_bytes(), || {}).expect("memory");
    let mut map = reader.map;
    Arc::make_mut(&mut map).rules =
        Rules::inking(record["params"]["ink_threshold"].as_u64().expect("a threshold") as u8);
    let mut state = State::new();
    let mut all = Vec::new();
    for turn in record["turns"].as_array().expect("turns").iter().take(TURNS) {
        all.push(Duel {
            map: Arc::clone(&map),
            state,
        });
        let plans = [0, 1].map(|seat: usize| {
            let line = turn["outputs"][seat].as_str().expect("an output");
            resolve(&map, &state, line).plan
        });
        state.play(&map, &plans);
    }
    all
}

/// The bot's opinions with at most `PER_KEY` states of a layer (0: any number) on one first cell of the turn, and
/// equal states kept once or not.
struct Varied<const PER_KEY: usize, const DISTINCT: bool>(Opinions);

impl<const PER_KEY: usize, const DISTINCT: bool> Expand<Duel, 2> for Varied<PER_KEY, DISTINCT> {
    const PER_KEY: usize = PER_KEY;
    const DISTINCT: bool = DISTINCT;

    #[inline(always)]
    fn expand<L: Level>(&mut self, duel: &Duel, depth: usize, out: &mut Vec<Candidate<Plan, 2>>) {
        let from = out.len();
        self.0.expand::<L>(duel, depth, out);
        for candidate in &mut out[from..] {
            candidate.key = candidate.joint[self.0.seat()].cells[0].index() as u32;
        }
    }
}

/// The bot's way to plan.
struct Planner<const PER_KEY: usize, const DISTINCT: bool> {
    beam: Beam<Duel, Varied<PER_KEY, DISTINCT>, 2>,
    work: u64,
    keep: bool,
    plans: [Vec<Plan>; 2],
}

/// As the bot has it.
type Plain = Planner<0, true>;

impl<const PER_KEY: usize, const DISTINCT: bool> Planner<PER_KEY, DISTINCT> {
    fn new(work: u64) -> Self {
        Self::of_width(Weights::DEFAULT.width as usize, work)
    }

    /// Layers of up to `width` states.
    fn of_width(width: usize, work: u64) -> Self {
        let weights = Weights::DEFAULT;
        let params = beam::Params {
            layers: weights.depth as usize,
            widest: width,
            narrowest: 2,
            caution: 0.9,
            poll: 1,
        };
        let planner = Opinions::new(&positions()[0].map, weights);
        Self {
            beam: Beam::new(params, Varied(planner), 256),
            work,
            keep: true,
            plans: [Vec::new(), Vec::new()],
        }
    }

    /// The plan of `plans[own]` anew, against the other one.
    fn search(&mut self, duel: &Duel, who: usize, own: usize) {
        let planner = &mut self.beam.opinions.0;
        planner.aim(&duel.map, who, &self.plans[1 - own], duel.state.turn);
        let keep = if self.keep { &self.plans[own][..] } else { &[] };
        self.beam.search(duel, who, keep, Limit::work(self.work));
        self.plans[own] = self.beam.plan().to_vec();
    }
}

impl<const PER_KEY: usize, const DISTINCT: bool> Player<Duel> for Planner<PER_KEY, DISTINCT> {
    fn choose(&mut self, state: &Duel, seat: usize) -> Plan {
        self.search(state, 1 - seat, 1);
        self.search(state, seat, 0);
        let first = self.plans[0].first().copied().unwrap_or(Plan::WAIT);
        for plan in &mut self.plans {
            plan.drain(..plan.len().min(1));
        }
        first
    }

    fn clear(&mut self) {
        self.plans = [Vec::new(), Vec::new()];
    }
}

/// Points and income as a share.
#[derive(Clone)]
struct Points;

impl Points {
    fn shares(state: &State) -> [f32; 2] {
        let lead = state.scores[0] as f32 - state.scores[1] as f32;
        let rate = state.income[0] as f32 - state.income[1] as f32;
        let first = 1.0 / (1.0 + (-(lead + 10.0 * rate) / 50.0).exp());
        [first, 1.0 - first]
    }
}

impl Evaluate<Duel, 2> for Points {
    fn evaluate<L: Level>(&mut self, state: &Duel) -> [f32; 2] {
        Self::shares(&state.state)
    }
}

impl Evaluate<Turnwise, 2> for Points {
    fn evaluate<L: Level>(&mut self, state: &Turnwise) -> [f32; 2] {
        Self::shares(&state.duel.state)
    }
}

/// The same game as if one seat moved first and the other saw it.
#[derive(Clone)]
struct Turnwise {
    duel: Duel,
    first: usize,
    chosen: Option<Plan>,
}

impl Game<2> for Turnwise {
    type Move = Plan;

    fn is_over(&self) -> bool {
        self.duel.is_over()
    }

    fn payoff(&self) -> [f32; 2] {
        self.duel.payoff()
    }

    fn to_move(&self) -> usize {
        self.first ^ usize::from(self.chosen.is_some())
    }

    fn moves(&self, seat: usize, out: &mut Vec<Plan>) {
        self.duel.moves(seat, out);
    }

    fn advance(&mut self, joint: &[Plan; 2], rng: &mut Rng) {
        let m = joint[self.to_move()];
        match self.chosen.take() {
            None => self.chosen = Some(m),
            Some(before) => {
                let mut both = [m; 2];
                both[self.first] = before;
                self.duel.advance(&both, rng);
            }
        }
    }

    fn hash(&self) -> u64 {
        let half = self.chosen.map_or(0, |m| {
            let cells = m.cells.map(|cell: Cell| cell.index() as u64);
            (cells[0] << 8 | u64::from(m.region)) + 1
        });
        self.duel.hash() ^ half.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// A player of [`Turnwise`] at the real game: it moves first.
struct Seen<P>(P);

impl<P: Player<Turnwise>> Player<Duel> for Seen<P> {
    fn choose(&mut self, state: &Duel, seat: usize) -> Plan {
        let game = Turnwise {
            duel: state.clone(),
            first: seat,
            chosen: None,
        };
        self.0.choose(&game, seat)
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

/// The tree search in which both seats choose at once.
fn joint<P: TreePolicy<Duel, 2>>(policy: P, widest: usize, work: u64) -> impl Player<Duel> {
    grown::<Duel, _, _>(Params::DEFAULT, Static(Points), policy, widest, work, 1)
}

impl Contest for Tracks {
    type State = Duel;
    const TITLE: &'static str = "rails, from recorded positions";

    fn opening(rng: &mut Rng) -> Duel {
        let all = positions();
        all[rng.below(all.len() as u32) as usize].clone()
    }

    fn legal(duel: &Duel, _: usize, m: Plan) -> bool {
        duel.state.allows(&duel.map, &m)
    }

    fn pair(name: &str, work: Work) -> Option<Pair<Self>> {
        let (n, base) = (work.of(WORK), work.base(WORK));
        let plain = || Box::new(Plain::new(base));
        let (iterations, rounds, widest) = (work.of(ITERATIONS), work.base(ITERATIONS), 400);
        Some(match name {
            "beam-double" => (Box::new(Plain::new(2 * base)), plain()),
            "beam-keep" => {
                let mut forgets = plain();
                forgets.keep = false;
                (Box::new(Plain::new(n)), forgets)
            }
            "beam-distinct" => (Box::new(Plain::new(n)), Box::new(Planner::<0, false>::new(base))),
            "beam-diverse-2" => (Box::new(Planner::<2, true>::new(n)), plain()),
            // Layers of five states each, whatever they cost, against widths by what is left.
            "beam-adaptive" => (Box::new(Plain::new(n)), Box::new(Plain::of_width(5, u64::MAX))),
            "decoupled" => {
                let seen = grown::<Turnwise, _, _>(Params::DEFAULT, Static(Points), Uct, widest, rounds, 2);
                (Box::new(joint(Uct, widest, iterations)), Box::new(Seen(seen)))
            }
            "decoupled-mixed" => (
                Box::new(joint(Mixed {}, widest, iterations)),
                Box::new(joint(Uct, widest, rounds)),
            ),
            _ => return None,
        })
    }
}
