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
