use im_rc::{ordmap, vector, HashMap, Vector};

fn main() {
    let a = vector![1, 2, 3];
    let mut b = a.clone();
    b.push_back(4);
    b.set(0, 9);
    let map = ordmap! { 2 => "b", 1 => "a" };
    let hash: HashMap<u32, u32> = (0..50).map(|i| (i, i * i)).collect();
    println!("{a:?} {:?} {map:?} {} {}", b, hash[&7], hash.update(7, 1)[&7]);
    let long: Vector<usize> = (0..500).collect();
    println!("{}", long.split_at(200).1.iter().sum::<usize>());
}
