use num_bigint::{BigInt, BigUint};

fn main() {
    let a: BigUint = "123456789012345678901234567890".parse().unwrap();
    let b = BigUint::from(97u32).pow(20);
    println!("{} {} {}", &a * &b, &b % &a, a.modpow(&b, &BigUint::from(1_000_000_007u64)));
    println!("{}", BigInt::from(-5) - BigInt::from(a));
}
