pub fn sum(list: &[u32]) -> u32 {
    list.iter().sum()
}
