//! A position in letters, and as one SVG element: all kingdoms, the tiles in play, the tiles on offer.

use crate::adapter::SEAT_COLOURS;
use serde_json::Value;
use std::fmt::Write;

const CELL: usize = 20;
const INK: &str = "#222";

fn colour(letter: char) -> &'static str {
    match letter {
        'c' => "#e8c547",
        'f' => "#2f6b3a",
        'g' => "#9ccc65",
        'l' => "#4a90d9",
        'w' => "#b5a58a",
        'm' => "#5b4b49",
        _ => "#f4f1ea",
    }
}

/// `at`: what it is called, where it has a name.
fn square(out: &mut String, (x, y): (usize, usize), fill: &str, crowns: char, at: &str) {
    let _ = write!(
        out,
        r##"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#ddd" stroke-width="0.5"><title>{at}</title></rect>"##
    );
    if let n @ 1..=3 = crowns.to_digit(10).unwrap_or(0) {
        for i in 0..n as usize {
            let _ = write!(
                out,
                r##"<circle cx="{}" cy="{}" r="2.8" fill="#ffe680" stroke="#222"/>"##,
                x + 4 + 6 * i,
                y + 5
            );
        }
    }
}

fn word(out: &mut String, x: usize, y: usize, colour: &str, content: &str) {
    let _ = write!(
        out,
        r#"<text x="{x}" y="{y}" font-family="sans-serif" font-size="15" fill="{colour}">{content}</text>"#
    );
}

fn lane(out: &mut String, x: usize, title: &str, entries: &Value) {
    word(out, x, 16, INK, title);
    for (i, entry) in entries.as_array().into_iter().flatten().enumerate() {
        let y = 26 + i * (CELL + 8);
        let words: Vec<&str> = entry["tile"].as_str().unwrap_or_default().split(' ').collect();
        for (half, word) in words.iter().skip(1).enumerate() {
            let mut letters = word.chars();
            let (letter, crowns) = (letters.next().unwrap_or('_'), letters.next().unwrap_or('0'));
            square(out, (x + 28 + half * CELL, y), colour(letter), crowns, word);
        }
        word(out, x, y + 16, INK, words.first().unwrap_or(&""));
        if let Some(owner) = entry["owner"].as_u64() {
            word(
                out,
                x + 76,
                y + 16,
                seat_colour(owner as usize),
                &format!("seat {owner}"),
            );
        }
    }
}

/// Four towers in the seat's colour.
fn castle(out: &mut String, x: usize, y: usize, fill: &str) {
    for (dx, dy) in [(2, 2), (11, 2), (2, 11), (11, 11)] {
        let _ = write!(
            out,
            r##"<rect x="{}" y="{}" width="7" height="7" fill="{fill}" stroke="#222" stroke-width="0.8"/>"##,
            x + dx,
            y + dy
        );
    }
}

fn seat_colour(seat: usize) -> &'static str {
    SEAT_COLOURS.get(seat).unwrap_or(&INK)
}

/// The tiles on one line each, then the kingdoms beside each other without the rows that all leave empty:
/// terrain letter and crowns, `**` the castle.
pub fn text(view: &Value) -> String {
    let mut out = format!("  turn {}, scores {}\n", view["turn"], view["scores"]);
    for (title, key) in [("to place", "row"), ("on offer", "offer")] {
        let tile = |entry: &Value| {
            let owner = entry["owner"].as_u64();
            let owner = owner.map_or_else(String::new, |seat| format!(" (seat {seat})"));
            entry["tile"].as_str().unwrap_or_default().to_owned() + &owner
        };
        let tiles: Vec<String> = view[key].as_array().into_iter().flatten().map(tile).collect();
        let _ = writeln!(out, "  {title}: {}", tiles.join(", "));
    }
    let grids: Vec<Vec<&str>> = view["grids"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|grid| {
            grid.as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect()
        })
        .collect();
    for y in 0..grids.first().map_or(0, Vec::len) {
        let rows: Vec<&str> = grids.iter().filter_map(|grid| grid.get(y).copied()).collect();
        if rows.concat().contains(|c| !matches!(c, '_' | '0')) {
            let shown = rows.join(" | ").replace("_0", " .").replace("*0", "**");
            let _ = writeln!(out, "  {shown}");
        }
    }
    out
}

/// Draws a `Referee::view`: two kingdoms beside each other, the next two beneath.
pub fn svg(view: &Value) -> String {
    let grids: Vec<&Value> = view["grids"].as_array().into_iter().flatten().collect();
    let side = grids.first().and_then(|g| g.as_array()).map_or(13, Vec::len) * CELL;
    let (top, high) = (164, side + 30);
    let width = (2 * side + 30).max(420);
    let height = top + grids.len().div_ceil(2) * high - 16;
    let mut out = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">"#);
    lane(&mut out, 10, "to place", &view["row"]);
    lane(&mut out, 170, "on offer", &view["offer"]);
    word(&mut out, 340, 16, INK, &format!("turn {}", view["turn"]));
    for (seat, grid) in grids.iter().enumerate() {
        let left = 10 + seat % 2 * (side + 10);
        let top = top + seat / 2 * high;
        let score = &view["scores"][seat];
        word(
            &mut out,
            left,
            top - 6,
            seat_colour(seat),
            &format!("seat {seat}: {score}"),
        );
        for (y, row) in grid.as_array().into_iter().flatten().enumerate() {
            let letters: Vec<char> = row.as_str().unwrap_or_default().chars().collect();
            for (x, group) in letters.chunks(2).enumerate() {
                let crowns = *group.get(1).unwrap_or(&'0');
                let at = format!("{x} {y}");
                let (x, y) = (left + x * CELL, top + y * CELL);
                square(&mut out, (x, y), colour(group[0]), crowns, &at);
                if group[0] == '*' {
                    castle(&mut out, x, y, seat_colour(seat));
                }
            }
        }
    }
    out.push_str("</svg>");
    out
}
