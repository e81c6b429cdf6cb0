//! The shared tree search with slime's opinions: max^n, PUCT, leaves valued by the network, and seats
//! that follow an opponent model instead of searched.
//!
//! Every deciding seat maximises its own expected share of the squares. The alpha-beta family with the same network
//! plays in the arena as `builtin:paranoid`, `builtin:maxn` and `builtin:best-reply`. Models show by the clock only: with
//! fixed work the bot remembers nothing between moves.

use super::board::{dilate, Board, Square};
use super::eval::{Net, NETS};
use super::models::{Model, MODELS};
use super::moves::{Kind, Move};
use super::odds::Odds;
use super::prior::Prior;
use super::state::{State, SEATS};
use super::weights::Weights;
use crate::kit::clock::Limit;
use crate::kit::cpu::Level;
use crate::kit::rng::Rng;
use crate::search::mcts::{Mcts, Params, RootResult};
use crate::search::policy::Leaf;

/// Edges of the tree: what 95 ms can fill on a fast machine.
const EDGES: usize = 6_000_000;

/// Room for the moves of one position.
const WIDEST: usize = 1024;

/// What a leaf is worth.
#[derive(Clone, Debug)]
pub struct Squares {
    /// Where it is not over, by how many plan: alone, two, more.
    pub nets: [Net; NETS],
    /// Weight of today's share of the whole board: it keeps the game moving.
    pub whole: f32,
    weak: [f32; SEATS],
    net: usize,
}

impl Squares {
    /// Values leaves for seats that do what `models` says.
    pub fn expect(&mut self, models: &[Model; SEATS]) {
        self.weak = models.map(Model::weakness);
        let planners = models.iter().filter(|&&model| model == Model::Plans).count();
        self.net = planners.clamp(1, NETS) - 1;
    }
}

impl Leaf<State, SEATS> for Squares {
    #[inline(always)]
    fn value<L: Level>(&mut self, state: &mut State, _: &mut Rng) -> [f32; SEATS] {
        let board: &Board<SEATS> = state.board();
        let mut value = self.nets[self.net].shares(board, state.seat(), &self.weak);
        let all = board.all().count_ones() as f32;
        for (value, count) in value.iter_mut().zip(board.counts()) {
            *value += self.whole * (count as f32 / all - *value);
        }
        value
    }
}

/// The empty squares that no rival comes near by any number of moves into what is empty now, and from what it takes
/// by them. (Squares that somebody leaves on the way are not counted as ways in.)
pub fn certain(board: &Board<SEATS>, seat: usize) -> u64 {
    let mut theirs = board.enemies(seat);
    loop {
        let near = dilate(dilate(theirs)) & board.empty;
        let reached = theirs | near | dilate(near) & board.own[seat];
        if reached == theirs {
            return board.empty & !theirs;
        }
        theirs = reached;
    }
}

/// The search of the bot.
pub struct Search {
    /// The shared core, with its opinions in `leaf` and `policy`.
    pub tree: Mcts<State, Squares, Prior, SEATS>,
    doubt: f32,
}

impl Search {
    /// A search that answers the same for the same `seed`, position and work.
    pub fn new(weights: &Weights, seed: u64) -> Self {
        let leaf = Squares {
            nets: Net::learned(),
            whole: weights.whole,
            weak: [0.0; SEATS],
            net: NETS - 1,
        };
        let mut policy = Prior::learned(weights.width as usize);
        policy.widen = weights.widen;
        policy.replies = weights.replies;
        let params = Params {
            exploration: weights.explore,
            first_play: weights.first_play,
            discount: weights.discount,
            ..Params::DEFAULT
        };
        Self {
            tree: Mcts::new(params, leaf, policy, EDGES, WIDEST, seed),
            doubt: weights.doubt,
        }
    }

    /// Looks for the move of the seat on turn; the others are expected to do what `models` says. It never passes
    /// where a certain square can be taken: that is worth the same now and later to the network, and the game
    /// would not end.
    pub fn best(
        &mut self,
        state: &State,
        mut models: [Model; SEATS],
        limit: Limit,
    ) -> RootResult<Move, SEATS> {
        models[state.seat()] = Model::Plans;
        self.tree.policy.models = models;
        self.tree.leaf.expect(&models);
        let mut found = self.tree.search(state, state.seat(), limit);
        let board = state.board();
        let to = certain(board, state.seat()) & board.spreads(state.seat());
        if found.best == Some(Move::PASS) && to != 0 {
            let to = Square(to.trailing_zeros() as u8);
            found.best = Some(Move::new(Kind::Spread, board.spread_source(state.seat(), to), to));
        }
        found
    }

    /// What each seat is expected to do: its likeliest model, planning where none stands out.
    pub fn models(&self, odds: &Odds) -> [Model; SEATS] {
        odds.map(|odds| {
            let mut best = (self.doubt, Model::Plans);
            for (model, odds) in MODELS.into_iter().zip(odds).skip(1) {
                if odds > best.0 {
                    best = (odds, model);
                }
            }
            best.1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{certain, Limit, Model, Move, Rng, Search, Square, State};
    use crate::games::slime::weights::Weights;
    use crate::kit::bits::Bits;
    use crate::kit::cpu::Plain;

    #[test]
    fn certain_squares_are_taken_until_none_is_left() {
        // Alone; and with a rival far away behind our own squares, who is no way in.
        for start in [
            "1,1111....,11111111,11111111,11111111,11111111,11111111,1111111.,111111..",
            "1,11132222,11132233,11333333,33331133,33111111,33311111,2222111.,1111111.",
        ] {
            let mut search = Search::new(&Weights::DEFAULT, 1);
            let mut state = State::parse(start).unwrap();
            let mut turns = 0;
            while !state.is_over() {
                let m = if state.seat() == 0 {
                    search.best(&state, [Model::Plans; 4], Limit::work(100)).best
                } else {
                    Some(Move::PASS)
                };
                state.play(m.unwrap());
                turns += 1;
                assert!(turns < 60, "{}", state.argument());
            }
        }
    }

    /// Among seats that grab: what it owns after its first moves, in every corner.
    #[test]
    fn the_opening_spreads() {
        let mut owned = [[0; 3]; 4];
        for (me, own) in owned.iter_mut().enumerate() {
            let mut search = Search::new(&Weights::DEFAULT, 1);
            let mut state = State::start(8);
            let mut moves = Vec::new();
            for turn in 0..12 {
                let seat = state.seat();
                let m = if seat == me {
                    let found = search.best(&state, [Model::Grabs; 4], Limit::work(1_500));
                    found.best.unwrap()
                } else {
                    moves.clear();
                    Model::Grabs.list(state.board(), seat, &mut moves);
                    moves[turn % moves.len()]
                };
                state.play(m);
                if seat == me {
                    own[turn / 4] = state.board().counts()[me];
                }
            }
        }
        let sum = |turn: usize| -> u32 { owned.iter().map(|own| own[turn]).sum() };
        assert!(
            owned.iter().all(|own| own[0] == 2) && sum(1) >= 17 && sum(2) >= 28,
            "{owned:?}"
        );
        assert!(
            owned.iter().any(|own| own[1] == 8),
            "nowhere the corner's merge of eight: {owned:?}"
        );
    }

    /// What is called certain is out of reach of rivals that land wherever they can for a hundred moves.
    #[test]
    fn nobody_comes_near_certain_squares() {
        let mut rng = Rng::new(5);
        let mut seen = 0;
        for _ in 0..2_000 {
            let mut board = *State::start(8).board();
            for turn in 0..30 + rng.below(60) as usize {
                board.greedy_turn::<Plain>(turn % 4, &mut rng);
            }
            let seat = rng.below(4) as usize;
            let certain = certain(&board, seat);
            seen += u32::from(certain != 0 && board.enemies(seat) != 0);
            for turn in 0..100 {
                let rival = (seat + 1 + turn % 3) % 4;
                let into: Vec<u32> = Bits(board.within_two(rival)).collect();
                if !into.is_empty() {
                    let to = into[rng.below(into.len() as u32) as usize];
                    board.spread(rival, Square(to as u8));
                }
                assert_eq!(board.empty & certain, certain);
            }
        }
        assert!(seen > 0);
    }

    #[test]
    fn a_seat_plans_until_a_model_stands_out() {
        let search = Search::new(&Weights::DEFAULT, 1);
        let mut odds = [[0.0; 4]; 4];
        odds[1] = [0.0, 4.0, 3.0, -3.0];
        odds[2] = [0.0, -3.0, -3.0, -3.0];
        odds[3] = [0.0, 0.5, 0.0, 2.0];
        let expected = [Model::Plans, Model::Grabs, Model::Plans, Model::Wanders];
        assert_eq!(search.models(&odds), expected);
    }
}
