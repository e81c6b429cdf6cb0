pub fn seven() -> i32 {
    7
}
