//! The rails bot: read, decide, write.

fn main() {}
