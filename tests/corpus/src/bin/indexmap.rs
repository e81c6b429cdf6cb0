use indexmap::{indexset, IndexMap};

fn main() {
    let mut map = IndexMap::new();
    for word in "the quick brown the lazy brown".split(' ') {
        *map.entry(word).or_insert(0) += 1;
    }
    map.swap_remove("quick");
    map.sort_by(|a, _, b, _| b.cmp(a));
    println!("{map:?} {:?} {:?}", map.get_index(0), indexset! { 3, 1, 3 });
}
