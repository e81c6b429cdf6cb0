pub trait Told {
    fn told(&self) -> u32;
}

pub struct Open(pub u32);

macro_rules! implement {
    ($module:ident, $factor:expr) => {
        mod $module {
            use {Open, Told};

            impl Told for Open {
                fn told(&self) -> u32 {
                    self.0 * $factor
                }
            }
        }
    };
}

implement!(tripled, 3);

macro_rules! sum {
    ($name:ident { $($part:ident),+ }) => {
        pub fn $name($($part: u32),+) -> u32 {
            0 $(+ $part)+
        }
    };
}

sum!(sum_of_three { a, b, c });

macro_rules! asking {
    ($name:ident) => {
        fn $name(of: &Told) -> u32 {
            of.told()
        }
    };
}

asking!(ask);

mod fives {
    pub fn five() -> u32 {
        5
    }
}

macro_rules! from_the_root {
    ($module:ident, $from:ident) => {
        mod $module {
            use $from::five;

            pub fn six() -> u32 {
                five() + 1
            }
        }
    };
}

from_the_root!(sixes, fives);

type Act = Fn(u32) -> u32 + Sync;

fn act_twice(act: Box<Act>, also: &(Fn(u32) -> u32 + Sync)) -> u32 {
    act(1) + also(10)
}

pub fn told() -> u32 {
    let acted = act_twice(Box::new(|n| n * 100), &|n| n * 1000);
    ask(&Open(4)) + sum_of_three(1, 2, 3) + sixes::six() + acted
}

/// Called like a crate of the standard library.
pub mod core {
    pub mod sevens {
        pub const SEVEN: u32 = 7;
    }

    pub fn eight() -> u32 {
        use core::sevens::*;
        use core::*;
        let _ = eight as fn() -> u32;
        SEVEN + 1
    }
}

mod beneath {
    use core::sevens::SEVEN;
    use core::{self, eight};

    pub fn standard() -> u32 {
        use std::cmp::max;
        max(eight(), ::core::sevens::SEVEN + core::eight() + SEVEN)
    }
}

pub fn standard() -> u32 {
    use core::sevens;
    beneath::standard() + sevens::SEVEN + core::eight()
}

/// Its caller has this crate at its root.
#[macro_export]
macro_rules! standard_and {
    ($more:expr) => {
        ::oldest::standard() + $more
    };
}
