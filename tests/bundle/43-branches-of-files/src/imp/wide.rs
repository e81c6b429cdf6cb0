pub const WIDTH: u32 = 0;
pub fn sum(list: &[u32]) -> u32 {
    list.iter().fold(0, |sum, x| sum + x)
}
