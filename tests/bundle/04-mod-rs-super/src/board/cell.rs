use super::Size;

pub fn corner() -> (Size, bool) {
    let size = super::private();
    (size, size == self::same(size))
}

fn same(size: Size) -> Size {
    size
}
