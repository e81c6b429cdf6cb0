//! Named behind the dots of ranges alone.

pub const END: usize = 3;

pub fn end() -> usize {
    END - 1
}
