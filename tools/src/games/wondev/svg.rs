//! A position as one SVG element: cells shaded by height, units as discs in their player's colour.

use serde_json::Value;
use std::fmt::Write;

const CELL: usize = 48;
const SHADES: [&str; 5] = ["#e8e4da", "#c9bfa5", "#a68f63", "#6f5a33", "#2b2b2b"];
const COLOURS: [&str; 2] = ["#d1495b", "#2e86ab"];

/// Draws what the referee's `view` holds.
pub fn draw(view: &Value) -> String {
    let rows: Vec<&str> = view["rows"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let side = rows.len() * CELL;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {}\" font-family=\"sans-serif\" text-anchor=\"middle\">",
        side + 24
    );
    for (y, row) in rows.iter().enumerate() {
        for (x, c) in row.chars().enumerate() {
            let Some(height) = c.to_digit(5) else { continue };
            let _ = write!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"46\" height=\"46\" rx=\"4\" fill=\"{}\"/>\
                 <text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"#888\">{c}</text>",
                x * CELL + 1,
                y * CELL + 1,
                SHADES[height as usize],
                x * CELL + 8,
                y * CELL + 13
            );
        }
    }
    for (player, colour) in COLOURS.iter().enumerate() {
        for (unit, at) in view["units"][player].as_array().into_iter().flatten().enumerate() {
            let (Some(x), Some(y)) = (at[0].as_u64(), at[1].as_u64()) else {
                continue;
            };
            let (cx, cy) = (x as usize * CELL + 24, y as usize * CELL + 24);
            let faded = view["dead"][player].as_bool() == Some(true);
            let _ = write!(
                out,
                "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"15\" fill=\"{colour}\" opacity=\"{}\"/>\
                 <text x=\"{cx}\" y=\"{}\" font-size=\"14\" fill=\"#fff\">{unit}</text>",
                if faded { "0.4" } else { "1" },
                cy + 5
            );
        }
    }
    let _ = write!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"14\">round {} &#183; {} : {}</text></svg>",
        side / 2,
        side + 17,
        view["rounds"],
        view["points"][0],
        view["points"][1]
    );
    out
}
