use smallvec::{smallvec, SmallVec};

fn main() {
    let mut list: SmallVec<[u32; 4]> = smallvec![1, 2, 3];
    list.extend([4, 5]);
    list.insert(1, 9);
    list.retain(|x| *x % 2 == 1);
    println!("{list:?} {} {}", list.spilled(), list.iter().sum::<u32>());
}
