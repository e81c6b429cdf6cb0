include!("shared.rs");

mod tables {
    pub static PRIMES: [u32; 4] = include!("primes.in");

    pub fn fourth() -> u32 {
        include!("fourth.in") + 1
    }
}

fn main() {
    println!("{:?} {}", tables::PRIMES, tables::fourth());
    println!("{} {}", from_shared(), include!("fifth.in"));
}
