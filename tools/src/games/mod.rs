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
