use fixedbitset::FixedBitSet;

fn main() {
    let mut a = FixedBitSet::with_capacity(100);
    a.insert_range(10..15);
    a.set(12, false);
    let mut b = a.clone();
    b.toggle(99);
    b.intersect_with(&a);
    println!("{:?} {} {}", a.ones().collect::<Vec<_>>(), a.count_ones(..), a == b);
}
