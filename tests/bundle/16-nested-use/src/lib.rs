pub mod a {
    pub struct T;

    impl T {
        pub fn name(&self) -> &'static str {
            "T"
        }
    }

    pub fn free() -> i32 {
        1
    }
}

pub mod b {
    pub fn deep() -> i32 {
        2
    }
}
