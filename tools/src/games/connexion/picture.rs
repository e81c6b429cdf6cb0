//! The board of a referee's view in letters, and as one SVG element.

use crate::adapter::SEAT_COLOURS;
use fifty::games::connexion::cells::Cell;
use serde_json::Value;
use std::collections::BTreeMap;
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

/// Row by row from the top, in each column the `-` and the `+` cell: its tile, `..` where it is empty.
pub fn text(view: &Value) -> String {
    let tiles: BTreeMap<&str, &str> = view["board"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|item| item[0].as_str().zip(item[1].as_str()))
        .collect();
    let mut out = String::from("     a-a+  b-b+  c-c+  d-d+  e-e+  f-f+\n");
    for row in ('1'..='6').rev() {
        let _ = write!(out, "  {row} ");
        for column in 'a'..='f' {
            out.push(' ');
            for sign in ['-', '+'] {
                let label = format!("{column}{row}{sign}");
                let empty = if Cell::parse(&label).is_some() { ".." } else { "  " };
                out.push_str(tiles.get(label.as_str()).unwrap_or(&empty));
            }
            out.push(' ');
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    for (seat, name) in ["FIRST", "SECOND"].iter().enumerate() {
        let _ = writeln!(
            out,
            "  {name} {}, hand {}, clock {} ms",
            view["scores"][seat],
            hand(view, seat).join(" "),
            view["clocks"][seat]
        );
    }
    out
}

fn hand(view: &Value, seat: usize) -> Vec<&str> {
    let tiles = view["hands"][seat].as_array();
    tiles.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Cells as circles, edges as lines, both hands and scores beneath.
pub fn draw(view: &Value) -> String {
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 440 490\" font-family=\"sans-serif\" \
         font-size=\"16\" text-anchor=\"middle\"><rect width=\"440\" height=\"490\" fill=\"#fafafa\"/>",
    );
    let cells = (0..64).map(Cell);
    for cell in cells.clone() {
        let (x, y) = place(&cell.to_string());
        for next in fifty::kit::bits::Bits(cell.neighbours()).filter(|&n| n as u8 > cell.0) {
            let (u, v) = place(&Cell(next as u8).to_string());
            let _ = write!(
                out,
                "<line x1=\"{x}\" y1=\"{y}\" x2=\"{u}\" y2=\"{v}\" stroke=\"#bbb\"/>"
            );
        }
    }
    let last = view["moves"]
        .as_array()
        .and_then(|moves| moves.last()?[1].as_str())
        .unwrap_or_default();
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
        disc(&mut out, (x, y), 16.0, tile.unwrap_or_default(), &label);
        if tile.is_none() {
            let _ = write!(
                out,
                "<text x=\"{x}\" y=\"{}\" font-size=\"10\" fill=\"#999\">{label}</text>",
                y + 3.5
            );
        } else if label == last {
            let _ = write!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"18\" fill=\"none\" stroke=\"#222\" stroke-width=\"3\"/>"
            );
        }
    }
    for (seat, name) in ["FIRST", "SECOND"].iter().enumerate() {
        let y = 434.0 + 30.0 * seat as f64;
        let _ = write!(
            out,
            "<text x=\"12\" y=\"{}\" text-anchor=\"start\" fill=\"{}\">{name} {} ({})</text>",
            y + 5.0,
            SEAT_COLOURS[seat],
            view["scores"][seat],
            ["symbols", "colours"][seat]
        );
        for (n, tile) in hand(view, seat).into_iter().enumerate() {
            disc(&mut out, (290.0 + 32.0 * n as f64, y), 13.0, tile, tile);
        }
    }
    out + "</svg>"
}

/// A tile, or an empty place: its colour with its symbol in the middle.
fn disc(out: &mut String, (x, y): (f64, f64), radius: f64, tile: &str, title: &str) {
    let colour = COLOURS.iter().find(|c| tile.starts_with(c.0));
    let _ = write!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\" stroke=\"#888\"><title>{title}</title></circle>",
        colour.map_or("#fff", |c| c.1),
    );
    if let Some(symbol) = tile.get(1..) {
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{}\" font-weight=\"700\">{symbol}</text>",
            y + 5.5
        );
    }
}
