mod child;

pub fn name() -> &'static str {
    child::name()
}
