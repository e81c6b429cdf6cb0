pub mod outer {
    pub mod inner {
        pub(in crate::outer) fn only_outer() -> i32 {
            1
        }

        pub(crate) fn in_crate() -> i32 {
            2
        }

        pub(super) struct Hidden(pub(super) i32);

        pub(self) fn own() -> i32 {
            4
        }

        pub(super) fn make() -> Hidden {
            Hidden(own())
        }
    }

    pub fn sum() -> i32 {
        inner::only_outer() + inner::in_crate() + inner::make().0
    }
}

pub trait Shape<const N: usize> {
    type Point: Copy + Into<f64>;
    const SIDES: usize = N;

    fn points(&self) -> [Self::Point; N];

    fn total(&self) -> f64 {
        self.points().into_iter().map(Into::into).sum()
    }
}

pub struct Line<T>(pub T, pub T);

impl<T> Shape<2> for Line<T>
where
    T: Copy + Into<f64>,
{
    type Point = T;

    fn points(&self) -> [T; 2] {
        [self.0, self.1]
    }
}

pub fn measure<const N: usize, S: Shape<N> + ?Sized>(shape: &S) -> (usize, f64) {
    (S::SIDES, shape.total())
}

/// A trait method of the same name as an inherent one, which it calls.
pub trait Len {
    fn len(&self) -> usize;
}

pub struct Bag(pub Vec<u8>);

impl Bag {
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl Len for Bag {
    fn len(&self) -> usize {
        self.len() + 100
    }
}

pub fn length<L: Len>(l: &L) -> usize {
    l.len()
}
