use bitset_fixed::BitSet;

fn main() {
    let mut set = BitSet::new(50);
    set.set(0, true);
    for x in [3, 11, 20] {
        set |= &(&set << x);
    }
    println!("{} {:?}", set.count_ones(), (0..50).filter(|&i| set[i]).collect::<Vec<_>>());
}
