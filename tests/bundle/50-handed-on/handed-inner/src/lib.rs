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
