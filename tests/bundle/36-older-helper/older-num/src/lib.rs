pub trait Double {
    fn double(self) -> Self;
}
impl Double for u32 {
    fn double(self) -> Self {
        self * 2
    }
}
pub fn total<T: IntoIterator<Item = (u32, u32)>>(list: T) -> u32 {
    list.into_iter().map(|(a, b)| a * b).sum()
}
/// Whoever calls it has this crate under its name.
#[macro_export]
macro_rules! doubled {
    ($of:expr) => {
        ::older_num::Double::double($of)
    };
}
