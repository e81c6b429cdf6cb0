//! The board of a referee's view as one SVG element.

use serde_json::Value;
use std::fmt::Write;

const COLOURS: [(&str, &str); 4] = [
    ("R", "#e05252"),
    ("G", "#4caf6d"),
    ("B", "#4f83d6"),
    ("Y", "#e3b93c"),
];

/// Middle of a cell: `-` on the crossing, `+` to its upper right.
fn place(label: &str) -> (f64, f64) {
    let bytes = label.as_bytes();
    let (c, r) = (f64::from(bytes[0] - b'a'), f64::from(bytes[1] - b'1'));
    let plus = if bytes[2] == b'+' { 26.0 } else { 0.0 };
    (40.0 + c * 64.0 + plus, 385.0 - r * 64.0 - plus)
}

/// Cells as circles, edges as lines, both hands and scores beneath.
pub fn render(view: &Value) -> String {
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 440 470\" font-family=\"sans-serif\" \
         font-size=\"13\" text-anchor=\"middle\"><rect width=\"440\" height=\"470\" fill=\"#fafafa\"/>",
    );
    let cells = (0..64).map(fifty::games::connexion::cells::Cell);
    for cell in cells.clone() {
        let (x, y) = place(&cell.to_string());
        for next in fifty::kit::bits::Bits(cell.neighbours()).filter(|&n| n as u8 > cell.0) {
            let (u, v) = place(&fifty::games::connexion::cells::Cell(next as u8).to_string());
            let _ = write!(
                out,
                "<line x1=\"{x}\" y1=\"{y}\" x2=\"{u}\" y2=\"{v}\" stroke=\"#bbb\"/>"
            );
        }
    }
    let tile_of = |label: &str| {
        view["board"]
            .as_array()?
            .iter()
            .find(|item| item[0] == label)
            .and_then(|item| item[1].as_str())
    };
    for cell in cells {
        let label = cell.to_string();
        let (x, y) = place(&label);
        let tile = tile_of(&label);
        let fill = tile
            .and_then(|t| COLOURS.iter().find(|c| t.starts_with(c.0)))
            .map_or("#fff", |c| c.1);
        let symbol = tile.and_then(|t| t.get(1..)).unwrap_or("");
        let _ = write!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"14\" fill=\"{fill}\" stroke=\"#888\"><title>{label}</title></circle>\
             <text x=\"{x}\" y=\"{}\">{symbol}</text>",
            y + 5.0
        );
    }
    for (seat, name) in ["FIRST", "SECOND"].iter().enumerate() {
        let hand: Vec<&str> = view["hands"][seat]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let _ = write!(
            out,
            "<text x=\"12\" y=\"{}\" text-anchor=\"start\">{name} {} points, hand {}</text>",
            430 + 22 * seat,
            view["scores"][seat],
            hand.join(" ")
        );
    }
    out + "</svg>"
}
