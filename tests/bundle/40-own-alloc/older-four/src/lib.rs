//! Arrays by reference, and a panic whose only literal is no format: both at once.
pub fn sizes() -> usize {
    let list = [1_u8, 2, 3];
    list.into_iter().map(|x| std::mem::size_of_val(&x)).sum()
}

pub fn small(x: i32) -> i32 {
    if x > 3 {
        panic!("{} is no {{format}}");
    }
    x
}
