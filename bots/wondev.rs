//! The wondev bot: read, decide, write.

fn main() {}
