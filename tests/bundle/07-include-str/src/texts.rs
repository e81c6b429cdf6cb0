pub fn quoted() -> &'static str {
    include_str!("data/quoted.txt")
}
