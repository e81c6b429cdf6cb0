#[macro_export]
macro_rules! level {
    () => {
        if cfg!(feature = "loud") { 1 } else { 2 }
    };
}

/// Asks the crate of the caller.
#[macro_export]
macro_rules! whose {
    () => {
        crate::name()
    };
}

pub fn name() -> &'static str {
    "asking"
}

pub fn whose() -> &'static str {
    whose!()
}

pub fn own() -> i32 {
    level!()
}
