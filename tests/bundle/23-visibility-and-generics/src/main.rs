use b23::{Bag, Line, length, measure, outer};

/// Tuples of one: their comma is not spare, whatever commas stand in angle brackets before it.
fn only(n: u8) -> (std::collections::BTreeMap<u8, fn(u8) -> u8>,) {
    (std::iter::once((n, twice as fn(u8) -> u8)).collect::<std::collections::BTreeMap<u8, fn(u8) -> u8>>(),)
}

fn twice(n: u8) -> u8 {
    2 * n
}

fn main() {
    println!("{}", only(3).0[&3](4));
    println!("{} {:?} {}", outer::sum(), measure(&Line(1.5f32, 2.0)), length(&Bag(vec![1, 2])));
}
