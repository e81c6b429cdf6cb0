//! Begins with attributes, and uses a crate for which the root must name `alloc`: they stand before that.
#![allow(static_mut_refs, non_snake_case)]

fn main() {
    println!("{}", bare_alloc::doubled(&[1, 2, 3]).len());
}
