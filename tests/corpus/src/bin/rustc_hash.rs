use rustc_hash::{FxHashMap, FxHashSet};

fn main() {
    let mut map = FxHashMap::default();
    for i in 0..100u64 {
        *map.entry(i * i % 17).or_insert(0) += i;
    }
    let seen: FxHashSet<_> = map.values().map(|v| v % 7).collect();
    println!("{} {:?} {}", map.len(), map.get(&4), seen.len());
}
