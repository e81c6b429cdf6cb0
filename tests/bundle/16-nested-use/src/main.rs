use b16::{
    a::{self, T},
    b as c,
};
use b16::{self as whole, b};

mod inner {
    use ::b16::{self, a::free as freed};

    pub fn go() -> i32 {
        freed() + b16::b::deep()
    }
}

// Modules of a crate's name behind other names.
mod shadow {
    pub mod b16 {
        pub fn own() -> i32 {
            3
        }
    }

    pub mod plain {
        pub const FOUR: i32 = 4;
    }
}

mod behind {
    use crate::{
        inner::go,
        shadow::{b16::own, plain},
    };
    use {super::shadow::{plain::FOUR, b16::own as again}, std::cmp};

    pub fn sum() -> i32 {
        cmp::max(go() + own(), plain::FOUR + FOUR + again())
    }
}

fn main() {
    println!("{} {} {}", T.name(), a::free(), c::deep());
    println!("{} {} {}", whole::b::deep(), b::deep(), inner::go());
    println!("{}", behind::sum());
}
