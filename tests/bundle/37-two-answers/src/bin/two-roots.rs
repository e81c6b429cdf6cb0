fn name() -> &'static str {
    "b37"
}

fn main() {
    println!("{} {}", asking::whose!(), asking::whose());
}
