//! What was learned as source text, `src/games/slime/learned.rs`.

use super::fit::numbers;
use fifty::games::slime::learned::cubes;
use fifty::games::slime::prior::Prior;
use fifty::games::slime::eval::{NETS, Net};

/// The character of a digit, as `learned.rs` reads it.
fn character(digit: u8) -> char {
    let c = b'#' + digit;
    (c + u8::from(c >= b'\\')) as char
}

/// Numbers as the text that `cubes` reads.
fn encode_cubes(numbers: &[f32]) -> String {
    let digit = |number: &f32| {
        let root = ((number / 3.0).cbrt() * 45.0).round().clamp(-45.0, 45.0);
        (root + 45.0) as u8
    };
    numbers.iter().map(digit).map(character).collect()
}

/// Numbers as the text that `decode` reads.
fn encode(numbers: &[f32]) -> String {
    let digits = |number: &f32| {
        let n = (number * 400.0).round().clamp(-4140.0, 4140.0) as i32 + 4140;
        [(n / 91) as u8, (n % 91) as u8]
    };
    numbers.iter().flat_map(digits).map(character).collect()
}

/// The text as source of 100 characters a line.
fn lines(text: &str) -> String {
    let lines = text.as_bytes().chunks(100).map(String::from_utf8_lossy);
    lines.flat_map(|line| ["\\\n".into(), line]).collect()
}

/// The file with new numbers between its quotes.
pub fn file(nets: &[Net; NETS], prior: &Prior) -> String {
    let old = include_str!("../../../../../src/games/slime/learned.rs");
    let mut parts: Vec<&str> = old.split('"').collect();
    assert_eq!(
        parts.len(),
        2 * NETS + 3,
        "learned.rs has a text for each network, and one more"
    );
    let texts: Vec<String> = (nets.iter().map(|net| encode_cubes(&numbers(net))))
        .chain([encode(&prior.table)])
        .map(|text| lines(&text))
        .collect();
    for (i, text) in texts.iter().enumerate() {
        parts[2 * i + 1] = text;
    }
    parts.join("\"")
}

/// What will be read where this is written: what plays on is what the file says.
pub fn settle(net: &mut Net) {
    let text = encode_cubes(&numbers(net));
    let mut numbers = cubes(&text);
    *net = Net::from_numbers(|| numbers.next().unwrap_or(0.0));
}
