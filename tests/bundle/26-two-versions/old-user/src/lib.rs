use arrayvec::ArrayVec;

pub fn old() -> usize {
    let mut list = ArrayVec::<[u8; 16]>::new();
    list.push(1);
    list.push(2);
    list.len() + list.capacity()
}
