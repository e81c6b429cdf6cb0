pub fn sum(list: &[i32]) -> i32 {
    list.iter().sum()
}

#[cfg(test)]
mod tests;
