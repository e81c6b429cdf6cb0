use helper_kit::{Counter, Named};
use renamed::Twice;
use renamed::helper_kit::Counter as Again;

struct Me;

impl Named for Me {
    fn name(&self) -> String {
        "me".to_owned()
    }
}

mod inner {
    pub fn sum(list: &[usize]) -> usize {
        (0..of_ranges::END).map(|i| list[i]).sum::<usize>() + list[..of_ranges::end()].len()
    }
}

fn main() {
    println!("{}", inner::sum(&[1, 2, 4, 8]));
    let mut counter = Counter::default();
    counter.tick();
    let again = Again::default().value();
    println!("{} {} {} {again}", counter.value(), Me.hello(), 21.twice());
    let told = (option_env!("CARGO_BIN_NAME"), option_env!("CARGO_PRIMARY_PACKAGE"));
    println!("{} {told:?} {:?}", env!("CARGO_PKG_RUST_VERSION"), helper_kit::told());
}
