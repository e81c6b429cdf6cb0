mod drops;
use drops::Drops;

#[derive(makers::Gen)]
struct Seed;

fn theirs() -> u8 {
    let r = makers::branch!(Drops(0).get());
    r
}

fn ours() -> u8 {
    makers::same! { let r = if let Some(x) = Drops(0).get() { x } else { println!("ours"); 8 }; }
    r
}

struct Row([u8; 3]);

impl Row {
    fn get(&self, i: usize) -> Option<u8> {
        self.0.get(i).copied().filter(|x| *x > 1)
    }

    // Holds `self`, which no edition before says by itself, and closures of 2018 hold the variable.
    fn all(&self) -> impl Iterator<Item = u8> {
        (0..4).filter_map(|i| self.get(i))
    }
}

fn main() {
    println!("{:?} {}", Row([1, 2, 3]).all().collect::<Vec<_>>(), makers::added!(4));
    println!("{} {} {}", theirs(), ours(), Seed.r#gen());
    let text = std::panic::catch_unwind(|| makers::fail!()).unwrap_err();
    println!("{:?}", text.downcast_ref::<&str>());
}
