mod parts {
    pub fn half(n: i32) -> i32 {
        n / 2
    }
}

pub struct Point {
    pub x: i32,
    pub y: i32,
}

pub trait Shape {
    fn area(&self, i32) -> i32;
}

impl Shape for Point {
    fn area(&self, scale: i32) -> i32 {
        self.x * self.y * scale
    }
}

pub fn total(shape: &dyn Shape) -> i32 {
    let async = shape.area(2);
    let dyn = async;
    ::parts::half(dyn)
}

pub fn kind(n: u8) -> char {
    match n {
        0...5 => 'a',
        6...9 => 'b',
        _ => 'c',
    }
}
