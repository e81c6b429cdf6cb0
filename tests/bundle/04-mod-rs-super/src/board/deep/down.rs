pub fn size() -> super::super::Size {
    super::super::Size(9)
}
