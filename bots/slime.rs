//! The slime bot: read, decide, write.

fn main() {}
