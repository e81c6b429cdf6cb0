//! Docs of the library.

/// Docs of a module.
pub mod shapes {
    /// A square.
    pub struct Square(pub i32);

    impl Square {
        pub fn area(&self) -> i32 {
            self.0 * self.0
        }

        pub fn unused(&self) -> i32 {
            crate::helper(self.0)
        }
    }
}

pub fn helper(n: i32) -> i32 {
    n + 1
}
