#![no_std]
extern crate alloc;

use alloc::boxed::Box;
use alloc::vec::Vec;

pub fn list() -> Vec<Box<i32>> {
    (0..4).map(Box::new).collect()
}

pub mod map {
    use alloc::collections::BTreeMap;

    pub fn squares() -> BTreeMap<i32, ::alloc::string::String> {
        (0..3).map(|x| (x, alloc::format!("{}", x * x))).collect()
    }
}
