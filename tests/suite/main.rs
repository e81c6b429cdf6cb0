//! One integration binary: oracles, recorded games, conformance, layering.

mod conformance;
#[allow(dead_code)] // benches use more of it
#[path = "../../benches/connect4/game.rs"]
mod connect4;
mod connexion;
mod connexion_bot;
mod connexion_twin;
mod kingdomino;
mod kingdomino_exact;
mod kingdomino_twin;
mod rails;
mod rails_clock;
mod rails_sizes;
mod rails_twin;
mod recorded;
mod search_alloc;
mod search_alphabeta;
mod search_beam;
mod search_mcts;
mod search_policy;
mod slime;
mod slime_memory;
mod slime_twin;
mod tidy;
mod tidy_search;
mod wondev;
mod wondev_bot;
mod wondev_net;
mod wondev_threats;
mod wondev_twin;
