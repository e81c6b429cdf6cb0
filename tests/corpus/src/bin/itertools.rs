use itertools::{iproduct, izip, Itertools};

fn main() {
    let list = [3, 1, 4, 1, 5, 9, 2, 6];
    println!("{:?}", list.iter().tuple_windows().map(|(a, b)| a - b).collect_vec());
    println!("{} {:?}", list.iter().sorted().join(","), list.iter().combinations(2).filter(|c| c[0] + c[1] == 7).count());
    println!("{:?}", list.iter().permutations(2).unique().take(3).collect_vec());
    println!("{:?}", list.iter().into_group_map_by(|x| **x % 2).into_iter().sorted().collect_vec());
    println!("{} {}", iproduct!(0..3, 0..2).count(), izip!(&list, 0..3, "ab".chars()).count());
    println!("{:?} {:?}", list.iter().minmax(), list.iter().chunks(3).into_iter().map(|c| c.sum::<i32>()).collect_vec());
    println!("{}", list.iter().format_with("/", |x, f| f(&format_args!("<{x}>"))));
}
