//! What was learned as text, and as source, `src/games/wondev/learned.rs`.

use fifty::games::wondev::net::{FIRST, Net, ZERO};
use fifty::games::wondev::search::Nets;
use fifty::games::wondev::sides::Sides;
use fifty::games::wondev::state::League;

/// The character of a number of fourteen bits.
fn character(number: i32) -> char {
    char::from_u32(ZERO + number as u32).expect("numbers have fourteen bits")
}

/// The text of the first layer's numbers, in 1/64, and the others, as they are; what does not fit is cut off.
pub fn text(first: &[f32], rest: &[f32]) -> String {
    let seven = |x: f32| (64.0 * x).round().clamp(-64.0, 63.0) as i32 + 64;
    let fourteen = |x: &f32| x.round().clamp(-8191.0, 8191.0) as i32 + 8192;
    let pairs = first.chunks_exact(2).map(|two| seven(two[0]) << 7 | seven(two[1]));
    pairs.chain(rest.iter().map(fourteen)).map(character).collect()
}

/// The network of a text of league 0.
fn climb(text: &str) -> Box<Net> {
    let numbers: Vec<i32> = text.chars().map(|c| (c as u32 - ZERO) as i32).collect();
    let (first, rest) = numbers.split_at(FIRST / 2);
    let mut first = first.iter().flat_map(|n| [(n >> 7) - 64, (n & 127) - 64]);
    let mut rest = rest.iter().map(|n| n - 8192);
    Net::new(
        || first.next().unwrap_or(0) as i16,
        || rest.next().unwrap_or(0) as i16,
    )
}

/// The networks with that of one league taken from a text; an empty text adds nothing to the counts.
pub fn with(mut nets: Nets, league: League, text: &str) -> Nets {
    match league {
        League::Climb if text.is_empty() => nets.climb = Net::new(|| 0, || 0),
        League::Climb => nets.climb = climb(text),
        League::Points => nets.sides[0] = Sides::new(text),
        League::Push | League::Fog => nets.sides[1] = Sides::new(text),
    }
    nets
}

/// The file with another text for one league, a hundred characters a line.
pub fn source(old: &str, league: League, text: &str) -> String {
    let mut parts: Vec<&str> = old.split('"').collect();
    assert_eq!(parts.len(), 7, "learned.rs has three texts");
    let all: Vec<char> = text.chars().collect();
    let lines: String = (all.chunks(100))
        .flat_map(|line| ['\\', '\n'].into_iter().chain(line.iter().copied()))
        .collect();
    parts[2 * (league as usize).min(2) + 1] = &lines;
    parts.join("\"")
}

#[cfg(test)]
mod tests {
    use super::{source, with};
    use fifty::games::wondev::learned::{CLIMB, POINTS, PUSH};
    use fifty::games::wondev::search::Nets;
    use fifty::games::wondev::state::League;

    #[test]
    fn what_is_written_is_what_is_read() {
        let old = include_str!("../../../../../src/games/wondev/learned.rs");
        let nets = Nets::learned();
        for (league, text) in [(League::Climb, CLIMB), (League::Points, POINTS), (League::Push, PUSH)] {
            assert!(source(old, league, text) == old, "the file is what the trainer writes");
            let read = with(with(nets.clone(), league, ""), league, text);
            assert!(read.climb == nets.climb && read.sides == nets.sides);
        }
    }
}
