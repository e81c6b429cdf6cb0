pub fn stack(parts: &[&[i32]]) -> Vec<i32> {
    parts.concat()
}

/// Calls the function.
#[macro_export]
macro_rules! stack {
    ($($part:expr),* $(,)?) => { $crate::stack(&[$(&$part[..]),*]) };
}

/// Called like the crate.
#[macro_export]
macro_rules! twin_names {
    ($x:expr) => {
        $crate::twin_names($x)
    };
}

pub fn both() -> usize {
    stack![[1, 2], [3]].len()
}

/// Handed on by the module, under its name and another.
#[macro_export]
macro_rules! doubled {
    ($x:expr) => {
        2 * $x
    };
}
#[rustfmt::skip]
pub use doubled as doubled;

#[doc(hidden)]
#[macro_export]
macro_rules! __tripled {
    ($x:expr) => {
        3 * $x
    };
}
pub use __tripled as tripled;
