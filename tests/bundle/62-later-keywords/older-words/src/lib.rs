//! A word of 2018 that is a keyword since, and symbols under a condition.

macro_rules! words {
    ($($word:tt)*) => { &[$(stringify!($word)),*] };
}

pub fn told() -> &'static [&'static str] {
    words!(gen async)
}

pub fn gen(gen: u32) -> u32 {
    if gen != 0 { gen::Lamp(gen).r#dyn() } else { 0 }
}

#[macro_export]
macro_rules! called {
    ($name:ident, $symbol:literal, $value:expr) => {
        #[cfg_attr(target_os = "linux", export_name = $symbol, inline(never))]
        pub extern "C" fn $name() -> u32 {
            $value
        }
    };
}

pub mod parts {
    pub mod gen {
        #[macro_export]
        macro_rules! next {
            ($value:expr) => {
                $value + 1
            };
        }
    }
    pub mod r#async {
        #[macro_export]
        macro_rules! gen {
            ($value:expr) => {
                $crate::next!($value) * 2
            };
        }
    }
}
