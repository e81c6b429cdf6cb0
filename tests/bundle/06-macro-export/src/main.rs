use b06::{inside, quad};

mod sub {
    use b06::twice;

    pub fn go() -> i32 {
        twice!(2) + b06::quad!(1)
    }
}

fn main() {
    println!("{} {} {}", quad!(10), inside(), sub::go());
}
