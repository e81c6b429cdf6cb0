use num_integer::{Integer, Roots, binomial};

fn sum<T: Integer + Copy>(from: T, to: T) -> T {
    let mut sum = T::zero();
    let mut at = from;
    while at <= to {
        sum = sum + at;
        at = at + T::one();
    }
    sum
}

fn main() {
    println!("{} {} {}", 84u64.gcd(&36), 21i32.lcm(&6), binomial(10u32, 4));
    println!("{:?} {} {}", (-7i32).div_mod_floor(&3), 1_000_003u64.sqrt(), sum(1i64, 100));
    let found = 240i64.extended_gcd(&46);
    println!("{} {} {}", found.gcd, found.x, found.y);
}
