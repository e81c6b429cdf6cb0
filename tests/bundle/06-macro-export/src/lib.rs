pub mod tools {
    pub fn double(x: i32) -> i32 {
        x * 2
    }

    mod hidden {
        #[macro_export]
        macro_rules! quad {
            ($x:expr) => {
                $crate::twice!($crate::tools::double($x))
            };
        }
    }
}

#[macro_export]
macro_rules! twice {
    ($x:expr) => {
        $crate::tools::double($x)
    };
}

pub fn inside() -> i32 {
    twice!(5)
}

/// Macros of the crate that their own modules bring into scope, as they like.
pub mod own {
    pub mod plain {
        #[macro_export]
        macro_rules! ten {
            () => {
                10
            };
        }
        #[allow(unused_imports)]
        use ten;
        pub fn of() -> i32 {
            ten!()
        }
    }

    pub mod wide {
        #[macro_export]
        macro_rules! hundred {
            () => {
                100
            };
        }
        pub(crate) use hundred;
        pub fn of() -> i32 {
            hundred!() + super::braced::hundred_of!(1)
        }
    }

    pub mod braced {
        #[macro_export]
        macro_rules! hundred_of {
            ($x:expr) => {
                $x * 100
            };
        }
        #[macro_export]
        macro_rules! million {
            () => {
                1_000_000
            };
        }
        pub(in crate::own) use {hundred_of, std::cmp::max};
        pub fn of() -> i32 {
            use million;
            max(million!(), hundred_of!(2))
        }
    }

    pub mod rooted {
        #[macro_export]
        macro_rules! billion {
            () => {
                1_000_000_000
            };
        }
        #[allow(unused_imports)]
        use crate::billion;
        pub fn of() -> i32 {
            billion!()
        }
    }
}
