use std::fmt::{self, Display};
use std::ops::{Add, Deref};

trait Animal {
    fn name(&self) -> String;

    fn legs(&self) -> u32 {
        4
    }
}

struct Dog;
struct Bird(String);

impl Animal for Dog {
    fn name(&self) -> String {
        "dog".into()
    }
}

impl Animal for Bird {
    fn name(&self) -> String {
        self.0.clone()
    }

    fn legs(&self) -> u32 {
        2
    }
}

impl Drop for Bird {
    fn drop(&mut self) {
        println!("gone: {}", self.0);
    }
}

impl Display for Bird {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
struct Meters(u32);

impl Add for Meters {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Deref for Meters {
    type Target = u32;

    fn deref(&self) -> &u32 {
        &self.0
    }
}

fn zoo() -> Vec<Box<dyn Animal>> {
    vec![Box::new(Dog), Box::new(Bird("owl".to_owned()))]
}

fn numbers(limit: u32) -> impl Iterator<Item = u32> {
    (0..limit).filter(|n| n % 2 == 1)
}

fn apply(f: &dyn Fn(u32) -> u32) -> u32 {
    f(1)
}

fn main() {
    for animal in zoo() {
        println!("{} {}", animal.name(), animal.legs());
    }
    let k = 10;
    println!("{} {}", numbers(9).sum::<u32>(), apply(&|n| n + k));
    println!("{} {:?}", Bird("jay".to_owned()), Meters(2) + Meters(3));
    println!("{}", Meters(8).trailing_zeros());
}
