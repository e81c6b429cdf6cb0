mod count;
pub use count::Counter;

pub trait Named {
    fn name(&self) -> String;

    fn hello(&self) -> String {
        format!("hello {}", self.name())
    }
}
