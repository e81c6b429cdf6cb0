fn main() {
    let mut list: Vec<u64> = (0..200).map(|i| (i * 7919 + 13) % 1009).collect();
    glidesort::sort(&mut list);
    glidesort::sort_by_key(&mut list, |x| x % 10);
    println!("{:?}", &list[..12]);
}
