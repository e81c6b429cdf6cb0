declare!(declared);

pub fn told() -> String {
    format!("{} {}", tell_equal!(3, 3), plus_one!(1))
}
