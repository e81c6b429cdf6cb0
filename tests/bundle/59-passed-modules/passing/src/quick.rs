pub fn run(x: u32) -> u32 {
    x << 1
}
