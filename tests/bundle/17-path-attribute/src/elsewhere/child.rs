pub fn name() -> &'static str {
    "child"
}
