pub mod cell;
mod deep;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size(pub u8);

fn private() -> Size {
    deep::down::size()
}
