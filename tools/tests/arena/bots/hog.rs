//! A misbehaving bot (hog), compiled and run by the arena's tests.

// Takes memory until there is none.
fn main() {
    let mut all: Vec<Vec<u8>> = Vec::new();
    loop {
        all.push(vec![1; 16 << 20]);
    }
}
