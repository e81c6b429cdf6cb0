pub mod m {
    pub fn f() -> i32 {
        self::g()
    }

    fn g() -> i32 {
        ::std::cmp::max(1, 2)
    }

    pub trait Gives<X> {
        fn give(&self) -> X;
    }

    pub struct T<X>(pub X);

    impl<X: Copy> T<X> {
        pub const ONE: i32 = 1;

        pub fn get(&self) -> X {
            self.0
        }
    }
}
