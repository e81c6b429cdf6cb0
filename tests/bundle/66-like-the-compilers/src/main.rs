//! Macros called like the compiler's own or like their crate, in a program whose prelude knows more than its crates'.

#[macro_use]
extern crate lent;

macro_rules! line {
    () => {
        "a line of input"
    };
}

mod told {
    use lent::column;

    pub fn column() -> &'static str {
        column!()
    }
}

fn same<F: Future>(future: F) -> F {
    future
}

fn main() {
    let _ready = same(std::future::ready(1));
    println!("{} {} {}", line!(), told::column(), lent!(1));
    println!("{:?} {}", likened::words(), likened::names());
    std::panic::set_hook(Box::new(|_| ()));
    let thrown = std::panic::catch_unwind(likened::thrown).unwrap_err();
    println!("{:?}", thrown.downcast_ref::<u8>());
}
