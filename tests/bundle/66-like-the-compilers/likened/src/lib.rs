//! Macros of its own called like the compiler's, in an edition whose arrays are gone through by reference.

#[macro_use]
extern crate lent;

macro_rules! cfg {
    ($($word:tt)*) => {
        true
    };
}

macro_rules! env {
    ($name:literal) => {
        concat!("own ", $name)
    };
}

macro_rules! include_str {
    ($name:literal) => {
        $name
    };
}

pub fn words() -> (bool, &'static str, &'static str, u32) {
    (
        cfg!(anything),
        env!("CARGO_PKG_NAME"),
        include_str!("no/such/file"),
        lent!(3),
    )
}

pub fn names() -> usize {
    let names = [String::from("a"), String::from("b")];
    let list: Vec<&String> = names.into_iter().collect();
    list.len() + names.len()
}

pub fn thrown() {
    std::panic!(3u8)
}
