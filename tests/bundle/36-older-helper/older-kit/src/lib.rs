//! A closure that captures what `self` is in 2018 and `*self` is in 2021; a crate under another name in every
//! module, imported by that; an exported macro that another one is handed whole; a trait with the name of the library's;
//! closures without `dyn`; a crate of the standard library by another name; a panic that is given its only argument,
//! and what `unreachable!` holds.
extern crate alloc as stdalloc;
extern crate older_num as num;

macro_rules! whole {
    ($it:item) => {
        $it
    };
}

whole![
    #[macro_export]
    macro_rules! ensure {
        ($what:expr) => {
            $crate::sure::sure($what)
        };
    }
];

#[macro_export]
macro_rules! fail {
    ($what:expr) => {
        panic!($what)
    };
}

pub fn never(which: u8, name: String) -> u8 {
    match which {
        0 => unreachable!("{name}"),
        1 => unreachable!("plain"),
        2 => unreachable!(name,),
        3 => unreachable!("{} is none", name),
        4 => fail!("failed"),
        _ => unreachable!(),
    }
}

pub mod sure {
    pub fn sure(what: bool) -> &'static str {
        if what { "sure" } else { "not" }
    }
}
pub mod scan;

#[allow(bare_trait_objects)]
pub fn twice(f: &Fn(u32) -> u32, last: Box<FnOnce(u32) -> u32 + 'static>) -> u32 {
    last(f(f(1)))
}
