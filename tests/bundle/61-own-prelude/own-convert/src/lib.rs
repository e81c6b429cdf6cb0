//! Traits that have the names of those which the prelude of 2021 has more.

pub trait TryInto<T>: Sized {
    fn try_into(self) -> Result<T, String>;
}

impl<T: std::fmt::Debug, U: From<T>> TryInto<U> for Vec<T> {
    fn try_into(mut self) -> Result<U, String> {
        let last = self.pop().map(U::from);
        last.ok_or_else(|| format!("{:?} has none", self))
    }
}

pub trait FromIterator {
    fn from_iter(first: u8) -> Self;
}

impl FromIterator for Vec<u8> {
    fn from_iter(first: u8) -> Self {
        vec![first, first + 1]
    }
}

impl FromIterator for std::collections::BTreeMap<u8, u8> {
    fn from_iter(first: u8) -> Self {
        Some((first, 0)).into_iter().collect()
    }
}

/// By a method that is the own trait's only where this was written.
#[macro_export]
macro_rules! last {
    ($list:expr => $kind:ty) => {{
        use $crate::TryInto;
        let last: Result<$kind, String> = $list.try_into();
        last
    }};
}

pub fn pairs() -> (Vec<u8>, std::collections::BTreeMap<u8, u8>) {
    (Vec::from_iter(4), std::collections::BTreeMap::from_iter(5))
}
