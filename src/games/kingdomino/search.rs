//! What the shared tree search is told of the rest of a turn.
//!
//! What is left of a turn is open to all: the tree holds up to four actions, each as a choice of tile and
//! below it a choice of placement (one list of pairs would spend its visits on variants of a placement).
//! At the end of the turn draws are hidden, and a greedy playout with a fresh deck gives the value. The tree is
//! kept for the second call of the same turn.
//!
//! Not here: turns with nothing hidden, which are solved exactly.

use super::kingdom::{Kingdom, Places, Put};
use super::playout::{greedy_playout, Deck};
use super::state::{Action, State, FREE};
use super::tile::Tile;
use super::weights::Weights;
use super::worth::{kind, table, Learned, Taste, UNIT, UNLEARNED};
use super::zones::Sight;
use crate::kit::bits::Bits;
use crate::kit::clock::Limit;
use crate::kit::cpu::Level;
use crate::kit::rng::Rng;
use crate::search::averages::Averages;
use crate::search::game::Game;
use crate::search::mcts::pool::Edge;
use crate::search::mcts::{Mcts, Params, RootResult};
use crate::search::policy::{Leaf, TreePolicy};
use std::cmp::Reverse;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Room for moves; a call of 1000 ms fills less.
const EDGES: usize = 400_000;
/// Moves of one choice.
const WIDEST: usize = 256;

/// Half an action: a tile on offer or a placement, by index plus one; 0 where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Half(u16);

impl Half {
    fn action(slot: Self, put: Self) -> Action {
        Action::new(
            (put.0 > 0).then(|| Put::from_index(usize::from(put.0) - 1)),
            (slot.0 > 0).then(|| usize::from(slot.0) - 1),
        )
    }
}

/// The rules with an action in two plies: the tile to take, then the placement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rest<const N: usize> {
    /// Before the action.
    pub state: State<N>,
    /// The tile to take, once chosen.
    slot: Option<Half>,
}

impl<const N: usize> Rest<N> {
    /// Before the choice of a tile.
    pub fn of(state: &State<N>) -> Self {
        Self {
            state: state.clone(),
            slot: None,
        }
    }

    fn slots(&self, out: &mut Vec<Half>) {
        let free = u64::from(self.state.free_slots());
        if free == 0 {
            out.push(Half(0));
        }
        out.extend(Bits(free).map(|slot| Half(slot as u16 + 1)));
    }
}

impl<const N: usize> Game<N> for Rest<N> {
    type Move = Half;

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.state.over()
    }

    fn payoff(&self) -> [f32; N] {
        self.state.points()
    }

    #[inline(always)]
    fn to_move(&self) -> usize {
        self.state.mover()
    }

    fn moves(&self, seat: usize, out: &mut Vec<Half>) {
        if self.slot.is_none() {
            return self.slots(out);
        }
        let tile = self.state.tile_in_play();
        if tile != Tile::NONE {
            let puts = Places::of(self.state.kingdoms[seat].distinct_puts(tile));
            out.extend(puts.map(|put| Half(put.index() as u16 + 1)));
        }
        if out.is_empty() {
            out.push(Half(0));
        }
    }

    /// Draws nothing: the next offer is still to come when a turn has ended.
    #[inline(always)]
    fn advance(&mut self, joint: &[Half; N], _: &mut Rng) {
        let half = joint[self.to_move()];
        match self.slot.take() {
            None => self.slot = Some(half),
            Some(slot) => self.state.play(Half::action(slot, half)),
        }
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        Hash::hash(self, &mut hasher);
        hasher.finish()
    }
}

/// A greedy's opinion of placements as a fading bias, best ones first.
pub struct Greedy {
    taste: Taste,
    /// The turn searched.
    turn: u8,
    scratch: Vec<(f32, Put)>,
}

impl AsMut<Self> for Greedy {
    fn as_mut(&mut self) -> &mut Self {
        self
    }
}

impl<const N: usize> TreePolicy<Rest<N>, N> for Greedy {
    type Prior = f32;
    const SORTED: bool = true;
    const HORIZON: bool = true;
    const SOLVER: bool = false;
    const COMPACT: bool = false;
    const REUSE_PLIES: usize = 8;

    #[inline(always)]
    fn list<L: Level>(
        &mut self,
        rest: &Rest<N>,
        seat: usize,
        _: bool,
        moves: &mut Vec<Half>,
        priors: &mut Vec<f32>,
    ) {
        if rest.slot.is_none() {
            rest.slots(moves);
            priors.resize(moves.len(), 0.0);
            return;
        }
        let (tile, kingdom) = (rest.state.tile_in_play(), &rest.state.kingdoms[seat]);
        self.scratch.clear();
        if tile != Tile::NONE {
            let puts = kingdom.distinct_puts(tile);
            let sight = Sight::new(kingdom);
            let next = rest.state.next_tile();
            let table = table::<L>(kingdom, &sight, (tile, &puts, next), &self.taste, &UNLEARNED);
            for put in Places::of(puts) {
                self.scratch.push((f32::from(table[put.index()]) / UNIT, put));
            }
        }
        self.scratch
            .sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.index().cmp(&b.1.index())));
        let top = self.scratch.first().map_or(0.0, |s| s.0);
        for &(worth, put) in &self.scratch {
            moves.push(Half(put.index() as u16 + 1));
            priors.push(self.taste.weights.bias * (worth - top).max(-20.0));
        }
        if moves.is_empty() {
            moves.push(Half(0));
            priors.push(0.0);
        }
    }

    #[inline(always)]
    fn shown(&self, rest: &Rest<N>, visits: u32, len: usize) -> usize {
        match rest.slot {
            Some(_) => 2 + (self.taste.weights.widen * (visits as f32).sqrt()) as usize,
            None => len,
        }
    }

    #[inline(always)]
    fn may_stop(&self, rest: &Rest<N>) -> bool {
        rest.slot.is_none()
    }

    #[inline(always)]
    fn beyond(&self, rest: &Rest<N>) -> bool {
        rest.state.turn != self.turn
    }

    fn may_lead(&self, from: &Rest<N>, to: &Rest<N>) -> bool {
        let (a, b) = (&from.state, &to.state);
        let taken = a.offer.owners.iter().zip(b.offer.owners);
        let placed = a.kingdoms.iter().zip(&b.kingdoms);
        let wanted = match from.slot {
            Some(Half(slot)) if slot > 0 => b.offer.owners[usize::from(slot) - 1] == a.mover() as u8,
            _ => true,
        };
        (a.turn, a.deck) == (b.turn, b.deck)
            && a.done <= b.done
            && wanted
            && taken.into_iter().all(|(&a, b)| a == FREE || a == b)
            && placed.into_iter().all(|(a, b)| a.occupied & !b.occupied == 0)
    }
}

/// A greedy playout with a shuffled deck, which minds how playouts before ended that had this terrain on that square.
pub struct Draws<const N: usize> {
    taste: Taste,
    deck: Deck,
    scale: f32,
    /// The kingdoms at the root.
    sights: [Sight; N],
    /// Scores by [`kind`] and square.
    averages: [Averages<768>; N],
    learned: [Learned; N],
}

impl<const N: usize> Draws<N> {
    /// Another root.
    fn root(&mut self, state: &State<N>) {
        for (seat, kingdom) in state.kingdoms.iter().enumerate() {
            self.sights[seat] = Sight::new(kingdom);
            self.averages[seat].fade(self.taste.weights.recall);
        }
    }

    /// Learns from a game played to its end.
    #[inline(always)]
    fn learn(&mut self, state: &State<N>) {
        let weights = &self.taste.weights;
        for (seat, kingdom) in state.kingdoms.iter().enumerate() {
            let averages = &mut self.averages[seat];
            let surprise = averages.surprise(kingdom.score() as f32);
            let crowned = kingdom.crowns[0] | kingdom.crowns[1];
            for terrain in 0..6 {
                let before = self.sights[seat].zones(terrain as u8).all();
                for square in Bits(kingdom.terrain[terrain] & !before) {
                    let square = square as usize & 63;
                    let kind = kind(terrain, crowned >> square & 1 > 0);
                    let average = averages.note(64 * kind + square, surprise, weights.doubt);
                    self.learned[seat][kind][square] = (weights.learn * UNIT * average) as i16;
                }
            }
        }
    }
}

impl<const N: usize> Leaf<Rest<N>, N> for Draws<N> {
    const KEYED: bool = true;

    #[inline(always)]
    fn value<L: Level>(&mut self, rest: &mut Rest<N>, rng: &mut Rng) -> [f32; N] {
        // From the last order on: dealt the very same few decks, all leaves overfit to those.
        self.deck.shuffle(rng);
        let mut sights = self.sights.clone();
        for (sight, kingdom) in sights.iter_mut().zip(&rest.state.kingdoms) {
            sight.follow(kingdom);
        }
        let opinion = (&self.taste, &self.learned);
        greedy_playout::<L, N>(&mut rest.state, &mut sights, &mut self.deck, opinion, rng);
        self.learn(&rest.state);
        values(&rest.state, self.scale)
    }
}

/// The search of the bot, with its policy or another one around it.
pub struct Search<const N: usize, P: TreePolicy<Rest<N>, N> = Greedy> {
    /// The shared core.
    pub tree: Mcts<Rest<N>, Draws<N>, P, N>,
}

impl<const N: usize> Search<N> {
    /// An empty tree.
    pub fn new(weights: &Weights, seed: u64) -> Self {
        Self::with(weights, seed, |greedy| greedy)
    }
}

impl<const N: usize, P: TreePolicy<Rest<N>, N> + AsMut<Greedy>> Search<N, P> {
    /// An empty tree with what `change` makes of the policy.
    pub fn with(weights: &Weights, seed: u64, change: impl FnOnce(Greedy) -> P) -> Self {
        let params = Params {
            exploration: weights.explore,
            ..Params::DEFAULT
        };
        let taste = Taste::new(weights);
        let bare = Sight::new(&Kingdom::new(7));
        let leaf = Draws {
            taste: taste.clone(),
            deck: Deck::new(0, Tile::of_box),
            scale: 1.0,
            sights: core::array::from_fn(|_| bare.clone()),
            averages: [Averages::NONE; N],
            learned: [UNLEARNED; N],
        };
        let policy = Greedy {
            taste,
            turn: 0,
            scratch: Vec::with_capacity(WIDEST),
        };
        Self {
            tree: Mcts::new(params, leaf, change(policy), EDGES, WIDEST, seed),
        }
    }

    /// Actions of the last search with their visits and means: `best`, then by falling visits.
    pub fn candidates(&self, best: Option<Action>) -> Vec<(Action, u32, f32)> {
        let mut found = Vec::new();
        for slot in self.tree.my_moves() {
            for put in self.tree.below(slot) {
                if let Some(mean) = put.mean() {
                    found.push((Half::action(slot.mv, put.mv), put.visits, mean));
                }
            }
        }
        found.sort_by_key(|f| (Some(f.0) != best, Reverse(f.1)));
        found
    }

    /// Searches for the mover. `deck` holds the undrawn tiles.
    pub fn search(&mut self, state: &State<N>, deck: Deck, limit: Limit) -> RootResult<Action, N> {
        let tree = &mut self.tree;
        let progress = (f32::from(state.turn) - 1.0) / (f32::from(state.variant.turns) - 1.0);
        let policy = tree.policy.as_mut();
        let weights = &policy.taste.weights;
        tree.leaf.scale = weights.scale_first + (weights.scale_last - weights.scale_first) * progress;
        tree.leaf.deck = deck;
        tree.leaf.root(state);
        policy.turn = state.turn;
        let found = tree.search(&Rest::of(state), state.mover(), limit);
        // The most visited tile, and its most visited placement.
        let slot = tree.my_moves().iter().find(|e| Some(e.mv) == found.best);
        let put = slot.and_then(|slot| tree.below(slot).iter().rev().max_by_key(|e| e.visits));
        let best = slot.zip(put).map(|(slot, put)| Half::action(slot.mv, put.mv));
        RootResult {
            best: best.or_else(|| {
                let mut all = Vec::new();
                state.moves(state.mover(), &mut all);
                all.first().copied()
            }),
            value: found.value,
            mean: put.and_then(Edge::mean).unwrap_or(found.mean),
            visits: put.map_or(0, |put| put.visits),
            iterations: found.iterations,
            depth: found.depth,
            nodes: found.nodes,
            proven: false,
        }
    }
}

/// Values of a finished game: the margin over the best other seat through x / (1 + |x|), a sigmoid without
/// a call.
#[inline(always)]
fn values<const N: usize>(state: &State<N>, scale: f32) -> [f32; N] {
    let scores = state.kingdoms.map(|k| k.score() as f32);
    core::array::from_fn(|me| {
        let mut other = 0.0f32;
        for (seat, &score) in scores.iter().enumerate() {
            other = if seat == me { other } else { other.max(score) };
        }
        let x = (scores[me] - other) / scale;
        0.5 + 0.5 * x / (1.0 + x.abs())
    })
}
