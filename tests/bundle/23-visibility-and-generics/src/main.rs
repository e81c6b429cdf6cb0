use b23::{Bag, Line, length, measure, outer};

fn main() {
    println!("{} {:?} {}", outer::sum(), measure(&Line(1.5f32, 2.0)), length(&Bag(vec![1, 2])));
}
