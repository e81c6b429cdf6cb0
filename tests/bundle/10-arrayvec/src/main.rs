use arrayvec::ArrayVec;

fn main() {
    let mut list: ArrayVec<u32, 8> = ArrayVec::new();
    for n in 0..8 {
        list.push(n * n);
    }
    list.remove(3);
    println!("{} {}", list.len(), list.iter().sum::<u32>());
}
