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

/// Crates by their names alone, as macros are given them.
mod given {
    macro_rules! ends {
        ($name:ident, $of:ident) => {
            pub fn $name() -> usize {
                ::$of::END + $of::end()
            }
        };
    }
    ends!(both, of_ranges);

    macro_rules! chosen {
        ($($day:literal = $of:tt),*) => {
            pub fn chosen(day: usize) -> usize {
                match day {
                    $($day => {
                        use $of::*;
                        end()
                    })*
                    _ => 0,
                }
            }
        };
    }
    chosen!(1 = of_ranges);
}

macro_rules! again {
    ($of:ident, $trait:ident, $value:expr) => {
        <i32 as $of::$trait>::twice($value)
    };
}

fn main() {
    println!("{} {} {}", given::both(), given::chosen(1), again!(renamed, Twice, 4));
    println!("{}", inner::sum(&[1, 2, 4, 8]));
    let mut counter = Counter::default();
    counter.tick();
    let again = Again::default().value();
    println!("{} {} {} {again}", counter.value(), Me.hello(), 21.twice());
    let told = (option_env!("CARGO_BIN_NAME"), option_env!("CARGO_PRIMARY_PACKAGE"));
    println!("{} {told:?} {:?}", env!("CARGO_PKG_RUST_VERSION"), helper_kit::told());
}
