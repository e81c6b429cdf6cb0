//! The tools' side of each game: referee, builtin opponents, recordings, picture.

use crate::room::Room;

pub mod connexion;
pub mod kingdomino;
pub mod rails;
pub mod slime;
pub mod wondev;

/// Every game, in the order of the tables.
pub fn rooms() -> [&'static dyn Room; 5] {
    [
        &rails::ROOM,
        &kingdomino::ROOM,
        &wondev::ROOM,
        &slime::ROOM,
        &connexion::ROOM,
    ]
}

/// A game by name.
pub fn room(name: &str) -> Option<&'static dyn Room> {
    rooms().into_iter().find(|room| room.name() == name)
}

#[cfg(test)]
mod tests {
    use super::rooms;
    use fifty::kit::clock::Budget;

    #[test]
    fn every_game_has_values_set_by_hand_that_its_engine_takes() {
        for room in rooms() {
            let hand = room.hand();
            assert!(!hand.is_empty(), "{}", room.name());
            if let Err(error) = room.engine(Budget::Work(1), &hand) {
                panic!("{error}");
            }
        }
    }
}
