use helper_kit::{Counter, Named};
use renamed::Twice;

struct Me;

impl Named for Me {
    fn name(&self) -> String {
        "me".to_owned()
    }
}

fn main() {
    let mut counter = Counter::default();
    counter.tick();
    println!("{} {} {}", counter.value(), Me.hello(), 21.twice());
}
