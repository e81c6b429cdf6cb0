//! Whole numbers in their shortest form: the same value of the same type, in decimal or hexadecimal digits.
//!
//! Only where the compiler reads numbers for their values. In attributes, rules of macros and what is handed to a macro
//! they stay as they are, as they could be printed or matched there; the standard library's macros that read expressions
//! and print values alone are no such macros. Floats, fields by number and what its type cannot hold are never touched.

use super::lex::{Edits, Kind, Tokens};
use super::older::OF_EXPRESSIONS;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;
use std::path::Path;

/// The types that a whole number can name, and their greatest values where that is certain.
const TYPES: [(&str, u128); 13] = [
    ("", u128::MAX),
    ("u8", u8::MAX as u128),
    ("u16", u16::MAX as u128),
    ("u32", u32::MAX as u128),
    ("u64", u64::MAX as u128),
    ("u128", u128::MAX),
    ("usize", u64::MAX as u128),
    ("i8", i8::MAX as u128),
    ("i16", i16::MAX as u128),
    ("i32", i32::MAX as u128),
    ("i64", i64::MAX as u128),
    ("i128", i128::MAX as u128),
    ("isize", i64::MAX as u128),
];

/// Words before a `!` that denies what follows.
const KEYWORDS: [&str; 5] = ["if", "in", "match", "return", "while"];

/// `text` with its whole numbers as short as they can be written.
pub fn shorten(text: &str) -> Result<String> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let plain = plain(&tokens);
    let mut edits = Edits::default();
    let mut i = 0;
    while let Some(token) = tokens.list.get(i) {
        if token.kind == Kind::Open && is_told(&tokens, i, &plain) {
            i = token.pair;
        } else if token.kind == Kind::Lit && !is_field(&tokens, i) {
            if let Some(short) = shortest(tokens.at(i as isize)) {
                edits.replace(token.range.clone(), short);
            }
        }
        i += 1;
    }
    let short = edits.apply(text);
    let again = Tokens::new(&short, Path::new("bundle"))?;
    let is_same = |(old, new): (isize, isize)| {
        let (old, new) = (tokens.at(old), again.at(new));
        old == new || (value(old).is_some() && value(old) == value(new))
    };
    let all = 0..tokens.list.len() as isize;
    ensure!(
        tokens.list.len() == again.list.len() && all.clone().zip(all).all(is_same),
        "writing a number shorter changed it: please report this"
    );
    Ok(short)
}

/// Macros that read expressions and print no more of them than their values.
fn plain<'a>(tokens: &Tokens<'a>) -> BTreeSet<&'a str> {
    let is_plain = |name: &&str| !name.contains("assert") && *name != "dbg";
    let mut plain: BTreeSet<&str> = OF_EXPRESSIONS.into_iter().filter(is_plain).collect();
    for at in 0..tokens.list.len() as isize {
        // Of the name a macro of the text's own may be, or one that is imported.
        let is_rules = tokens.at(at) == "!" && tokens.at(at - 1) == "macro_rules";
        if is_rules && tokens.at(at + 1) == "$" {
            return BTreeSet::new();
        }
        if is_rules || tokens.at(at) == "as" {
            plain.remove(tokens.at(at + 1));
        }
    }
    plain
}

/// True if what `open` opens is an attribute, a macro's rules or what is handed to a macro that may read the tokens.
fn is_told(tokens: &Tokens<'_>, open: usize, plain: &BTreeSet<&str>) -> bool {
    let at = open as isize;
    let before = |back: isize| tokens.at(at - back);
    match before(1) {
        "#" => true,
        "!" if before(2) == "#" => true,
        "!" => {
            let is_librarys = before(3) != "::" || matches!(before(4), "std" | "core" | "alloc");
            let is_call = tokens.is_word(at - 2) && !KEYWORDS.contains(&before(2));
            is_call && !(plain.contains(before(2)) && is_librarys)
        }
        _ => before(2) == "!" && before(3) == "macro_rules" || before(3) == "!" && before(4) == "macro_rules",
    }
}

/// True behind a single dot; behind two a range ends.
fn is_field(tokens: &Tokens<'_>, i: usize) -> bool {
    let at = i as isize;
    tokens.at(at - 1) == "." && tokens.at(at - 2) != "."
}

/// The value and the type that a literal names; nothing for what is no whole number or more than its type holds.
fn value(literal: &str) -> Option<(u128, &str)> {
    let (radix, digits) = match literal.get(..2) {
        Some("0x") => (16, &literal[2..]),
        Some("0o") => (8, &literal[2..]),
        Some("0b") => (2, &literal[2..]),
        _ => (10, literal),
    };
    if !literal.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let is_digit = |c: char| c == '_' || c.is_digit(radix);
    let (digits, suffix) = digits.split_at(digits.find(|c| !is_digit(c)).unwrap_or(digits.len()));
    let (suffix, most) = TYPES.iter().find(|(name, _)| *name == suffix)?;
    let value = u128::from_str_radix(&digits.replace('_', ""), radix).ok()?;
    (value <= *most).then_some((value, *suffix))
}

/// A literal's shorter form, if there is one.
fn shortest(literal: &str) -> Option<String> {
    let (value, suffix) = value(literal)?;
    let forms = [format!("{value}{suffix}"), format!("{value:#x}{suffix}")];
    let short = forms.into_iter().min_by_key(String::len)?;
    (short.len() < literal.len()).then_some(short)
}

#[cfg(test)]
mod tests {
    use super::{shorten, shortest};

    /// What a function's body becomes.
    fn body(body: &str) -> String {
        let short = shorten(&format!("fn f() {{ {body} }}")).unwrap();
        short["fn f() { ".len()..short.len() - 2].to_owned()
    }

    #[test]
    fn values_and_types_stay() {
        let long = |digits: &str| format!("0b{}", digits.repeat(16));
        for (literal, expected) in [
            ("0b0000_0000_0000_1010", "10"),
            ("0x0000_0000_0000_00ff_u64", "255u64"),
            ("0xffff_ffff", "4294967295"),
            ("0xFFFF_FFFF_FFFF", "0xffffffffffff"),
            ("0b1111_1111u8", "255u8"),
            ("0o777_usize", "511usize"),
            ("0x1f32", "7986"),
            ("0x1_f32", "7986"),
            ("0x0f_u8", "15u8"),
            ("1_000", "1000"),
            ("007i8", "7i8"),
            ("0x0", "0"),
            ("0x7f_i8", "127i8"),
            ("18446744073709551615", "0xffffffffffffffff"),
            (&long("1111_"), "0xffffffffffffffff"),
            (&long("0001_"), "0x1111111111111111"),
            (&long("0000_"), "0"),
            (
                "0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff_u128",
                "0xffffffffffffffffffffffffffffffffu128",
            ),
            (
                "0x8000_0000_0000_0000_0000_0000_0000_0000",
                "0x80000000000000000000000000000000",
            ),
            (
                "340282366920938463463374607431768211455",
                "0xffffffffffffffffffffffffffffffff",
            ),
        ] {
            assert_eq!(shortest(literal).as_deref(), Some(expected), "{literal}");
        }
    }

    #[test]
    fn other_literals_stay() {
        for literal in [
            "0",
            "10",
            "10u8",
            "1e5",
            "1_0e1_0",
            "1_f32",
            "1_0f64",
            "1_000.000_1",
            "0xffff_ffff_i32",
            "0x0_80_i8",
            "0b1_0000_0000_u8",
            "0x1_0000_0000_0000_0000_0000_0000_0000_0000",
            "\"0x00\"",
            "b\"0x00\"",
            "'0'",
            "b'0'",
            "0x_",
            "",
        ] {
            assert_eq!(shortest(literal), None, "{literal}");
        }
    }

    #[test]
    fn fields_by_number_stay_and_ranges_and_methods_do_not() {
        for (text, expected) in [
            ("x.0.1 + x . 00 + x.0 .1", "x.0.1 + x . 00 + x.0 .1"),
            ("0b0..0b11", "0..3"),
            ("0b0 .. 0x1f", "0 .. 31"),
            ("x.0..=0x0f", "x.0..=15"),
            ("0x0ff_u8.max(0b1)", "255u8.max(1)"),
            ("0x0e.eq(&-0x0a)", "14.eq(&-10)"),
            ("18446744073709551615.e5()", "0xffffffffffffffff.e5()"),
            ("T::<0b11>::x([0b01; 0x10])", "T::<3>::x([1; 16])"),
            ("1_0.0_1 + 1_0.", "1_0.0_1 + 1_0."),
        ] {
            assert_eq!(body(text), expected);
        }
    }

    #[test]
    fn what_a_macro_may_print_stays() {
        for kept in [
            "stringify!(0x01)",
            "assert!(x == 0x01)",
            "assert_eq!(x, 0x01)",
            "debug_assert!(x == 0x01)",
            "dbg!(0x01)",
            "own![0x01]",
            "own!{ (0x01) }",
            "a::b!(0x01)",
            "other::vec![0x01]",
            "vec![own!(vec![0x01])]",
            "#[repr(align(0x01))] struct A;",
            "#![recursion_limit = 0x01]",
            "macro_rules! m { (0x01) => { 0x02 } }",
            "macro_rules! m [ (0x01) => { 0x02 } ];",
            "macro_rules! vec { ($x:expr) => { stringify!($x) } } vec![0x01]",
            "use own as vec; vec![0x01]",
            "macro_rules! m { ($d:tt $n:ident) => { macro_rules! $n { ($d x:expr) => { 0 } } } } vec![0x01]",
        ] {
            assert_eq!(body(kept), kept);
        }
    }

    #[test]
    fn what_a_macro_reads_shrinks() {
        for (text, expected) in [
            ("vec![0x01, 0b10]", "vec![1, 2]"),
            ("std::vec![0x01]", "std::vec![1]"),
            (
                "println!(\"{} {}\", 0x01, own!(0x02))",
                "println!(\"{} {}\", 1, own!(0x02))",
            ),
            ("own!(0x02); 0x03", "own!(0x02); 3"),
            ("if !(x == 0x01) { r#if!(0x02) }", "if !(x == 1) { r#if!(0x02) }"),
            ("x != (0x01)", "x != (1)"),
            ("#[own(0x02)] [0x03]", "#[own(0x02)] [3]"),
        ] {
            assert_eq!(body(text), expected);
        }
    }
}
