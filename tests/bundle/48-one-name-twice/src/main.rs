mod inner {
    use twin_names::{other, twin_names};

    pub fn answer() -> String {
        format!("{} {}", twin_names(4), other())
    }
}

use std::io::Read;
use twin_names::stack;

fn main() {
    let list = [3, 4];
    println!("{:?} {:?}", stack![list, [5]], stack(&[&list]));
    println!("{}", inner::answer());
    let mut text = String::new();
    "told".as_bytes().read_to_string(&mut text).unwrap();
    println!("{text}");
}
