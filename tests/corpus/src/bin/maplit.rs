use maplit::{btreemap, btreeset, convert_args, hashmap};
use std::collections::BTreeMap;

fn main() {
    let map: BTreeMap<String, i32> = convert_args!(keys = String::from, btreemap!("a" => 1, "b" => 2));
    println!("{map:?} {:?} {}", btreeset! { 3, 1 }, hashmap! { 1 => 2 }[&1]);
}
