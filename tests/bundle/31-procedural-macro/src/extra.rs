pub fn deep() -> &'static str {
    "deep"
}
