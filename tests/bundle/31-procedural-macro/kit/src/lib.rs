//! A macro of the name that another crate's procedural macro has.

#[macro_export]
macro_rules! shout {
    ($x:ident) => {
        concat!("kit ", stringify!($x))
    };
}
