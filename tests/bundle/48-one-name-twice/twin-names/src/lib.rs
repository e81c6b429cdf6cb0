//! A macro beside a function of its name, and a function that is called like its crate and its module.
mod stacking;
mod twin_names;

pub use crate::stacking::*;
pub use crate::twin_names::{other, twin_names};
