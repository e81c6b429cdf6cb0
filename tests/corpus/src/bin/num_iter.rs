fn main() {
    println!("{:?} {:?}", num_iter::range_step(10, 0, -3).collect::<Vec<i32>>(), num_iter::range_inclusive(2u8, 5).rev().collect::<Vec<_>>());
}
