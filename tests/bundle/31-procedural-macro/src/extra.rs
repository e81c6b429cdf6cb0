use kit::shout;

pub fn deep() -> &'static str {
    shout!(x)
}
