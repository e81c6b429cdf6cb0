use rand::distributions::{Distribution, Uniform};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

fn main() {
    let mut rng = SmallRng::seed_from_u64(42);
    let mut list: Vec<u32> = (0..8).collect();
    list.shuffle(&mut rng);
    println!("{list:?} {} {:.6} {}", rng.gen_range(0..100), rng.gen::<f64>(), rng.gen_bool(0.3));
    println!("{:?} {:?}", Uniform::from(1..7).sample(&mut rng), list.choose(&mut rng));
    let grid: [[u8; 2]; 2] = rng.gen();
    println!("{grid:?}");
}
