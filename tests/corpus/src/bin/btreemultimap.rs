use btreemultimap::BTreeMultiMap;

fn main() {
    let mut map = BTreeMultiMap::new();
    map.insert(3, "c");
    map.insert(1, "a");
    map.insert(3, "d");
    println!("{:?} {:?}", map.get_vec(&3), map.range(1..3).collect::<Vec<_>>());
}
