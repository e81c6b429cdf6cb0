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

pub fn told() -> u32 {
    ask(&Open(4)) + sum_of_three(1, 2, 3)
}
