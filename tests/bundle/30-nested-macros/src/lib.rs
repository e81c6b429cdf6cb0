/// Makes a type and a macro for it.
#[macro_export]
macro_rules! unit {
    ($name:ident, $short:ident, $factor:expr) => {
        #[derive(Debug, Clone, Copy)]
        pub struct $name(pub f64);

        impl $name {
            pub const FACTOR: f64 = $factor;

            pub fn base(self) -> $crate::Base {
                $crate::Base(self.0 * Self::FACTOR)
            }

            pub fn never_called(self) -> f64 {
                self.0
            }
        }

        macro_rules! $short {
            ($value:expr) => {
                $name($value as f64)
            };
        }
    };
}

#[macro_export]
macro_rules! units {
    ($($name:ident $short:ident $factor:expr;)*) => {
        $($crate::unit!($name, $short, $factor);)*
    };
}

#[derive(Debug, PartialEq)]
pub struct Base(pub f64);

pub mod counted {
    macro_rules! count {
        () => { 0usize };
        ($head:tt $($tail:tt)*) => { 1usize + count!($($tail)*) };
    }

    pub const FIVE: usize = count!(a b c d e);
}
