//! The connexion bot: read, decide, write.

use fifty::games::connexion::bot::Bot;
use fifty::games::connexion::weights::Weights;
use fifty::kit::agent::serve;
use fifty::kit::clock::Budget;

fn main() {
    // The game's clock is told by the judge; no answer has a limit of its own.
    let budget = Budget::from_env(10_000, 10_000);
    serve(&mut Bot::new(budget, Weights::DEFAULT, 1));
}
