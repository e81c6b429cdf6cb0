//! Rails for the technique matches: what the beam's parts and decoupled selection are worth.
//!
//! Games go on from recorded positions of the first forty turns. The beam players are the bot's own, foe first,
//! then the answer, at fixed work and without its side quest; what is compared is put around its nodes.

use crate::{grown, Contest, Player, Seat, Work};
use fifty::games::rails::cells::Cell;
use fifty::games::rails::map::Rules;
use fifty::games::rails::planner::{Context, Node};
use fifty::games::rails::reader::Reader;
use fifty::games::rails::state::{Plan, State};
use fifty::games::rails::unshipped::duel::Duel;
use fifty::games::rails::unshipped::orders::resolve;
use fifty::games::rails::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::beam::{self, Beam, Candidate};
use fifty::search::game::Game;
use fifty::search::mcts::{Choice, Params};
use fifty::search::policy::{Evaluate, NoPrior, Static};
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
    reader.map.rules = Rules {
        ink_threshold: record["params"]["ink_threshold"].as_u64().expect("a threshold") as u8,
        town_regions_disruptable: false,
    };
    let map = Arc::new(reader.map);
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

/// What is changed about the nodes of the beam.
#[derive(Clone, Copy, Default)]
struct Change {
    /// Equal states are all kept.
    twins: bool,
    /// The key is the first cell of the turn, so that [`beam::Params::per_key`] bounds it.
    by_cell: bool,
}

/// A node of the bot's beam with a change.
#[derive(Clone)]
struct Varied<'a> {
    node: Node<'a>,
    change: Change,
}

impl beam::Plan for Varied<'_> {
    type Step = Plan;

    fn steps<L: Level>(&self, out: &mut Vec<Plan>) {
        self.node.steps::<L>(out);
    }

    fn apply<L: Level>(&mut self, step: Plan) {
        self.node.apply::<L>(step);
    }

    fn value<L: Level>(&self) -> f32 {
        self.node.value::<L>()
    }

    fn hash(&self) -> u64 {
        self.node.hash()
    }

    fn expand<L: Level>(&self, steps: &mut Vec<Plan>, out: &mut Vec<Candidate<Plan>>) {
        let from = out.len();
        self.node.expand::<L>(steps, out);
        for (i, candidate) in out.iter_mut().enumerate().skip(from) {
            if self.change.twins {
                // Hashes of no two candidates are alike.
                candidate.hash ^= (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            }
            if self.change.by_cell {
                candidate.key = candidate.step.cells[0].index() as u32;
            }
        }
    }
}

/// The bot's way to plan.
struct Planner {
    weights: Weights,
    work: u64,
    params: beam::Params,
    change: Change,
    keep: bool,
    plans: [Vec<Plan>; 2],
}

impl Planner {
    fn new(work: u64) -> Self {
        let weights = Weights::DEFAULT;
        let params = beam::Params {
            layers: weights.depth as usize,
            widest: weights.width as usize,
            narrowest: 2,
            per_key: 0,
            caution: 0.9,
            poll: 1,
        };
        Self {
            weights,
            work,
            params,
            change: Change::default(),
            keep: true,
            plans: [Vec::new(), Vec::new()],
        }
    }

    /// Layers of `width` states each, whatever they cost.
    fn fixed(mut self, width: usize) -> Self {
        self.params.widest = width;
        self.work = u64::MAX;
        self
    }

    fn search(&self, duel: &Duel, who: usize, against: Vec<Plan>, keep: &[Plan]) -> Vec<Plan> {
        let context = Context::new(&duel.map, &self.weights, who, against, duel.state.turn);
        let mut beam = Beam::new(self.params.clone(), 256);
        let start = Varied {
            node: Node::new(&context, &duel.state),
            change: self.change,
        };
        let keep = if self.keep { keep } else { &[] };
        beam.search(&start, keep, Limit::work(self.work));
        beam.plan().to_vec()
    }
}

impl Player<Duel> for Planner {
    fn choose(&mut self, state: &Duel, seat: usize) -> Plan {
        let foe = self.search(state, 1 - seat, self.plans[0].clone(), &self.plans[1]);
        let mine = self.search(state, seat, foe.clone(), &self.plans[0]);
        let first = mine.first().copied().unwrap_or(Plan::WAIT);
        self.plans = [mine, foe].map(|plan| plan.get(1..).unwrap_or_default().to_vec());
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

impl Contest for Tracks {
    type State = Duel;

    fn opening(rng: &mut Rng) -> Duel {
        let all = positions();
        all[rng.below(all.len() as u32) as usize].clone()
    }

    fn legal(duel: &Duel, _: usize, m: Plan) -> bool {
        duel.state.allows(&duel.map, &m)
    }

    fn names() -> Vec<&'static str> {
        vec![
            "beam-double",
            "beam-keep",
            "beam-distinct",
            "beam-diverse-2",
            "beam-adaptive",
            "decoupled",
            "decoupled-mixed",
        ]
    }

    fn pair(name: &str, work: Work) -> Option<(Seat<Self>, Seat<Self>)> {
        let n = work.of(WORK);
        let plain = || Box::new(Planner::new(WORK));
        let (iterations, widest) = (work.of(ITERATIONS), 400);
        let joint = |choice, work| {
            let params = Params {
                choice,
                ..Params::DEFAULT
            };
            grown::<Duel, _, _>(params, Static(Points), NoPrior, widest, work, 1)
        };
        Some(match name {
            "beam-double" => (Box::new(Planner::new(2 * WORK)), plain()),
            "beam-keep" => {
                let mut forgets = plain();
                forgets.keep = false;
                (Box::new(Planner::new(n)), forgets)
            }
            "beam-distinct" => {
                let mut twins = plain();
                twins.change.twins = true;
                (Box::new(Planner::new(n)), twins)
            }
            "beam-diverse-2" => {
                let mut diverse = Planner::new(n);
                diverse.params.per_key = 2;
                diverse.change.by_cell = true;
                (Box::new(diverse), plain())
            }
            "beam-adaptive" => (Box::new(Planner::new(n)), Box::new(Planner::new(WORK).fixed(5))),
            "decoupled" => {
                let seen =
                    grown::<Turnwise, _, _>(Params::DEFAULT, Static(Points), NoPrior, widest, ITERATIONS, 2);
                (Box::new(joint(Choice::Visits, iterations)), Box::new(Seen(seen)))
            }
            "decoupled-mixed" => (
                Box::new(joint(Choice::Mixed, iterations)),
                Box::new(joint(Choice::Visits, ITERATIONS)),
            ),
            _ => return None,
        })
    }
}
