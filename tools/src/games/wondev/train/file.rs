//! What was learned as numbers, and as source, `src/games/wondev/learned.rs`.

use fifty::games::wondev::learned::NETS;
use fifty::games::wondev::net::{self, FIRST, HEIGHTS, HIDDEN, Net};
use fifty::games::wondev::policy::Nets;
use fifty::games::wondev::sides::{self, Sides};
use fifty::games::wondev::state::League;
use fifty::kit::packed::{Numbers, pack};

/// Numbers of each network, in the order of the text.
const SIZES: [usize; 3] = [net::NUMBERS, sides::NUMBERS, sides::NUMBERS];
/// Characters of a line.
const LINE: usize = 500;

/// The numbers of a network: the first layer's weights in 1/64, and the others as they are; what does not fit is cut off.
pub fn numbers(first: &[f32], rest: &[f32]) -> Vec<i16> {
    let seven = |x: &f32| (64.0 * x).round().clamp(-64.0, 63.0) as i16;
    let fourteen = |x: &f32| x.round().clamp(-8191.0, 8191.0) as i16;
    let mut numbers = differences(first.iter().map(seven));
    numbers.extend(rest.iter().map(fourteen));
    numbers
}

/// What tells the rows of the first layer from their neighbours, see [`Net::new`]; only the other unit's places have a
/// centre.
fn differences(mut first: impl Iterator<Item = i16>) -> Vec<i16> {
    let mut out = Vec::with_capacity(FIRST);
    for window in 0..6 * HEIGHTS {
        // A row more to the north and to the west.
        let mut rows = [[[0; HIDDEN]; 6]; 6];
        for (y, x) in (0..25).map(|k| (k / 5, k % 5)) {
            if window < 5 * HEIGHTS && (x, y) == (2, 2) {
                continue;
            }
            for (i, n) in first.by_ref().take(HIDDEN).enumerate() {
                out.push(n - (rows[y + 1][x][i] + rows[y][x + 1][i]) / 3);
                rows[y + 1][x + 1][i] = n;
            }
        }
    }
    out.extend(first);
    out
}

/// The networks with that of one league made of numbers; none add nothing to the counts.
pub fn with(mut nets: Nets, league: League, numbers: &[i16]) -> Nets {
    let mut numbers = numbers.iter();
    let next = || numbers.next().copied().unwrap_or(0);
    match league {
        League::Climb => nets.climb = Net::new(next),
        League::Points => nets.sides[0] = Sides::new(next),
        League::Push | League::Fog => nets.sides[1] = Sides::new(next),
    }
    nets
}

/// The numbers of each network as they were learned.
fn learned() -> [Vec<i16>; 3] {
    let mut numbers = Numbers::new(NETS);
    SIZES.map(|size| (0..size).map(|_| numbers.number()).collect())
}

/// The file with other numbers for one league.
pub fn source(old: &str, league: League, numbers: &[i16]) -> String {
    let mut all = learned();
    all[(league as usize).min(2)] = numbers.to_vec();
    let text: Vec<char> = pack(&all.concat()).chars().collect();
    let lines: String = (text.chunks(LINE))
        .flat_map(|line| ['\\', '\n'].into_iter().chain(line.iter().copied()))
        .collect();
    let mut parts: Vec<&str> = old.split('"').collect();
    assert_eq!(parts.len(), 3, "learned.rs has one text");
    parts[1] = &lines;
    parts.join("\"")
}

#[cfg(test)]
mod tests {
    use super::{learned, numbers, source, with};
    use fifty::games::wondev::net::{AROUND, FIRST, HEIGHTS, HIDDEN};
    use fifty::games::wondev::policy::Nets;
    use fifty::games::wondev::state::League;

    #[test]
    fn what_is_written_is_what_is_read() {
        let old = include_str!("../../../../../src/games/wondev/learned.rs");
        let nets = Nets::learned();
        for (league, numbers) in [League::Climb, League::Points, League::Push].into_iter().zip(learned()) {
            assert!(source(old, league, &numbers) == old, "the file is what the trainer writes");
            let read = with(with(nets.clone(), league, &[]), league, &numbers);
            assert!(read.climb == nets.climb && read.sides == nets.sides);
        }
    }

    /// The rows of the network that was learned, out of their differences, have these differences.
    #[test]
    fn differences_are_what_they_are_said_to_be() {
        let [all, ..] = learned();
        let (told, rest) = all.split_at(FIRST);
        let mut rows = [[0; HIDDEN]; 25];
        let mut first = Vec::new();
        for (at, told) in told[..FIRST - HIDDEN].chunks_exact(HIDDEN).enumerate() {
            let windows = 5 * HEIGHTS * AROUND;
            let cell = if at < windows { at % AROUND + usize::from(at % AROUND > 11) } else { (at - windows) % 25 };
            if cell == 0 {
                rows = [[0; HIDDEN]; 25];
            }
            for (i, n) in told.iter().enumerate() {
                let west = if cell % 5 > 0 { rows[cell - 1][i] } else { 0 };
                let north = if cell > 4 { rows[cell - 5][i] } else { 0 };
                rows[cell][i] = n + (west + north) / 3;
            }
            first.extend(rows[cell].map(|n| f32::from(n) / 64.0));
        }
        first.extend(told[FIRST - HIDDEN..].iter().map(|&n| f32::from(n) / 64.0));
        let rest: Vec<f32> = rest.iter().map(|&n| f32::from(n)).collect();
        assert!(numbers(&first, &rest) == all);
    }
}
