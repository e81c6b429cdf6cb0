use ordered_float::{NotNan, OrderedFloat};
use std::collections::BinaryHeap;

fn main() {
    let mut heap: BinaryHeap<OrderedFloat<f64>> = [0.5, -1.0, 7.25].into_iter().map(OrderedFloat).collect();
    println!("{:?} {} {:?}", heap.pop(), NotNan::new(1.5).unwrap() + 1.0, NotNan::new(f32::NAN).is_err());
}
