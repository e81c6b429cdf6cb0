pub fn who() -> &'static str {
    "library"
}
