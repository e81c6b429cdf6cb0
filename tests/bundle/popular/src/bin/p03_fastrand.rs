use fastrand::Rng;

fn main() {
    let mut rng = Rng::with_seed(7);
    let mut order: Vec<u8> = (0..9).collect();
    rng.shuffle(&mut order);
    let letters: String = (0..6).map(|_| rng.alphanumeric()).collect();
    println!("{order:?} {letters} {} {:?}", rng.i32(-5..=5), rng.choice([1, 2, 3]));
}
