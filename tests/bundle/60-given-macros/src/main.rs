//! Macros that a crate exports by another macro, which is given their names or all of them.

use given::{minus, plus};

fn main() {
    let own = 2;
    println!("{} {} {}", plus!(own), minus!(1), given::first!(own, 3));
    println!("{:?}", given::listing::list!(own, 5));
    println!("{} {}", given::title!(), given::version!().len());
    given::choose! {
        a = own + 5 => println!("a {a}"),
        b = 0 => println!("never {b}"),
        c = given::second!(1, 9) => println!("c {c}"),
    }
}
