/// Whether two are the same.
#[macro_export]
macro_rules! equal {
    ($a:expr, $b:expr) => {
        $a == $b
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! told {
    ($rule:ident, $a:expr, $b:expr) => {
        format!("{} {}", stringify!($rule), $rule!($a, $b))
    };
}

/// Tells by a rule that is handed on by name.
#[macro_export(local_inner_macros)]
macro_rules! tell_equal {
    ($a:expr, $b:expr) => {
        told!(equal, $a, $b)
    };
}

/// Adds one to what a call makes.
#[macro_export(local_inner_macros)]
macro_rules! plus_one {
    ($rule:ident!($($part:tt)*)) => {
        $rule!($($part)*) + 1
    };
    ($value:expr) => {
        plus_one!(value_of!($value))
    };
}

/// Subtracts one by a macro that the caller has to know.
#[macro_export]
macro_rules! minus_one {
    ($value:expr) => {
        value_of!($value) - 1
    };
}

#[macro_export]
macro_rules! value_of {
    ($value:expr) => {
        $value
    };
}

/// Declares a function that the caller's crate finds this one by.
#[macro_export]
macro_rules! declare {
    ($name:ident) => {
        pub fn $name() -> u8 {
            handing::seven()
        }
    };
}

/// Doubles what the crate of the caller says.
#[macro_export]
macro_rules! twice_own {
    () => {{
        use crate::eight as own;
        crate::eight() + own()
    }};
}

pub fn seven() -> u8 {
    7
}

pub fn eight() -> u8 {
    8
}

/// Labels a value with what another macro gives.
#[macro_export(local_inner_macros)]
macro_rules! labelled {
    (label: $label:expr, $value:expr) => {
        ($label, $value)
    };
    ($value:expr) => {
        labelled!(label: value_of!("x"), $value)
    };
}

/// Adds up lists by a macro that is given each of them as it is.
#[macro_export]
macro_rules! sums {
    ($($list:tt),*) => {
        [$(sum_up!$list),*]
    };
}

#[macro_export]
macro_rules! sum_up {
    ($($value:expr),*) => {
        0 $(+ $value)*
    };
}
