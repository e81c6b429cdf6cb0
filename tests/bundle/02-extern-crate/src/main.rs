extern crate b02;
extern crate b02 as other;

use b02::m;

fn main() {
    println!("{} {}", m::answer(), other::m::answer());
}
