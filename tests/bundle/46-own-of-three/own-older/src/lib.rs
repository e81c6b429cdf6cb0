/// `into_iter` of an array lends its elements up to 2018.
pub fn total() -> i32 {
    let list = [10, 20, 30];
    let mut sum = 0;
    for x in list.into_iter() {
        sum += *x;
    }
    sum
}

/// A type's size is another where elements are lent.
pub fn size_of_first() -> usize {
    let list = [1u8, 2];
    let mut sizes = list.into_iter().map(|x| std::mem::size_of_val(&x));
    sizes.next().unwrap_or(0)
}
