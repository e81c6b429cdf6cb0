use counter::Counter;

fn main() {
    let counts = "mississippi".chars().collect::<Counter<_>>();
    println!("{:?} {}", counts.most_common_ordered(), counts[&'s']);
}
