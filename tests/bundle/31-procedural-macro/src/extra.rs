use kit::{shout, warn};

pub fn deep() -> String {
    format!("{} {}", shout!(x), warn!(y))
}
