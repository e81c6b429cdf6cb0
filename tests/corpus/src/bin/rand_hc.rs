use rand_core::{RngCore, SeedableRng};
use rand_hc::Hc128Rng;

fn main() {
    let mut rng = Hc128Rng::seed_from_u64(3);
    println!("{} {}", rng.next_u32(), rng.next_u64());
}
