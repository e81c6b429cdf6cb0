use rand::{Rng, SeedableRng};
use rand_pcg::{Lcg128Xsl64, Pcg32, Pcg64Mcg};

fn main() {
    let mut a = Pcg64Mcg::new(12345);
    let mut b = Pcg32::seed_from_u64(9);
    let mut c = Lcg128Xsl64::seed_from_u64(1);
    println!("{} {} {:.5}", a.gen_range(0..1000), b.gen::<u32>(), c.gen::<f32>());
}
