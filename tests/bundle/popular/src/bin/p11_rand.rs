use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

static_assertions::const_assert!(std::mem::size_of::<SmallRng>() <= 32);
static_assertions::assert_impl_all!(SmallRng: Clone, Send);

fn main() {
    let mut rng = SmallRng::seed_from_u64(42);
    let mut order: Vec<usize> = (0..10).collect();
    order.shuffle(&mut rng);
    let rolls: Vec<u32> = (0..5).map(|_| rng.gen_range(1..=6)).collect();
    println!("{order:?} {rolls:?} {} {:.6} {:?}", rng.gen_bool(0.5), rng.gen::<f64>(), order.choose(&mut rng));
}
