/// A crate with the name of another's macro and module.
pub struct Horn(pub u32);

/// In no bundle: only the line after the macro brings its name there.
#[cfg(test)]
use crate::loud;

#[macro_export]
macro_rules! loud {
    ($x:expr) => {
        $x + 1
    };
}
