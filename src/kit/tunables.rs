//! Numbers a tuner may turn: one line each.
//!
//! ```
//! fifty::tunables! {
//!     /// What a position is worth.
//!     pub struct Weights {
//!         /// Squares I can reach. A person set it to 1, before it was tuned.
//!         reach: f32 = 1.5, 0.0, 10.0, 0.1, hand 1.0;
//!         /// Plies of look-ahead.
//!         depth: i32 = 4, 1, 12, 1;
//!     }
//! }
//! let weights = Weights::with(&[("reach".to_owned(), 2.0)]).unwrap();
//! assert_eq!((weights.reach, weights.depth), (2.0, 4));
//! assert_eq!(Weights::LIST[0].hand, Some(1.0));
//! let wrong = |name: &str, value| Weights::with(&[(name.to_owned(), value)]).unwrap_err().to_string();
//! assert_eq!(wrong("width", 2.0), "no number is named \"width\"");
//! assert_eq!(wrong("depth", -1.0), "depth: 1 to 12, not -1");
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
    /// Smallest value that [`check`] lets pass.
    pub min: f64,
    /// Largest one.
    pub max: f64,
    /// A change that is worth testing.
    pub step: f64,
    /// True where only whole numbers make sense.
    pub whole: bool,
    /// The value a person set before anything was tuned: what tuned weights are measured from. None for numbers
    /// that are no opinion (clock, search).
    pub hand: Option<f64>,
}

/// A number that cannot be set.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrong {
    /// Nobody declared one of this name.
    Unknown(String),
    /// It is outside its range, or no number at all: beyond it searches may hang, divide by zero or overflow.
    Outside(Tunable, f64),
}

impl core::fmt::Display for Wrong {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "no number is named {name:?}"),
            Self::Outside(Tunable { name, min, max, .. }, value) => {
                write!(f, "{name}: {min} to {max}, not {value}")
            }
        }
    }
}

impl std::error::Error for Wrong {}

/// Says why the number of this name in a list cannot have this value.
pub fn check(list: &[Tunable], name: &str, value: f64) -> Result<(), Wrong> {
    let known = list.iter().find(|t| t.name == name);
    let known = known.ok_or_else(|| Wrong::Unknown(name.to_owned()))?;
    let rounded = if known.whole { value.round() } else { value };
    // As `f32`, which most numbers are: one that was read from a bot may lie beyond its end by what that rounds.
    if (known.min as f32..=known.max as f32).contains(&(rounded as f32)) {
        Ok(())
    } else {
        Err(Wrong::Outside(*known, value))
    }
}

/// True for integer types, told by what a half becomes.
#[macro_export]
#[doc(hidden)]
macro_rules! tunable_is_whole {
    ($t:ty) => {
        (0.5 as $t) as f64 == 0.0
    };
}

/// A value set by hand, or none.
#[macro_export]
#[doc(hidden)]
macro_rules! tunable_hand {
    () => {
        None
    };
    ($hand:expr) => {
        Some($hand as f64)
    };
}

/// One line of a list.
#[macro_export]
#[doc(hidden)]
macro_rules! tunable_line {
    ($field:ident : $t:ty = $value:expr, $min:expr, $max:expr, $step:expr $(, hand $hand:expr)?) => {
        $crate::kit::tunables::Tunable {
            name: stringify!($field),
            value: $value as f64,
            min: $min as f64,
            max: $max as f64,
            step: $step as f64,
            whole: $crate::tunable_is_whole!($t),
            hand: $crate::tunable_hand!($($hand)?),
        }
    };
}

/// The same with a table before the fields, whose lines are told apart by place in a bot and by name in the tools: in a
/// bundle a line is its value alone. One type for the whole table, `i32`.
///
/// ```
/// fifty::tunables_with_table! {
///     /// What a position is worth.
///     pub struct Weights with terms: [i32; 2] {
///         /// Squares I can reach.
///         reach: i32 = 3, -9, 9, 1, hand 1;
///         /// Squares I hold.
///         hold: i32 = 5, -9, 9, 1;
///     } {
///         /// Plies of look-ahead.
///         depth: i32 = 4, 1, 12, 1;
///     }
/// }
/// let weights = Weights::with(&[("hold".to_owned(), 6.6)]).unwrap();
/// assert_eq!((weights.terms, weights.depth), ([3, 7], 4));
/// assert_eq!(weights.get("reach"), Some(3.0));
/// assert_eq!(Weights::LIST.iter().map(|t| t.name).collect::<Vec<_>>(), ["reach", "hold", "depth"]);
/// ```
#[macro_export]
macro_rules! tunables_with_table {
    ($(#[$meta:meta])* pub struct $name:ident with $table:ident : $shape:ty {
        $($(#[$about:meta])* $label:ident : $kind:ty = $item:expr, $low:expr, $high:expr, $stride:expr $(, hand $was:expr)?;)*
    } {
        $($(#[$doc:meta])* $field:ident : $t:ty = $value:expr, $min:expr, $max:expr, $step:expr $(, hand $hand:expr)?;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            /// The table, in the order of its lines.
            pub $table: $shape,
            $($(#[$doc])* pub $field: $t,)*
        }

        #[allow(clippy::unnecessary_cast)]
        impl $name {
            /// The values a bot ships with.
            pub const DEFAULT: Self = Self { $table: [$($item),*], $($field: $value,)* };

            /// Every number with its range, in order of declaration.
            pub const LIST: &'static [$crate::kit::tunables::Tunable] = &[
                $($crate::tunable_line!($label: $kind = $item, $low, $high, $stride $(, hand $was)?),)*
                $($crate::tunable_line!($field: $t = $value, $min, $max, $step $(, hand $hand)?),)*
            ];

            /// The defaults, but for these numbers by name, each within its range.
            pub fn with(values: &[(String, f64)]) -> Result<Self, $crate::kit::tunables::Wrong> {
                let mut weights = Self::DEFAULT;
                for (name, value) in values {
                    $crate::kit::tunables::check(Self::LIST, name, *value)?;
                    weights.set(name, *value);
                }
                Ok(weights)
            }

            /// Sets one number by name (rounded to its type); `false` if there is none of that name.
            pub fn set(&mut self, name: &str, value: f64) -> bool {
                if let Some(place) = [$(stringify!($label)),*].iter().position(|label| *label == name) {
                    self.$table[place] = value.round() as i32;
                    return true;
                }
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
                if let Some(place) = [$(stringify!($label)),*].iter().position(|label| *label == name) {
                    return Some(self.$table[place] as f64);
                }
                match name {
                    $(stringify!($field) => Some(self.$field as f64),)*
                    _ => None,
                }
            }
        }
    };
}

/// Declares a struct of numbers: `name: type = value, min, max, step;` or `…, step, hand value;`.
#[macro_export]
macro_rules! tunables {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$doc:meta])* $field:ident : $t:ty = $value:expr, $min:expr, $max:expr, $step:expr $(, hand $hand:expr)?;)*
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
                $($crate::tunable_line!($field: $t = $value, $min, $max, $step $(, hand $hand)?),)*
            ];

            /// The defaults, but for these numbers by name, each within its range.
            pub fn with(values: &[(String, f64)]) -> Result<Self, $crate::kit::tunables::Wrong> {
                let mut weights = Self::DEFAULT;
                for (name, value) in values {
                    $crate::kit::tunables::check(Self::LIST, name, *value)?;
                    weights.set(name, *value);
                }
                Ok(weights)
            }

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

            /// All numbers, in order of declaration.
            pub fn values(&self) -> Vec<f64> {
                vec![$(self.$field as f64),*]
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
