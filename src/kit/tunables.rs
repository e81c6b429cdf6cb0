//! Numbers a tuner may turn: one line each.
//!
//! ```
//! fifty::tunables! {
//!     /// What a position is worth.
//!     pub struct Weights {
//!         /// Squares I can reach.
//!         reach: f32 = 1.5, 0.0, 10.0, 0.1;
//!         /// Plies of look-ahead.
//!         depth: i32 = 4, 1, 12, 1;
//!     }
//! }
//! let mut weights = Weights::DEFAULT;
//! assert!(weights.set("reach", 2.0) && weights.reach == 2.0);
//! assert_eq!(Weights::LIST[1].name, "depth");
//! ```
//! The line makes the field, its default, the setter by name and the tuner's list. A shipped bot uses
//! `DEFAULT`, a constant; setter and list are not reached from it and fall out of the bundle.

/// Name, default and range of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tunable {
    /// Field name.
    pub name: &'static str,
    /// Value in `DEFAULT`.
    pub value: f64,
    /// Smallest sensible value.
    pub min: f64,
    /// Largest sensible value.
    pub max: f64,
    /// A change that is worth testing.
    pub step: f64,
    /// True where only whole numbers make sense.
    pub whole: bool,
}

/// True for integer types, told by what a half becomes.
#[macro_export]
#[doc(hidden)]
macro_rules! tunable_is_whole {
    ($t:ty) => {
        (0.5 as $t) as f64 == 0.0
    };
}

/// Declares a struct of numbers: `name: type = value, min, max, step;`.
#[macro_export]
macro_rules! tunables {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$doc:meta])* $field:ident : $t:ty = $value:expr, $min:expr, $max:expr, $step:expr;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[$doc])* pub $field: $t,)*
        }

        #[allow(clippy::unnecessary_cast)]
        impl $name {
            /// The values a bot ships with.
            pub const DEFAULT: Self = Self { $($field: $value,)* };

            /// Every number with its range, in order of declaration.
            pub const LIST: &'static [$crate::kit::tunables::Tunable] = &[
                $($crate::kit::tunables::Tunable {
                    name: stringify!($field),
                    value: $value as f64,
                    min: $min as f64,
                    max: $max as f64,
                    step: $step as f64,
                    whole: $crate::tunable_is_whole!($t),
                },)*
            ];

            /// Sets one number by name (rounded to its type); `false` if there is none of that name.
            pub fn set(&mut self, name: &str, value: f64) -> bool {
                match name {
                    $(stringify!($field) => {
                        let value = if $crate::tunable_is_whole!($t) { value.round() } else { value };
                        self.$field = value as $t;
                        true
                    })*
                    _ => false,
                }
            }

            /// Reads one number by name.
            pub fn get(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($field) => Some(self.$field as f64),)*
                    _ => None,
                }
            }
        }
    };
}
