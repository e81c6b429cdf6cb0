//! A position as one SVG element: stones in their seats' colours, a ring around the last.

use crate::adapter::SEAT_COLOURS;
use serde_json::Value;
use std::fmt::Write;

const CELL: usize = 48;

/// Draws what the referee's `view` holds.
pub fn draw(view: &Value) -> String {
    let rows: Vec<&str> = view["rows"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let side = rows.len() * CELL;
    let mut out = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\">");
    let last = view["last"].as_str().unwrap_or_default();
    for (y, row) in rows.iter().enumerate() {
        for (x, stone) in row.chars().enumerate() {
            let (cx, cy) = (x * CELL + CELL / 2, y * CELL + CELL / 2);
            let _ = write!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"46\" height=\"46\" rx=\"4\" fill=\"#e8e4da\"/>",
                x * CELL + 1,
                y * CELL + 1
            );
            let Some(seat) = "xo".find(stone) else { continue };
            let ring = if last == format!("{x} {y}") { "#333" } else { "none" };
            let _ = write!(
                out,
                "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"17\" fill=\"{}\" stroke=\"{ring}\" stroke-width=\"3\"/>",
                SEAT_COLOURS[seat]
            );
        }
    }
    out + "</svg>"
}
