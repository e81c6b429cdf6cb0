//! Names of macros that a crate's macros hand to each other are that crate's, whoever calls.

macro_rules! as_it_is {
    ($($item:item)+) => { $($item)+ };
}

as_it_is! {
    /// Calls what is named by a path, of which it takes the parts.
    macro_rules! sum_of {
        ($($krate:ident::$item:ident),+) => {
            0 $(+ $krate::$item())+
        };
    }
}

mod inner;

#[macro_use]
extern crate handing;

// Imported though it is known already.
use handing::plus_one;

/// Not the one of the macro's crate.
fn eight() -> u8 {
    80
}

fn main() {
    println!("{} {}", handing::twice_own!(), minus_one!(8));
    println!("{} {}", inner::told(), inner::declared());
    println!("{} {}", handing::tell_equal!(1, 2), plus_one!(4));
}
