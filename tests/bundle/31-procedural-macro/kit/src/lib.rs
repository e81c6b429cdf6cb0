//! A macro and a trait of names that another crate's procedural macros have.

#[macro_export]
macro_rules! shout {
    ($x:ident) => {
        concat!("kit ", stringify!($x))
    };
}

pub trait Loud {
    const LOUD: bool;
}

/// A name that a built-in attribute has.
#[macro_export]
macro_rules! warn {
    ($x:ident) => {
        concat!("warn ", $crate::shout!($x))
    };
}

/// A macro of before procedural ones could stand for values.
#[shout::proc_macro_hack]
pub use shout::counted;
