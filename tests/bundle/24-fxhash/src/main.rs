use fxhash::{FxHashMap, hash64};

fn main() {
    let mut map: FxHashMap<&str, i32> = FxHashMap::default();
    map.insert("one", 1);
    *map.entry("one").or_insert(0) += 4;
    println!("{:?} {:x}", map.get("one"), hash64(&[1u32, 2, 3]));
}
