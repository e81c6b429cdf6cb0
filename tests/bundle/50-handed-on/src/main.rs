//! What a crate hands on of another one: the crate itself, and macros, also those that macros make.

use handed_kit::inner;
use handed_kit::parts::{asks, Count, Found, Holds};

asks!(both: "one" "two");
inner::record!(Own);

fn main() {
    println!("{} {} {}", both::get(), Count(2).twice(), [0u8; 2].holds());
    println!("{} {} {}", inner::first::of(), inner::kind!(), Own { x: 6 }.x);
    for x in &Found::new() {
        println!("{x} {}", inner::Count(*x).0);
    }
}
