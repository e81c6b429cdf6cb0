//! Up to edition 2015 an import starts at the crate's root wherever it stands, in macros, too.

#[macro_use]
extern crate oldest;

extern crate named as other;

mod shapes;

mod named {
    pub fn name() -> &'static str {
        "a module of the crate's name"
    }
}

mod user {
    use named::name;

    pub fn told() -> [&'static str; 3] {
        [name(), ::named::name(), ::other::name()]
    }
}

macro_rules! items {
    ($($item:item)*) => { $($item)* };
}

mod deeper {
    items! {
        extern crate named;
        pub fn told() -> &'static str {
            self::named::name()
        }
    }
}

macro_rules! in_a_module {
    ($name:ident) => {
        mod $name {
            use shapes::deep::{name, twice};
            use {Counted, LIMIT};

            pub fn told() -> String {
                format!("{} {} {}", name(), twice(LIMIT), Counted(LIMIT).0)
            }
        }
    };
}

in_a_module!(inner);

pub const LIMIT: u32 = 7;
pub struct Counted(pub u32);

fn main() {
    use shapes::deep;
    println!("{} {}", deep::name(), inner::told());
    println!("{:?} {}", user::told(), deeper::told());
    println!(
        "{} {} {}",
        oldest::told(),
        shapes::beside::once(),
        shapes::beside::there::both()
    );
    std::panic::set_hook(Box::new(|_| {}));
    let caught = std::panic::catch_unwind(|| panic!(5i32));
    println!("{:?}", caught.unwrap_err().downcast_ref::<i32>());
    debug_assert!(LIMIT == 7, format!("{}", LIMIT));
    let caught = std::panic::catch_unwind(|| std::assert!(LIMIT == 8 && Counted(1).0 == 1, 6i64,));
    println!("{:?}", caught.unwrap_err().downcast_ref::<i64>());
    assert!(std::mem::size_of::<Result<u8, u8>>() <= 16);
    let caught =
        std::panic::catch_unwind(|| assert!(Vec::<Result<u8, u8>>::new().len() > 1, parsed::<u8, _>("7")));
    println!("{:?}", caught.unwrap_err().downcast_ref::<Option<u8>>());
    println!("{} {}", standard_and!(1), oldest::core::eight());
}

fn parsed<T: std::str::FromStr, S: AsRef<str>>(text: S) -> Option<T> {
    text.as_ref().parse().ok()
}
