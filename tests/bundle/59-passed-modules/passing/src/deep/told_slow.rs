pub const WORDS: &str = "slow";
