use ac_library::{Additive, Dsu, FenwickTree, LazySegtree, MapMonoid, Max, Monoid, Segtree};

struct AddMax;
impl MapMonoid for AddMax {
    type M = Max<i64>;
    type F = i64;
    fn identity_map() -> i64 {
        0
    }
    fn mapping(f: &i64, x: &<Self::M as Monoid>::S) -> i64 {
        if *x == i64::MIN { *x } else { f + x }
    }
    fn composition(f: &i64, g: &i64) -> i64 {
        f + g
    }
}

fn main() {
    let mut dsu = Dsu::new(6);
    dsu.merge(0, 3);
    dsu.merge(3, 5);
    let mut tree = Segtree::<Max<i64>>::new(8);
    for i in 0..8 {
        tree.set(i, ((i * 37) % 11) as i64);
    }
    let mut sums = FenwickTree::new(5, 0i64);
    sums.add(2, 7);
    sums.add(4, 1);
    let mut lazy: LazySegtree<AddMax> = vec![1, 5, 2, 4].into();
    lazy.apply_range(0..3, 10);
    let sum = sums.sum(0..5);
    println!("{:?} {} {} {}", dsu.groups(), tree.prod(2..6), sum, lazy.all_prod());
    let _ = std::marker::PhantomData::<Additive<i64>>;
}
