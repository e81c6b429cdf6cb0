pub const WORDS: &str = "fast";
