pub mod m {
    pub fn answer() -> i32 {
        crate::base() * 2
    }
}

fn base() -> i32 {
    21
}
