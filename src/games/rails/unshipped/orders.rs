//! The referee's half of an answer: from one printed line to a checked [`Plan`] and its messages.
//!
//! Not used by the bot. All judging happens on the board of the turn's start; see the order of checks at
//! each step.

use super::autoplace::autoplace;
use crate::games::rails::cells::Cells;
use crate::games::rails::map::Map;
use crate::games::rails::state::{Plan, State, PAINT};

/// One well-formed action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// `PLACE_TRACKS x y`
    Place(u32, u32),
    /// `AUTOPLACE fromX fromY toX toY`
    Auto(u32, u32, u32, u32),
    /// `DISRUPT regionId`
    Disrupt(u32),
    /// `DISRUPT x y`
    DisruptAt(u32, u32),
    /// `WAIT` or `MESSAGE text`
    Nothing,
}

/// A line as understood: the orders before the first invalid part, and that part's message.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parsed {
    /// In written order.
    pub orders: Vec<Order>,
    /// The referee's message if a part was invalid.
    pub invalid: Option<String>,
}

/// What a line does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// The part that took effect.
    pub plan: Plan,
    /// Messages in the referee's order.
    pub messages: Vec<String>,
    /// The seat is deactivated.
    pub invalid: bool,
}

fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c <= ' ')
}

/// A number of ASCII digits that fits a signed 32-bit integer.
fn number(text: &str) -> Option<u32> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let value: i32 = text.parse().ok()?;
    u32::try_from(value).ok()
}

fn parse_part(part: &str) -> Option<Order> {
    let (word, rest) = match part.split_once(' ') {
        Some((word, rest)) => (word, Some(rest)),
        None => (part, None),
    };
    let numbers = |count: usize| -> Option<Vec<u32>> {
        let list: Option<Vec<u32>> = rest?.split(' ').map(number).collect();
        list.filter(|l| l.len() == count)
    };
    if word.eq_ignore_ascii_case("WAIT") {
        rest.is_none().then_some(Order::Nothing)
    } else if word.eq_ignore_ascii_case("MESSAGE") {
        rest.map(|_| Order::Nothing)
    } else if word.eq_ignore_ascii_case("PLACE_TRACKS") {
        numbers(2).map(|n| Order::Place(n[0], n[1]))
    } else if word.eq_ignore_ascii_case("AUTOPLACE") {
        numbers(4).map(|n| Order::Auto(n[0], n[1], n[2], n[3]))
    } else if word.eq_ignore_ascii_case("DISRUPT") {
        numbers(1)
            .map(|n| Order::Disrupt(n[0]))
            .or_else(|| numbers(2).map(|n| Order::DisruptAt(n[0], n[1])))
    } else {
        None
    }
}

/// Reads one output line.
pub fn parse(line: &str) -> Parsed {
    let mut parts: Vec<&str> = trim(line).split(';').collect();
    if parts.len() > 1 {
        while parts.last().is_some_and(|p| p.is_empty()) {
            parts.pop();
        }
    }
    let mut parsed = Parsed::default();
    for part in parts {
        let part = trim(part);
        if let Some(order) = parse_part(part) {
            parsed.orders.push(order);
        } else {
            let expected = [
                ("AUTOPLACE", "AUTOPLACE x1 y1 x2 y2"),
                ("PLACE_TRACK", "PLACE_TRACK x y"),
                ("DISRUPT", "DISRUPT zoneId"),
                ("MESSAGE", "MESSAGE text"),
                ("WAIT", "WAIT"),
            ]
            .iter()
            .find(|(word, _)| part.starts_with(word))
            .map_or("AUTOPLACE | PLACE_TRACK | DISRUPT | MESSAGE | WAIT", |e| e.1);
            parsed.invalid = Some(format!("Invalid Input: Expected {expected} but got '{part}'"));
            break;
        }
    }
    parsed
}

/// Expands and checks the orders of one seat on the board of the turn's start.
pub fn resolve(map: &Map, state: &State, line: &str) -> Resolved {
    let parsed = parse(line);
    let mut out = Resolved {
        plan: Plan::WAIT,
        messages: parsed.invalid.iter().cloned().collect(),
        invalid: parsed.invalid.is_some(),
    };
    // Placements by hand and generated ones, in list order: (x, y, number of the AUTOPLACE it came from).
    let mut placements: Vec<(u32, u32, bool)> = Vec::new();
    let mut automatic = false;
    for order in &parsed.orders {
        match *order {
            Order::Place(x, y) => placements.push((x, y, false)),
            Order::Auto(..) if automatic => out
                .messages
                .push("Only one autobuild action allowed per turn.".into()),
            Order::Auto(ax, ay, bx, by) => {
                automatic = true;
                if let (Some(a), Some(b)) = (map.cell(ax, ay), map.cell(bx, by)) {
                    let route = autoplace(map, state, a, b);
                    placements.extend(route.iter().map(|c| (c.x() as u32, c.y() as u32, true)));
                }
            }
            _ => {}
        }
    }
    place(map, state, &placements, &mut out);
    disrupt(map, state, &parsed.orders, &mut out);
    out
}

/// Checks in order: grid, town, inked region, taken, paint.
fn place(map: &Map, state: &State, placements: &[(u32, u32, bool)], out: &mut Resolved) {
    let taken = state.all_tracks();
    let mut mine = Cells::EMPTY;
    let mut paint = PAINT;
    let mut used = 0;
    let mut cancelled = false;
    for &(x, y, generated) in placements {
        if generated && cancelled {
            continue;
        }
        let Some(cell) = map.cell(x, y) else {
            out.messages.push(format!("Not part of grid: ({x}, {y})"));
            continue;
        };
        let cost = map.cost[cell.index()];
        if map.town_cells.has(cell) {
            out.messages
                .push(format!("Cannot place tracks on a town at ({x}, {y})"));
        } else if state.closed.has(cell) {
            let region = map.region[cell.index()];
            out.messages.push(format!("Cannot build in region {region}"));
        } else if taken.has(cell) || mine.has(cell) {
            out.messages
                .push(format!("Cannot place tracks on existing tracks at ({x}, {y})"));
        } else if cost > paint {
            cancelled |= generated;
            out.messages.push(if generated {
                format!("Autobuild interrupted: not enough track points to build a track at ({x}, {y}).")
            } else {
                format!("Not enough track points to build a track at ({x}, {y}).")
            });
        } else {
            paint -= cost;
            mine.insert(cell);
            out.plan.cells[used] = cell;
            used += 1;
        }
    }
}

/// Checks in order: cell exists, point left, region exists, inked, town.
fn disrupt(map: &Map, state: &State, orders: &[Order], out: &mut Resolved) {
    for order in orders {
        let region = match *order {
            Order::Disrupt(id) => Some(id),
            Order::DisruptAt(x, y) => map.cell(x, y).map(|c| u32::from(map.region[c.index()])),
            _ => continue,
        };
        match (region, *order) {
            (None, Order::DisruptAt(x, y)) => {
                out.messages.push(format!("Not part of grid: ({x}, {y})"));
            }
            _ if out.plan.region != Plan::NO_REGION => {
                out.messages.push("Not enough disruption points.".into());
            }
            (Some(id), _) if id as usize >= map.regions.len() => {
                out.messages.push(format!("Invalid region id: {id}"));
            }
            (Some(id), _) if state.inked >> id & 1 != 0 => {
                out.messages
                    .push(format!("Cannot disrupt region{id}. Already inked out."));
            }
            (Some(id), _) if map.immune(id as u8) => {
                out.messages
                    .push(format!("Cannot disrupt region{id}. It contains a town."));
            }
            (Some(id), _) => out.plan.region = id as u8,
            (None, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, Order};

    #[test]
    fn valid_lines() {
        for line in [";", ";;", "WAIT;", " WAIT ", "wait", "MESSAGE x", "MESSAGE a  b"] {
            let got = parse(line);
            assert!(got.invalid.is_none(), "{line:?}: {got:?}");
        }
        assert_eq!(parse("PLACE_TRACKS 007 3").orders, [Order::Place(7, 3)]);
        assert_eq!(parse("place_tracks 0 0").orders, [Order::Place(0, 0)]);
        assert_eq!(
            parse("DISRUPT 2147483647 ; disrupt 00 1").orders,
            [Order::Disrupt(2147483647), Order::DisruptAt(0, 1)]
        );
    }

    #[test]
    fn invalid_lines() {
        for line in [
            "",
            ";WAIT",
            "WAIT;;WAIT",
            "WAIT; ;",
            "MESSAGE",
            "MESSAGE ",
            "WAIT x",
            "DISRUPT",
            "DISRUPT -1",
            "PLACE_TRACKS -1 0",
            "PLACE_TRACKS  0 0",
            "PLACE_TRACKS 0 0 7",
            "PLACE_TRACKS 0\t0",
            "PLACE_TRACK 0 0",
            "DISRUPT 2147483648",
            "DISRUPT 99999999999999999999",
            "PLACE_TRACKS ١ 0",
        ] {
            assert!(parse(line).invalid.is_some(), "{line:?}");
        }
    }

    #[test]
    fn parts_before_an_invalid_one_count() {
        let got = parse("WAIT;PLACE_TRACKS 1 2;JUMP;DISRUPT 3");
        assert_eq!(got.orders, [Order::Nothing, Order::Place(1, 2)]);
        assert_eq!(
            got.invalid.as_deref(),
            Some("Invalid Input: Expected AUTOPLACE | PLACE_TRACK | DISRUPT | MESSAGE | WAIT but got 'JUMP'")
        );
    }
}
