#[derive(Default)]
pub struct Board(pub u8);

pub(crate) fn hidden() -> u8 {
    3
}
