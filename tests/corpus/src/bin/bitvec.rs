use bitvec::prelude::*;

fn main() {
    let mut bits = bitvec![u64, Lsb0; 0; 70];
    bits.set(3, true);
    bits.set(64, true);
    let mut small = bitarr![0; 10];
    small[2..5].fill(true);
    println!("{} {:?} {}", bits.count_ones(), bits.iter_ones().collect::<Vec<_>>(), small.count_ones());
}
