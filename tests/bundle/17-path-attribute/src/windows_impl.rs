pub fn name() -> &'static str {
    "system"
}
