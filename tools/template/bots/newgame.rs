//! The newgame bot: read, decide, write.

use fifty::games::newgame::bot::Bot;
use fifty::games::newgame::weights::Weights;
use fifty::kit::agent::serve;
use fifty::kit::clock::Budget;

fn main() {
    let weights = Weights::DEFAULT;
    let budget = Budget::from_env(weights.first_ms as u64, weights.later_ms as u64);
    serve(&mut Bot::new(budget, &weights, 1));
}
