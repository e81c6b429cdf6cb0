//! A position as one SVG element.

use crate::adapter::SEAT_COLOURS;
use serde_json::Value;
use std::fmt::Write;

const SIDE: usize = 40;
const EMPTY: &str = "#f4f1ea";

/// Draws a referee's view: the squares, the last move as a line, the scores underneath.
pub fn draw(view: &Value) -> String {
    let none = Vec::new();
    let rows = view["rows"].as_array().unwrap_or(&none);
    let width = rows.len() * SIDE;
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {}" font-family="sans-serif" font-size="15">"#,
        width + 30
    );
    let centre = |n: usize| n * SIDE + SIDE / 2;
    for (r, row) in rows.iter().enumerate() {
        for (c, owner) in row.as_str().unwrap_or_default().bytes().enumerate() {
            let player = usize::from(owner.wrapping_sub(b'0'));
            let colour = player.checked_sub(1).and_then(|seat| SEAT_COLOURS.get(seat));
            let colour = colour.unwrap_or(&EMPTY);
            let (x, y) = (c * SIDE, r * SIDE);
            let _ = write!(
                svg,
                r##"<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{colour}" stroke="#8884"><title>{r} {c}</title></rect>"##
            );
        }
    }
    let last: Vec<usize> = view["last"]
        .as_str()
        .unwrap_or_default()
        .split(' ')
        .filter_map(|n| n.parse().ok())
        .collect();
    if let [r1, c1, r2, c2] = last[..] {
        if (r1, c1) != (r2, c2) {
            let _ = write!(
                svg,
                r##"<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="#000" stroke-width="3"/><circle cx="{}" cy="{}" r="6"/>"##,
                centre(c1),
                centre(r1),
                centre(c2),
                centre(r2),
                centre(c2),
                centre(r2)
            );
        }
    }
    let scores: Vec<String> = view["scores"]
        .as_array()
        .unwrap_or(&none)
        .iter()
        .map(Value::to_string)
        .collect();
    let _ = write!(
        svg,
        r#"<text x="4" y="{}">turn {}: {}</text></svg>"#,
        width + 20,
        view["turn"],
        scores.join(" : ")
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::draw;
    use crate::games::slime::referee::SlimeReferee;
    use crate::referee::Referee;

    #[test]
    fn every_square_is_drawn() {
        let svg = draw(&SlimeReferee::new(8).view());
        assert_eq!(svg.matches("<rect").count(), 64);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
    }
}
