//! A macro that is called like its crate, and one like the compiler's.

#[macro_export]
macro_rules! lent {
    ($x:expr) => {
        $crate::same($x)
    };
}

#[macro_export]
macro_rules! column {
    () => {
        "a column of input"
    };
}

pub fn same(x: u32) -> u32 {
    x
}
