pub fn cube() -> i32 {
    square!(3) * 3
}
