use hashbag::HashBag;

fn main() {
    let mut bag = HashBag::new();
    for word in "a b a c a b".split(' ') {
        bag.insert(word);
    }
    bag.remove("a");
    println!("{} {} {}", bag.contains("a"), bag.contains("b"), bag.len());
}
