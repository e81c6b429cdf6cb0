mod mixing;

#[cfg(target_feature = "sse3")]
mod fast {
    use crate::mixing::Rounds;
    pub struct Eval(Rounds);
    impl Eval {
        pub fn new() -> Self {
            Eval(Rounds::few())
        }
        pub fn run(&self, x: u64) -> u64 {
            self.0.mixed(x) + 1000
        }
    }
}

#[cfg(not(target_feature = "sse3"))]
mod slow {
    use crate::mixing::{Bytes, Rounds};
    pub struct Eval(Rounds);
    impl Eval {
        pub fn new() -> Self {
            Eval(Rounds::many())
        }
        pub fn run(&self, x: u64) -> u64 {
            Bytes(x).summed(&self.0)
        }
    }
}

#[cfg(target_feature = "sse3")]
use fast::Eval;
#[cfg(not(target_feature = "sse3"))]
use slow::Eval;

fn main() {
    println!("{}", Eval::new().run(77));
}
