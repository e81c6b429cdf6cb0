//! The kingdomino bot: read, decide, write.

fn main() {}
