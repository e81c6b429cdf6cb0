use smallvec::{SmallVec, smallvec};

fn main() {
    let mut list: SmallVec<[u64; 4]> = smallvec![1, 2, 3];
    for n in 4..10 {
        list.push(n);
    }
    list.insert(2, 40);
    list.retain(|n| *n != 5);
    println!("{} {} {:?}", list.len(), list.spilled(), &list[..]);
}
