with_fast! {
    /// Told in full.
    #[path = "told_fast.rs"]
    mod words;
}

without_fast! {
    #[path = "told_slow.rs"]
    mod words;
}

pub fn told() -> &'static str {
    words::WORDS
}
