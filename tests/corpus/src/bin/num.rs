use num::{BigInt, Complex, Integer, One, Rational64, Zero};

fn main() {
    let mut f = BigInt::one();
    for i in 1..=30 {
        f *= i;
    }
    println!("{f} {} {} {}", 84u32.gcd(&36), Complex::new(1.0, 2.0) * Complex::i(), Rational64::new(6, 8) + Rational64::zero());
    println!("{:?} {}", num::range_step(0, 10, 3).collect::<Vec<_>>(), num::pow(3u64, 12));
}
