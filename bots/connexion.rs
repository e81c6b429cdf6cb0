//! The connexion bot: read, decide, write.

fn main() {}
