//! Names of macros that a crate's macros hand to each other are that crate's, whoever calls.

mod inner;

#[macro_use]
extern crate handing;

// Imported though it is known already.
use handing::plus_one;

fn main() {
    println!("{} {}", inner::told(), inner::declared());
    println!("{} {}", handing::tell_equal!(1, 2), plus_one!(4));
}
