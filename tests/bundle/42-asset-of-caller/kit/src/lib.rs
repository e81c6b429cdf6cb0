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
