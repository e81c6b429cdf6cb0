use num_integer::{binomial, Integer, Roots};

fn main() {
    let e = 240i64.extended_gcd(&46);
    println!("{} {} {} {} {} {}", e.gcd, e.x, e.y, binomial(40u64, 20), 1_000_001u64.sqrt(), (-7i32).div_floor(&2));
}
