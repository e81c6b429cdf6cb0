//! Borrows what in 2024 is gone by then.
pub fn length(word: &str) -> usize {
    let length = { &String::from(word) }.len();
    length
}
