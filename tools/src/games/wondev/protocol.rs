//! The referee's words: what each player is shown, and how an answer is read.

use fifty::games::wondev::board::{Dir, Sq};
use fifty::games::wondev::state::{League, Move, State};

/// The two lines sent once.
pub fn init_lines(state: &State, size: u8) -> Vec<String> {
    vec![size.to_string(), state.league().units().to_string()]
}

/// The lines of one turn for the mover.
pub fn turn_lines(state: &State, size: u8) -> Vec<String> {
    let me = state.mover();
    let mut lines: Vec<String> = (0..size)
        .map(|y| (0..size).map(|x| cell(state, Sq::at(x, y))).collect())
        .collect();
    let sight = state.sight(me);
    let units = state.league().units();
    for &sq in &state.units(me)[..units] {
        lines.push(format!("{} {}", sq.x(), sq.y()));
    }
    for &sq in &state.units(1 - me)[..units] {
        lines.push(if state.league() == League::Fog && sight & sq.bit() == 0 {
            "-1 -1".to_owned()
        } else {
            format!("{} {}", sq.x(), sq.y())
        });
    }
    let legal = state.legal();
    lines.push(legal.len().to_string());
    lines.extend(legal.into_iter().map(|m| state.action(m)));
    lines
}

/// One character of the grid.
pub fn cell(state: &State, sq: Sq) -> char {
    if state.cells() & sq.bit() == 0 {
        '.'
    } else {
        char::from(b'0' + state.height(sq) as u8)
    }
}

/// How an answer is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A legal action.
    Play(Move),
    /// ACCEPT-DEFEAT.
    Resign,
    /// Understood but not allowed; why.
    Invalid(String),
    /// Not an answer; what was met.
    Garbage(String),
}

/// Reads one answer of the mover.
pub fn read_answer(state: &State, line: &str) -> Answer {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let garbage = || Answer::Garbage(line.chars().take(60).collect());
    let Some(&verb) = words.first() else {
        return garbage();
    };
    if verb.eq_ignore_ascii_case("ACCEPT-DEFEAT") {
        return Answer::Resign;
    }
    let push = match verb {
        "PUSH&BUILD" => true,
        v if v.eq_ignore_ascii_case("MOVE&BUILD") => false,
        v if v.eq_ignore_ascii_case("PUSH&BUILD") => {
            return Answer::Invalid("push&build must be in capitals".to_owned());
        }
        _ => return garbage(),
    };
    let [_, index, first, second, ..] = words[..] else {
        return garbage();
    };
    let (Some(first), Some(second)) = (Dir::parse(first), Dir::parse(second)) else {
        return garbage();
    };
    let unit = match index.as_bytes() {
        [digit @ b'0'..=b'9'] => usize::from(digit - b'0'),
        _ => return garbage(),
    };
    let invalid = |why: &str| Answer::Invalid(format!("{why}: {line}"));
    if unit >= state.league().units() {
        return invalid("no such unit");
    }
    if push && state.league() < League::Push {
        return invalid("no pushes in this league");
    }
    let from = state.units(state.mover())[unit];
    let Some((to, last)) = from
        .step(first)
        .and_then(|to| to.step(second).map(|last| (to, last)))
    else {
        return invalid("off the grid");
    };
    let m = if push {
        Move::push(unit, to, last)
    } else {
        Move::step(unit, to, last)
    };
    if state.is_legal(m) {
        Answer::Play(m)
    } else {
        invalid("not a legal action")
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, read_answer};
    use fifty::games::wondev::state::{Flow, League};
    use fifty::games::wondev::unshipped::setup::{Map, Setup, start};

    #[test]
    fn answers_are_told_apart() {
        let (state, _) = start(&Setup {
            league: League::Climb,
            flow: Flow::Turn,
            seed: 1,
            map: Some(Map::Square),
            symmetric: false,
        });
        let text = state.action(state.legal()[0]);
        for good in [
            text.clone(),
            text.to_lowercase(),
            format!("{text} hi"),
            text.replace(' ', "  "),
        ] {
            assert!(matches!(read_answer(&state, &good), Answer::Play(_)), "{good}");
        }
        assert_eq!(read_answer(&state, "accept-defeat gg"), Answer::Resign);
        for bad in [
            "MOVE&BUILD 1 N N",
            "PUSH&BUILD 0 N N",
            "push&build 0 N N",
            "MOVE&BUILD 9 S S",
        ] {
            assert!(matches!(read_answer(&state, bad), Answer::Invalid(_)), "{bad}");
        }
        for bad in [
            "",
            "hello",
            "MOVE&BUILD",
            "MOVE&BUILD 0 N",
            "MOVE&BUILD 00 N N",
            "MOVE&BUILD 0 UP N",
        ] {
            assert!(matches!(read_answer(&state, bad), Answer::Garbage(_)), "{bad}");
        }
    }
}
