pub fn name() -> &'static str {
    "a crate"
}
