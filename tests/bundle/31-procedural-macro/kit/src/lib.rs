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
