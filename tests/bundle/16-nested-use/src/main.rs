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

fn main() {
    println!("{} {} {}", T.name(), a::free(), c::deep());
    println!("{} {} {}", whole::b::deep(), b::deep(), inner::go());
}
