mod count;
pub use count::Counter;

pub trait Named {
    fn name(&self) -> String;

    fn hello(&self) -> String {
        format!("hello {}", self.name())
    }
}

/// What cargo tells only programs, and only packages that it is asked for.
pub fn told() -> (Option<&'static str>, Option<&'static str>) {
    (option_env!("CARGO_BIN_NAME"), option_env!("CARGO_PRIMARY_PACKAGE"))
}
