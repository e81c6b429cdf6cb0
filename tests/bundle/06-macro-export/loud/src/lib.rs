/// A crate with the name of another's macro and module.
pub struct Horn(pub u32);

#[macro_export]
macro_rules! loud {
    ($x:expr) => {
        $x + 1
    };
}
