//! A position as one SVG element: cells as towers seen from above, units as discs in their player's colour.

use crate::adapter::SEAT_COLOURS;
use serde_json::Value;
use std::fmt::Write;

const CELL: usize = 48;
const SHADES: [&str; 5] = ["#e8e4da", "#c9bfa5", "#a68f63", "#6f5a33", "#2b2b2b"];

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
            // One storey on the other, each a little smaller.
            for (storey, shade) in SHADES[..=height as usize].iter().enumerate() {
                let inset = 1 + 4 * storey;
                let _ = write!(
                    out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{w}\" rx=\"4\" fill=\"{shade}\"><title>{x} {y}</title></rect>",
                    x * CELL + inset,
                    y * CELL + inset,
                    w = CELL - 2 * inset
                );
            }
            if height > 0 {
                let _ = write!(
                    out,
                    "<text x=\"{}\" y=\"{}\" font-size=\"13\" font-weight=\"700\" fill=\"#333\">{c}</text>",
                    x * CELL + 8,
                    y * CELL + 15,
                );
            }
        }
    }
    for (player, colour) in SEAT_COLOURS.iter().take(2).enumerate() {
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
