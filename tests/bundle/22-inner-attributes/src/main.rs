#!/usr/bin/env run
#![allow(clippy::all)]
#![warn(unused)]

//! Docs.

fn main() {
    //! Odd, but legal.
    println!("{}", b22::inner::f());
}
