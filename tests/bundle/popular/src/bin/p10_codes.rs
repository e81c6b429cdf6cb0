use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

const SET: &AsciiSet = &CONTROLS.add(b' ').add(b'"');

fn main() {
    let code = hex::encode([1u8, 171, 255]);
    println!("{code} {:?} {:?}", hex::decode(&code), hex::decode("0g").map_err(|e| e.to_string()));
    println!("{} {}", utf8_percent_encode("a \"b\" ö", SET), percent_decode_str("a%20b").decode_utf8().unwrap());
    let mut digits = itoa::Buffer::new();
    println!("{}", digits.format(-123_456_789_012i64));
}
