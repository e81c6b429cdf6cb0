pub fn name() -> &'static str {
    "LOUD"
}
