//! Words of 2015 that are keywords since.

pub struct Lamp(pub u32);

impl Lamp {
    pub fn dyn(&self) -> u32 {
        dyn::dyn(self.0)
    }
}

mod dyn {
    pub fn dyn(async: u32) -> u32 {
        let dyn = async + 1;
        dyn
    }
}

macro_rules! words {
    ($($word:tt)*) => { &[$(stringify!($word)),*] };
}

pub fn told() -> &'static [&'static str] {
    words!(async await dyn try)
}
