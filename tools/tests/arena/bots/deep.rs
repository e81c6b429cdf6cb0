//! A misbehaving bot (deep), compiled and run by the arena's tests.

// Recursion without end.
fn down(n: u64) -> u64 {
    if n == u64::MAX { 0 } else { std::hint::black_box(down(n + 1)) + 1 }
}
fn main() {
    println!("{}", down(std::env::args().count() as u64));
}
