//! The kingdomino bot: read, decide, write.

use fifty::games::kingdomino::bot::Bot;
use fifty::kit::agent::serve;

fn main() {
    serve(&mut Bot::from_env());
}
