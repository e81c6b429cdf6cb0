//! A misbehaving bot (panics), compiled and run by the arena's tests.

// A panic in the middle of the game.
fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let list: Vec<u32> = Vec::new();
    let n = line.len() + 3;
    println!("{}", list[n]);
}
