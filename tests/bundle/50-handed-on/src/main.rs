//! What a crate hands on of another one: the crate itself, and macros, also those that macros make.

use handed_kit::inner;
use handed_kit::parts::{asks, Count, Found};

asks!(both: "one" "two");

fn main() {
    println!("{} {}", both::get(), Count(2).twice());
    for x in &Found::new() {
        println!("{x} {}", inner::Count(*x).0);
    }
}
