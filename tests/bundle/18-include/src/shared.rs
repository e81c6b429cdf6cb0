/// Lives in another file.
fn from_shared() -> &'static str {
    include_str!("shared.txt")
}

#[allow(dead_code)]
fn never() {}
