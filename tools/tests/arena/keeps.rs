//! A bot that is started for each move finds what it wrote beside its program, and nobody else's.

use crate::hostile::ask;
use fifty_tools::arena::bots::Bot;
use fifty_tools::arena::sandbox::Sandbox;
use fifty_tools::arena::seat::{Rules, Seat};
use fifty_tools::games::adapters;
use std::path::Path;

fn answer(seat: &mut dyn Seat) -> String {
    ask(seat, "1,1......2")
}

#[test]
fn what_a_bot_writes_beside_its_program_is_there_for_its_next_move() {
    let slime = *adapters()
        .iter()
        .find(|adapter| adapter.name() == "slime")
        .unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arena/bots/keeps.rs");
    let bot = Bot::parse(&format!("FIFTY_TEST=1 '{}' --loud", file.display()), slime).unwrap();
    let rules = Rules {
        sandbox: Sandbox::Auto,
        ..Rules::default()
    };
    let sit = || bot.seat(slime, 0, rules).unwrap();
    let (mut one, mut other) = (sit(), sit());
    let told = [
        answer(&mut *one),
        answer(&mut *one),
        answer(&mut *other),
        answer(&mut *one),
    ];
    assert_eq!(told, ["0", "1", "0", "2"]);
    for mut seat in [one, other] {
        assert_eq!(seat.end(false).exit, None);
    }
    // Another game: nothing is left of the one before.
    assert_eq!(answer(&mut *sit()), "0");
}
