//! A position as one SVG element: terrain, region borders, washed regions, tracks by owner, towns.

use crate::room::SEAT_COLOURS;
use serde_json::Value;
use std::fmt::Write;

const CELL: usize = 28;
const GROUND: [&str; 4] = ["#e9efd9", "#a9d1ea", "#b9a88c", "#f3d36b"];
const OWNERS: [&str; 3] = [SEAT_COLOURS[0], SEAT_COLOURS[1], "#6b6b6b"];

fn lines(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Draws what the referee's `view` holds.
pub fn draw(view: &Value) -> String {
    let (init, turn) = (lines(&view["init"]), lines(&view["turn"]));
    let number = |line: Option<&&str>| line.and_then(|l| l.parse::<usize>().ok()).unwrap_or(0);
    let (width, height) = (number(init.get(1)), number(init.get(2)));
    let cells: Vec<(usize, usize)> = init
        .iter()
        .skip(3)
        .take(width * height)
        .filter_map(|line| {
            let (region, kind) = line.split_once(' ')?;
            Some((region.parse().ok()?, kind.parse().ok()?))
        })
        .collect();
    let (wide, high) = (width * CELL, height * CELL);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {}\" \
         font-family=\"sans-serif\" text-anchor=\"middle\">",
        high + 32
    );
    let region = |x: usize, y: usize| cells.get(y * width + x).map(|c| c.0);
    for (n, &(_, kind)) in cells.iter().enumerate() {
        let (x, y) = (n % width, n / width);
        let words: Vec<&str> = turn
            .get(n + 2)
            .map_or_else(Vec::new, |line| line.split(' ').collect());
        let field = |k: usize| words.get(k).copied().unwrap_or_default();
        let ground = if field(2) == "1" {
            "#3a3a3a"
        } else {
            GROUND[kind % 4]
        };
        let (px, py) = (x * CELL, y * CELL);
        let _ = write!(
            out,
            "<rect x=\"{px}\" y=\"{py}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{ground}\"/>"
        );
        if let Some(colour) = field(0).parse::<usize>().ok().and_then(|o| OWNERS.get(o)) {
            let ring = if field(3) == "x" { "none" } else { "#222" };
            let _ = write!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"16\" height=\"16\" rx=\"3\" fill=\"{colour}\" \
                 stroke=\"{ring}\" stroke-width=\"2\"/>",
                px + 6,
                py + 6
            );
        }
        if field(1) != "0" && field(2) == "0" {
            let _ = write!(
                out,
                "<text x=\"{}\" y=\"{}\" font-size=\"14\" fill=\"#a00\">{}</text>",
                px + 23,
                py + 12,
                field(1)
            );
        }
        let mut border = |x1: usize, y1: usize, x2: usize, y2: usize| {
            let _ = write!(
                out,
                "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#888\"/>"
            );
        };
        if x + 1 < width && region(x, y) != region(x + 1, y) {
            border(px + CELL, py, px + CELL, py + CELL);
        }
        if y + 1 < height && region(x, y) != region(x, y + 1) {
            border(px, py + CELL, px + CELL, py + CELL);
        }
    }
    for town in init.iter().skip(4 + width * height) {
        let words: Vec<&str> = town.split(' ').collect();
        let xy = |k: usize| words.get(k).and_then(|t| t.parse::<usize>().ok());
        if let (Some(x), Some(y)) = (xy(1), xy(2)) {
            let (cx, cy) = (x * CELL + CELL / 2, y * CELL + CELL / 2);
            let _ = write!(
                out,
                "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"12\" fill=\"#fff\" stroke=\"#222\" stroke-width=\"2\"/>\
                 <text x=\"{cx}\" y=\"{}\" font-size=\"16\">{}</text>",
                cy + 6,
                words[0]
            );
        }
    }
    let _ = write!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"20\">turn {} &#183; {} : {}</text></svg>",
        wide / 2,
        high + 24,
        view["number"],
        turn.first().copied().unwrap_or_default(),
        turn.get(1).copied().unwrap_or_default()
    );
    out
}
