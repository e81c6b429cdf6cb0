//! A bot does not run while another is asked.

use fifty_tools::arena::bots::Bot;
use fifty_tools::arena::freeze::Freeze;
use fifty_tools::arena::seat::{Rules, Seat};
use fifty_tools::games::adapters;
use fifty_tools::referee::Ask;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Asks the bot once, lets it be for 200 ms as the rules have it, and tells whether it worked meanwhile.
fn ponders(freeze: Freeze) -> bool {
    let file: PathBuf = std::env::temp_dir().join(format!("fifty-ponders-{freeze:?}-{}", std::process::id()));
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arena/bots");
    let line = format!(
        "FIFTY_TEST_FILE='{}' sh '{}'",
        file.display(),
        bots.join("ponders.sh").display()
    );
    let rules = Rules {
        freeze,
        ..Rules::default()
    };
    let mut seat = Bot::parse(&line, adapters()[0])
        .unwrap()
        .seat(adapters()[0], 0, rules)
        .unwrap();
    let ask = |seat: &mut dyn Seat| {
        let answer = seat.ask(&Ask {
            seat: 0,
            send: "1\n".into(),
            want: 1,
            limit: Duration::from_secs(20),
        });
        assert_eq!(answer.output.unwrap(), b"1\n");
    };
    ask(seat.as_mut());
    while !file.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    seat.pause();
    std::thread::sleep(Duration::from_millis(50));
    let before = std::fs::metadata(&file).unwrap().len();
    std::thread::sleep(Duration::from_millis(200));
    let after = std::fs::metadata(&file).unwrap().len();
    ask(seat.as_mut());
    seat.strike();
    seat.end(true);
    let _ = std::fs::remove_file(&file);
    before != after
}

#[test]
fn a_bot_is_frozen_while_it_is_not_asked_and_goes_on_when_it_is() {
    assert!(!ponders(Freeze::Stop));
    assert!(!ponders(Freeze::Cgroup));
    assert!(ponders(Freeze::Off));
}
