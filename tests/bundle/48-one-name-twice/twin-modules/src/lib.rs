//! A module that is called like its crate, and handed on.

pub fn size() -> usize {
    3
}

mod inside {
    pub mod twin_modules {
        pub fn size() -> usize {
            5
        }
    }
}

pub use inside::twin_modules;

pub mod deep {
    pub mod twin_modules {
        pub fn size() -> usize {
            7
        }
    }
}
