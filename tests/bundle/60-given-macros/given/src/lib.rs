/// Exports a macro under the name that it is given.
macro_rules! adding {
    ($name:ident, $($more:tt)*) => {
        #[macro_export]
        macro_rules! $name {
            ($value:expr) => {{
                let own = 10;
                $value + own $($more)*
            }};
        }
    };
}

adding!(plus, + 1);
adding!(minus, - 1);

/// Exports a macro that it is given whole.
macro_rules! told {
    ($rules:item) => {
        /// Told.
        #[macro_export]
        #[doc(hidden)]
        $rules
    };
}

#[cfg(doc)]
told! { macro_rules! choose { ($($any:tt)*) => { unimplemented!() } } }

#[cfg(not(doc))]
told! { macro_rules! choose {
    (@ { ($($all:tt)*) $( ($($skip:tt)*) $name:ident = $value:expr => $then:expr, )+ }) => {{
        const ALL: usize = $crate::size!($($all)*);
        let mut left = ALL;
        for number in 0..ALL {
            match number {
                $(
                    n if n == $crate::size!($($skip)*) => {
                        let out = $value;
                        if $crate::shout!(out).len() == 3 && out > left {
                            let $name = out;
                            $then;
                            left -= 1;
                        }
                    }
                )+
                _ => unreachable!(),
            }
        }
    }};
    (@ { ($($all:tt)*) $($rest:tt)* } $name:ident = $value:expr => $then:expr, $($more:tt)*) => {
        $crate::choose!(@ { ($($all)* _) $($rest)* ($($all)*) $name = $value => $then, } $($more)*)
    };
    ($name:ident = $($more:tt)*) => {
        $crate::choose!(@ { () } $name = $($more)*)
    };
} }

pub use shout::shout;

#[doc(hidden)]
#[macro_export]
macro_rules! size {
    () => { 0 };
    (_ $($rest:tt)*) => { 1 + $crate::size!($($rest)*) };
}

/// Hands on two macros as they are.
macro_rules! both {
    ($first:item $second:item) => {
        $first
        $second
    };
}

both! {
    /// The first.
    #[macro_export]
    macro_rules! first { ($a:expr, $b:expr) => { $crate::minus!($a) } }

    /// The second.
    #[macro_export]
    macro_rules! second { ($a:expr, $b:expr) => { { let _ = $a; $b } } }
}

/// Exports a macro by another one, and says where it is.
pub mod listing {
    macro_rules! listed {
        ($d:tt) => {
            #[macro_export]
            #[doc(hidden)]
            macro_rules! list {
                ($d($d value:expr),*) => { [$d($d value + 1),*] };
            }

            #[doc(hidden)]
            pub use list;
        };
    }

    listed!($);
}

/// Hands its call of `env!` on to `concat!`, which takes literals and macros alone.
#[macro_export]
macro_rules! version {
    () => {
        env!("CARGO_PKG_VERSION_MAJOR")
    };
}

#[macro_export]
macro_rules! title {
    () => {
        concat!(env!("CARGO_PKG_NAME"), " ", $crate::version!())
    };
}
