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
        let y = "the caller has none";
        (y, $x)
    }};
}

#[macro_export]
macro_rules! level {
    () => {
        if cfg!(feature = "loud") { 1 } else { 2 }
    };
}

#[macro_export]
macro_rules! around {
    () => {
        $crate::level!() + 10
    };
}

#[cfg(test)]
mod tests {
    #[test]
    fn its_own_answer() {
        assert_eq!(level!(), 1);
    }
}
