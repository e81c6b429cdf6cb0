// Looked for beside the file of the call.
macro_rules! note {
    ($name:expr) => {
        include_str!(concat!($name, ".txt"))
    };
}
