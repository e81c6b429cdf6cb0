use helper_kit::{Counter, Named};
use renamed::Twice;
use renamed::helper_kit::Counter as Again;

struct Me;

impl Named for Me {
    fn name(&self) -> String {
        "me".to_owned()
    }
}

fn main() {
    let mut counter = Counter::default();
    counter.tick();
    let again = Again::default().value();
    println!("{} {} {} {again}", counter.value(), Me.hello(), 21.twice());
    let told = (option_env!("CARGO_BIN_NAME"), option_env!("CARGO_PRIMARY_PACKAGE"));
    println!("{} {told:?} {:?}", env!("CARGO_PKG_RUST_VERSION"), helper_kit::told());
}
