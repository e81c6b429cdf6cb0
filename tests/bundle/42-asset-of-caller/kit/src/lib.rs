pub use extend as through;

#[macro_export]
macro_rules! asset {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/", $name))
    };
}

#[macro_export]
macro_rules! bytes {
    ($name:expr) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/", $name))
    };
}

#[macro_export]
macro_rules! who {
    () => {
        concat!(env!("CARGO_PKG_NAME"), " asks")
    };
}

/// By another macro; the name of the first is one of the compiler's attributes, too.
#[macro_export]
macro_rules! crate_name {
    () => {
        option_env!("CARGO_PKG_NAME").unwrap_or("nobody's")
    };
}

#[macro_export]
macro_rules! introduced {
    () => {
        format!("{} {}", $crate::crate_name!(), env!("CARGO_PKG_VERSION"))
    };
}

/// How many arguments there are.
#[macro_export]
macro_rules! count {
    ($first:expr $(, $more:expr)*) => {
        $crate::through::count!(($first) $(, $more)*)
    };
}

pub const OWN: &str = asset!("map.txt");

pub const fn four() -> i32 {
    4
}
