use proconio::marker::{Chars, Usize1};
use proconio::{derive_readable, fastout, input};

#[derive_readable]
#[derive(Debug)]
struct Edge {
    from: Usize1,
    to: Usize1,
    cost: i64,
}

#[fastout]
fn main() {
    input! {
        n: usize,
        m: usize,
        edges: [Edge; m],
        grid: [Chars; n],
        pairs: [(i32, String)],
    }
    println!("{edges:?}");
    let total: i64 = edges.iter().map(|e| e.cost + e.from as i64 - e.to as i64).sum();
    println!("{total} {:?} {pairs:?}", grid);
}
