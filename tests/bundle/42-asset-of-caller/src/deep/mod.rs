pub fn note() -> usize {
    note!("note").len()
}
