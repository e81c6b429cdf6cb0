pub fn who() -> String {
    format!("program over {}", b13::board::who())
}
