use multimap::{multimap, MultiMap};

fn main() {
    let mut map: MultiMap<&str, i32> = MultiMap::new();
    map.insert("a", 1);
    map.insert("a", 5);
    let other = multimap!("x" => 1, "x" => 2);
    println!("{:?} {:?} {}", map.get_vec("a"), other.get("x"), map.is_vec("a"));
}
