use rand::SeedableRng;
use rand_distr::{Beta, Distribution, Exp, Normal, Poisson, WeightedAliasIndex};

fn main() {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(1);
    let normal = Normal::new(2.0, 3.0).unwrap();
    let list: Vec<f64> = (0..4).map(|_| (normal.sample(&mut rng) * 1e6f64).round() / 1e6).collect();
    println!("{list:?} {:.5} {}", Exp::new(1.5).unwrap().sample(&mut rng), Poisson::new(4.0f64).unwrap().sample(&mut rng));
    println!("{:.4} {}", Beta::new(2.0, 5.0).unwrap().sample(&mut rng), WeightedAliasIndex::new(vec![1, 5, 2]).unwrap().sample(&mut rng));
}
