pub fn stack(parts: &[&[i32]]) -> Vec<i32> {
    parts.concat()
}

/// Calls the function.
#[macro_export]
macro_rules! stack {
    ($($part:expr),* $(,)?) => { $crate::stack(&[$(&$part[..]),*]) };
}

pub fn both() -> usize {
    stack![[1, 2], [3]].len()
}
