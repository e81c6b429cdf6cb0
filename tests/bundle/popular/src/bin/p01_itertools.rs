use itertools::{Itertools, iproduct, izip};

fn main() {
    let words = ["move", "wait", "move", "build", "wait", "move"];
    let counts = words.iter().counts().into_iter().sorted_by_key(|(word, n)| (usize::MAX - n, **word));
    println!("{}", counts.map(|(word, n)| format!("{word}:{n}")).join(" "));
    println!("{:?}", (1..=4).combinations(2).map(|pair| pair[0] * pair[1]).collect_vec());
    println!("{:?}", iproduct!(0..2, 0..3).tuple_windows().map(|(a, b)| a.0 * b.1).collect_vec());
    for (key, group) in &[1, 3, 2, 4, 5].iter().group_by(|x| **x % 2) {
        println!("{key} {:?}", group.collect_vec());
    }
    println!("{:?} {}", izip!(0..3, [5, 6, 7]).minmax_by_key(|(a, b)| a * b % 7), (0..9).dedup_by(|a, b| a / 3 == b / 3).join(","));
}
