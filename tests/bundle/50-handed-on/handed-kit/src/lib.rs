pub use handed_inner as inner;
pub mod parts {
    pub use handed_inner::{asks, Count, Found, Holds};
}
