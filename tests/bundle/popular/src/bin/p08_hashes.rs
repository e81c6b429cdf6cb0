use fxhash::{FxHashSet, hash64};
use rustc_hash::FxHashMap;

fn main() {
    let mut table: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    for step in 0..50u32 {
        let cell = (step * 7 % 5, step * 3 % 4);
        *table.entry(cell).or_default() += step;
        seen.insert(cell.0);
    }
    let mut list: Vec<_> = table.into_iter().collect();
    list.sort_unstable();
    println!("{list:?} {} {:x}", seen.len(), hash64(&(3u32, "bot")));
}
