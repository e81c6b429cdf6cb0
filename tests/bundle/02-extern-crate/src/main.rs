mod before {
    pub mod b02 {
        pub fn answer() -> i32 {
            1
        }
    }
}

extern crate b02;
extern crate b02 as other;

use b02::m;

fn main() {
    let before = before::b02::answer();
    println!("{} {} {before}", m::answer(), other::m::answer());
}
