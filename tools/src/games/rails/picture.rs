//! A position in letters, and as one SVG element: terrain, region borders, washed regions, tracks by owner, towns.

use crate::adapter::SEAT_COLOURS;
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

/// What a view holds.
struct Board<'a> {
    width: usize,
    height: usize,
    /// Region and terrain, row by row.
    cells: Vec<(usize, usize)>,
    /// Name, column and row.
    towns: Vec<(&'a str, usize, usize)>,
    /// Both scores, then owner, instability, washed and connections of each cell.
    turn: Vec<&'a str>,
}

impl<'a> Board<'a> {
    fn read(view: &'a Value) -> Self {
        let init = lines(&view["init"]);
        let number = |line: Option<&&str>| line.and_then(|l| l.parse::<usize>().ok()).unwrap_or(0);
        let (width, height) = (number(init.get(1)), number(init.get(2)));
        let cell = |line: &&str| {
            let (region, kind) = line.split_once(' ')?;
            Some((region.parse().ok()?, kind.parse().ok()?))
        };
        let town = |line: &&'a str| {
            let mut words = line.split(' ');
            Some((
                words.next()?,
                words.next()?.parse().ok()?,
                words.next()?.parse().ok()?,
            ))
        };
        Self {
            width,
            height,
            cells: init
                .iter()
                .skip(3)
                .take(width * height)
                .filter_map(cell)
                .collect(),
            towns: init.iter().skip(4 + width * height).filter_map(town).collect(),
            turn: lines(&view["turn"]),
        }
    }

    /// Word `k` of a cell's line.
    fn field(&self, cell: usize, k: usize) -> &str {
        let line = self.turn.get(cell + 2);
        line.and_then(|line| line.split(' ').nth(k)).unwrap_or_default()
    }
}

/// The map in letters: `.` plain, `~` river, `^` mountain, `*` other, digits owners of tracks (`2` both), `#`
/// washed away, capital letters towns (A is 0).
pub fn text(view: &Value) -> String {
    let board = Board::read(view);
    let mut rows = vec![vec!['?'; board.width]; board.height];
    for (n, &(_, kind)) in board.cells.iter().enumerate() {
        rows[n / board.width][n % board.width] = if board.field(n, 2) == "1" {
            '#'
        } else if let Some(owner @ '0'..='2') = board.field(n, 0).chars().next() {
            owner
        } else {
            ['.', '~', '^', '*'][kind % 4]
        };
    }
    for (name, x, y) in &board.towns {
        if let (Some(cell), Ok(n)) = (
            rows.get_mut(*y).and_then(|row| row.get_mut(*x)),
            name.parse::<u8>(),
        ) {
            *cell = char::from(b'A' + n % 26);
        }
    }
    let mut out = format!("  turn {}, scores {}\n", view["number"], view["scores"]);
    for row in rows {
        let _ = writeln!(out, "  {}", row.iter().collect::<String>());
    }
    out
}

/// Draws what the referee's `view` holds.
pub fn draw(view: &Value) -> String {
    let board = Board::read(view);
    let (width, height, cells) = (board.width, board.height, &board.cells);
    let (wide, high) = (width * CELL, height * CELL);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {}\" \
         font-family=\"sans-serif\" text-anchor=\"middle\">",
        high + 32
    );
    let region = |x: usize, y: usize| cells.get(y * width + x).map(|c| c.0);
    for (n, &(_, kind)) in cells.iter().enumerate() {
        let (x, y) = (n % width, n / width);
        let field = |k: usize| board.field(n, k);
        let ground = if field(2) == "1" {
            "#3a3a3a"
        } else {
            GROUND[kind % 4]
        };
        let (px, py) = (x * CELL, y * CELL);
        let _ = write!(
            out,
            "<rect x=\"{px}\" y=\"{py}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{ground}\"><title>{x} {y}, region {}</title></rect>",
            cells[n].0
        );
        if let Some(colour) = field(0).parse::<usize>().ok().and_then(|o| OWNERS.get(o)) {
            let ring = if field(3) == "x" { "none" } else { "#222" };
            let _ = write!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"16\" height=\"16\" rx=\"3\" fill=\"{colour}\" \
                 stroke=\"{ring}\" stroke-width=\"2\"><title>{x} {y}</title></rect>",
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
    for &(name, x, y) in &board.towns {
        let (cx, cy) = (x * CELL + CELL / 2, y * CELL + CELL / 2);
        let _ = write!(
            out,
            "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"12\" fill=\"#fff\" stroke=\"#222\" stroke-width=\"2\"/>\
             <text x=\"{cx}\" y=\"{}\" font-size=\"16\">{name}</text>",
            cy + 6
        );
    }
    let _ = write!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"20\">turn {} &#183; {} : {}</text></svg>",
        wide / 2,
        high + 24,
        view["number"],
        board.turn.first().copied().unwrap_or_default(),
        board.turn.get(1).copied().unwrap_or_default()
    );
    out
}
