use amplify::{map, s, Wrapper};
use std::collections::HashMap;

#[derive(Clone, PartialEq, Eq, Debug, amplify::Wrapper, amplify::From)]
struct Score(u32);

fn main() {
    let table: HashMap<String, u32> = map! { s!("a") => 1u32, s!("b") => 2 };
    println!("{} {:?} {}", table["b"], Score::from(4), Score(3).into_inner());
}
