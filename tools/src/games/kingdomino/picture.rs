//! A position as one SVG element: both kingdoms, the tiles in play, the tiles on offer.

use serde_json::Value;
use std::fmt::Write;

const CELL: usize = 20;

fn colour(letter: char) -> &'static str {
    match letter {
        'c' => "#e8c547",
        'f' => "#2f6b3a",
        'g' => "#9ccc65",
        'l' => "#4a90d9",
        'w' => "#b5a58a",
        'm' => "#5b4b49",
        '*' => "#c0392b",
        _ => "#f4f1ea",
    }
}

fn square(out: &mut String, x: usize, y: usize, letter: char, crowns: char) {
    let _ = write!(
        out,
        r##"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{}" stroke="#ddd" stroke-width="0.5"/>"##,
        colour(letter)
    );
    if let n @ 1..=3 = crowns.to_digit(10).unwrap_or(0) {
        for i in 0..n as usize {
            let _ = write!(
                out,
                r##"<circle cx="{}" cy="{}" r="2.5" fill="#fff" stroke="#222"/>"##,
                x + 5 + 5 * i,
                y + 6
            );
        }
    }
}

fn text(out: &mut String, x: usize, y: usize, content: &str) {
    let _ = write!(
        out,
        r##"<text x="{x}" y="{y}" font-family="sans-serif" font-size="11" fill="#222">{content}</text>"##
    );
}

fn lane(out: &mut String, x: usize, title: &str, entries: &Value) {
    text(out, x, 16, title);
    for (i, entry) in entries.as_array().into_iter().flatten().enumerate() {
        let y = 24 + i * (CELL + 8);
        let words: Vec<&str> = entry["tile"].as_str().unwrap_or_default().split(' ').collect();
        for (half, word) in words.iter().skip(1).enumerate() {
            let mut letters = word.chars();
            let (letter, crowns) = (letters.next().unwrap_or('_'), letters.next().unwrap_or('0'));
            square(out, x + 24 + half * CELL, y, letter, crowns);
        }
        text(out, x, y + 14, words.first().unwrap_or(&""));
        if let Some(owner) = entry["owner"].as_u64() {
            text(out, x + 70, y + 14, &format!("seat {owner}"));
        }
    }
}

/// Draws a `Referee::view`.
pub fn svg(view: &Value) -> String {
    let grids: Vec<&Value> = view["grids"].as_array().into_iter().flatten().collect();
    let side = grids.first().and_then(|g| g.as_array()).map_or(13, Vec::len);
    let top = 160;
    let width = (side * CELL + 20) * grids.len().max(1) + 10;
    let height = top + side * CELL + 30;
    let mut out = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">"#
    );
    lane(&mut out, 10, "to place", &view["row"]);
    lane(&mut out, 170, "on offer", &view["offer"]);
    text(&mut out, 340, 16, &format!("turn {}", view["turn"]));
    for (seat, grid) in grids.iter().enumerate() {
        let left = 10 + seat * (side * CELL + 20);
        let score = &view["scores"][seat];
        text(&mut out, left, top - 6, &format!("seat {seat}: {score}"));
        for (y, row) in grid.as_array().into_iter().flatten().enumerate() {
            let letters: Vec<char> = row.as_str().unwrap_or_default().chars().collect();
            for (x, group) in letters.chunks(2).enumerate() {
                let crowns = *group.get(1).unwrap_or(&'0');
                square(&mut out, left + x * CELL, top + y * CELL, group[0], crowns);
            }
        }
    }
    out.push_str("</svg>");
    out
}
