pub use anew_inner::{lines, numbers};
