#[macro_export]
#[cfg(target_feature = "avx512f")]
macro_rules! width {
    () => {
        64
    };
}

#[macro_export]
#[cfg(not(target_feature = "avx512f"))]
macro_rules! width {
    () => {
        16
    };
}

mod inner {
    #[cfg(target_feature = "avx512f")]
    #[macro_export]
    macro_rules! is_wide {
        () => {
            true
        };
    }

    #[cfg(not(target_feature = "avx512f"))]
    #[macro_export]
    macro_rules! is_wide {
        () => {
            false
        };
    }
}

pub mod hidden {
    #[macro_export]
    macro_rules! by_hand {
        () => {
            "by hand"
        };
    }

    pub use by_hand;
}

pub fn told() -> u8 {
    width!()
}
