use amplify_derive::{Display, Error, From, Getters};
use std::fmt::{Debug, Display};

#[derive(Clone, Debug, Display, Error, From)]
#[display("failed: {0}")]
struct Failure(String);

#[derive(Getters)]
struct Point {
    x: i32,
    y: i32,
}

fn main() {
    let p = Point { x: 3, y: 4 };
    println!("{} {}", Failure::from("late".to_owned()), p.x() + p.y());
}
