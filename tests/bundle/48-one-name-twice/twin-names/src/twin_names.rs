pub fn twin_names(x: usize) -> usize {
    x + crate::stacking::both()
}

pub fn other() -> &'static str {
    "other"
}
