#[cfg(feature = "quiet")]
compile_error!("default features are off in this project");

#[cfg(feature = "loud")]
mod loud;

pub fn name() -> &'static str {
    if cfg!(all(feature = "deep", not(feature = "quiet"))) {
        #[cfg(feature = "loud")]
        return loud::name();
    }
    "quiet"
}

#[macro_export]
macro_rules! loud {
    ($x:expr) => {{
        #[cfg(feature = "loud")]
        let y = "caller's feature";
        #[cfg(not(feature = "loud"))]
        let y = "own feature off";
        let _ = y;
        $x
    }};
}
