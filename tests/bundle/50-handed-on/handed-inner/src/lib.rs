pub mod first {
    pub fn of() -> i32 {
        1
    }
}

mod tests_of;

/// Asks a macro that another one makes.
#[macro_export]
macro_rules! asks {
    ($name:ident: $($of:tt)+) => {
        mod $name {
            pub fn get() -> i32 {
                0 $(+ $crate::value!($of))+
            }
        }
    };
}

pub struct Count(pub i32);

impl Count {
    /// Where the compiler looks for users of a type from outside.
    pub fn twice(&self) -> i32 {
        2 * self.0
    }

    pub fn never(&self) -> i32 {
        3 * self.0
    }
}

pub struct Found(Vec<i32>);

impl Found {
    pub fn new() -> Self {
        Found(vec![Count(4).twice()])
    }
}

impl<'a> IntoIterator for &'a Found {
    type Item = &'a i32;
    type IntoIter = std::slice::Iter<'a, i32>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

pub trait Holds {
    fn holds(&self) -> usize;
}

macro_rules! each {
    ($make:ident) => {
        $make! { 1 2 }
    };
}

macro_rules! holders {
    ($($n:tt)*) => {
        $(impl Holds for [u8; $n] {
            fn holds(&self) -> usize {
                $n
            }
        })*
    };
}

each!(holders);

/// A macro named as a module, behind another module.
#[macro_export]
macro_rules! kind {
    () => {
        $crate::kind::of()
    };
}

pub mod kind {
    pub fn of() -> i32 {
        5
    }
}

/// Whose crate that is, its caller says.
#[macro_export]
macro_rules! record {
    ($name:ident) => {
        pub(crate) struct $name {
            pub(crate) x: i32,
        }
    };
}
