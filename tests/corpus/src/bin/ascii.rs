use ascii::{AsciiChar, AsciiStr, AsciiString};

fn main() {
    let text = AsciiString::from_ascii("Hello").unwrap();
    let upper: AsciiString = text.chars().map(|letter| letter.to_ascii_uppercase()).collect();
    println!("{upper} {:?} {}", AsciiStr::from_ascii("x1").unwrap().last(), AsciiChar::A.as_char());
}
