//! The tools' side of each game: referee, builtin opponents, recordings, picture.

use crate::adapter::Adapter;

pub mod connexion;
pub mod kingdomino;
pub mod rails;
pub mod slime;
pub mod wondev;

/// Every game, in the order of the tables.
pub fn adapters() -> [&'static dyn Adapter; 5] {
    [
        &rails::adapter::ADAPTER,
        &kingdomino::adapter::ADAPTER,
        &wondev::adapter::ADAPTER,
        &slime::adapter::ADAPTER,
        &connexion::adapter::ADAPTER,
    ]
}

/// A game by name.
pub fn adapter(name: &str) -> Option<&'static dyn Adapter> {
    adapters().into_iter().find(|adapter| adapter.name() == name)
}

#[cfg(test)]
mod tests {
    use super::adapters;
    use fifty::kit::clock::Budget;

    #[test]
    fn every_game_has_values_set_by_hand_that_its_engine_takes() {
        for adapter in adapters() {
            let hand = adapter.hand();
            assert!(!hand.is_empty(), "{}", adapter.name());
            if let Err(error) = adapter.engine(Budget::Work(1), &hand) {
                panic!("{error}");
            }
        }
    }
}
