use memoise::memoise;

#[memoise(n <= 90, k <= 3)]
fn ways(n: usize, k: usize) -> u64 {
    if n == 0 {
        return 1;
    }
    (1..=k.min(n)).map(|step| ways(n - step, k)).sum()
}

fn main() {
    println!("{} {}", ways(40, 2), ways(40, 3));
}
