//! Whole games from turn 1 by playout, as fixed work for benches.

use crate::games::kingdomino::kingdom::Kingdom;
use crate::games::kingdomino::playout::{greedy_playout, random_playout, Deck};
use crate::games::kingdomino::state::{State, Variant};
use crate::games::kingdomino::tile::Tile;
use crate::games::kingdomino::weights::Weights;
use crate::games::kingdomino::worth::{Taste, UNLEARNED};
use crate::games::kingdomino::zones::Sight;
use crate::kit::cpu::{Kernel, Level};
use crate::kit::rng::Rng;

/// Games of two players, each with a deck of its own.
#[derive(Clone, Copy, Debug)]
pub struct Games {
    /// How many.
    pub count: u64,
    /// Greedy, else random.
    pub greedy: bool,
}

impl Kernel for Games {
    /// Every kingdom's score in turn.
    type Out = Vec<u32>;

    #[inline(always)]
    fn run<L: Level>(self) -> Vec<u32> {
        let mut start = State::<2>::new(Variant::MAIN);
        let mut rng = Rng::new(1);
        start.draw(&mut rng, Tile::of_box);
        let mut deck = Deck::new(start.deck, Tile::of_box);
        let taste = Taste::new(&Weights::DEFAULT);
        let mut scores = Vec::with_capacity(2 * self.count as usize);
        for _ in 0..self.count {
            let mut state = start.clone();
            deck.shuffle(&mut rng);
            if self.greedy {
                let mut sights = [0, 1].map(|seat| Sight::new(&state.kingdoms[seat]));
                let opinion = (&taste, &[UNLEARNED; 2]);
                greedy_playout::<L, 2>(&mut state, &mut sights, &mut deck, opinion, &mut rng);
            } else {
                random_playout::<L, 2>(&mut state, &mut deck, &mut rng);
            }
            scores.extend(state.kingdoms.iter().map(Kingdom::score));
        }
        scores
    }
}
