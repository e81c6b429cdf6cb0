//! One name for a macro and a module; macros that look at doc comments.

#[macro_export]
macro_rules! loud {
    ($x:expr) => {
        $crate::loud::up($x)
    };
}

pub mod loud {
    pub const LEVEL: u32 = 3;

    pub fn up(text: &str) -> String {
        text.to_uppercase()
    }

    /// Not by the macro of that name that the program has.
    pub fn is_loud(letter: char) -> bool {
        matches!(letter, 'A'..='Z')
    }

    pub fn twice(text: &str) -> String {
        loud!(&text.repeat(2))
    }
}

#[macro_export]
macro_rules! options {
    ($($(#[doc = $help:expr])+ $name:ident = $value:expr;)*) => {
        /// Their help.
        pub fn help() -> Vec<String> {
            vec![$(format!("{}:{}", stringify!($name), concat!($($help),+))),*]
        }

        $(
            $crate::constant! {
                /// One of them.
                $name = $value
            }
        )*
    };
}

#[macro_export]
macro_rules! constant {
    ($(#[$meta:meta])+ $name:ident = $value:expr) => {
        $(#[$meta])+
        #[allow(non_upper_case_globals)]
        pub const $name: u32 = $value;
    };
}

macro_rules! mark {
    ($($name:ident #[$meta:meta])*) => {
        $(
            /// Marked.
            #[$meta]
            pub fn $name() -> &'static str {
                stringify!($name)
            }
        )*
    };
}

mark! {
    first /** The first. */
    second /// The "second".
}
