#[macro_export]
macro_rules! level {
    () => {
        if cfg!(feature = "loud") { 1 } else { 2 }
    };
}

pub fn own() -> i32 {
    level!()
}
