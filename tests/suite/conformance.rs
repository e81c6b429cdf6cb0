//! What every game must keep, played through its search interface on random games.

use fifty::kit::rng::Rng;
use fifty::search::game::Game;
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

/// Plays `games` random games from `start`, checking in every state: moves never empty, no duplicates,
/// payoffs in range, equal states hash equally after a clone, a sample offers the mover the same moves
/// (unless `HIDDEN` parts decide them), and the game ends within `max_turns`.
pub fn check<const N: usize, G: Game<N>>(mut start: impl FnMut(u64) -> G, games: u64, max_turns: usize) {
    let mut moves = Vec::new();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = start(seed);
        let mut turns = 0;
        while !state.is_over() {
            assert!(turns < max_turns, "seed {seed}: no end after {max_turns} turns");
            assert_eq!(state.hash(), state.clone().hash());
            let mut joint = [G::Move::default(); N];
            let seats: Vec<usize> = if G::SIMULTANEOUS {
                (0..N).collect()
            } else {
                vec![state.to_move()]
            };
            for seat in seats {
                moves.clear();
                state.moves(seat, &mut moves);
                assert!(
                    !moves.is_empty(),
                    "seed {seed} turn {turns} seat {seat}: no move, not over"
                );
                let keys: HashSet<String> = moves.iter().map(|m| format!("{m:?}")).collect();
                assert_eq!(
                    keys.len(),
                    moves.len(),
                    "seed {seed} turn {turns}: duplicate moves"
                );
                let mut again = Vec::new();
                state.sample(seat, &mut rng).moves(seat, &mut again);
                assert!(
                    again == moves,
                    "seed {seed} turn {turns} seat {seat}: a sample changes my own moves"
                );
                joint[seat] = moves[rng.below(moves.len() as u32) as usize];
            }
            state.advance(&joint, &mut rng);
            turns += 1;
        }
        for (seat, p) in state.payoff().into_iter().enumerate() {
            assert!((0.0..=1.0).contains(&p), "seed {seed} seat {seat}: payoff {p}");
        }
    }
}

/// Joint moves looked at from one state.
const MOST_NEXT: usize = 2_000;

/// States of equal hash are equal as far as `see` looks: those of `games` random games, and what they lead to by any two
/// plies (a simultaneous game: by one turn), where a weak hash would mix up what differs in two places. Returns how many
/// hashes there were. For games without draws.
pub fn check_hashes<const N: usize, G: Game<N>, K: PartialEq + Debug>(
    mut start: impl FnMut(u64) -> G,
    see: impl Fn(&G) -> K,
    games: u64,
) -> usize {
    let mut known: HashMap<u64, K> = HashMap::new();
    let mut look = |state: &G| {
        let seen = see(state);
        let before = known.entry(state.hash()).or_insert_with(|| see(state));
        assert_eq!(*before, seen, "both have the hash {:#x}", state.hash());
    };
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = start(seed);
        while !state.is_over() {
            let next = followers::<N, G>(&state, &mut rng);
            for child in next.iter().take(MOST_NEXT) {
                look(child);
            }
            if !G::SIMULTANEOUS {
                let parents = next.iter().filter(|child| !child.is_over());
                let grandchildren = parents.flat_map(|child| followers::<N, G>(child, &mut Rng::new(seed)));
                grandchildren
                    .take(MOST_NEXT)
                    .for_each(|grandchild| look(&grandchild));
            }
            state = next[rng.below(next.len() as u32) as usize].clone();
        }
    }
    known.len()
}

/// What every move (in a simultaneous game every joint move) leads to.
fn followers<const N: usize, G: Game<N>>(state: &G, rng: &mut Rng) -> Vec<G> {
    let mut joints = vec![[G::Move::default(); N]];
    for seat in 0..N {
        if !G::SIMULTANEOUS && seat != state.to_move() {
            continue;
        }
        let mut moves = Vec::new();
        state.moves(seat, &mut moves);
        let with = |m: &G::Move, joint: &[G::Move; N]| {
            let mut joint = *joint;
            joint[seat] = *m;
            joint
        };
        joints = moves
            .iter()
            .flat_map(|m| joints.iter().map(move |joint| with(m, joint)))
            .collect();
    }
    rng.shuffle(&mut joints);
    joints
        .iter()
        .take(MOST_NEXT)
        .map(|joint| {
            let mut next = state.clone();
            next.advance(joint, &mut Rng::new(0));
            next
        })
        .collect()
}

/// Nim with one heap, take 1 to 3, last taker wins: the smallest game there is.
#[derive(Clone)]
struct Nim {
    heap: u32,
    mover: usize,
}

impl Game<2> for Nim {
    type Move = u32;

    fn is_over(&self) -> bool {
        self.heap == 0
    }

    fn payoff(&self) -> [f32; 2] {
        // The seat to move finds nothing: the other one took the last.
        if self.mover == 0 {
            [0.0, 1.0]
        } else {
            [1.0, 0.0]
        }
    }

    fn to_move(&self) -> usize {
        self.mover
    }

    fn moves(&self, _seat: usize, out: &mut Vec<u32>) {
        out.extend(1..=self.heap.min(3));
    }

    fn advance(&mut self, joint: &[u32; 2], _rng: &mut Rng) {
        self.heap -= joint[self.mover];
        self.mover = 1 - self.mover;
    }

    fn hash(&self) -> u64 {
        u64::from(self.heap) * 2 + self.mover as u64
    }
}

#[test]
fn nim_conforms() {
    check(
        |seed| Nim {
            heap: 5 + seed as u32 % 20,
            mover: 0,
        },
        50,
        30,
    );
}
