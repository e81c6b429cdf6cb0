use text_io::{read, scan};

fn main() {
    let n: usize = read!();
    let (a, b): (i32, String);
    scan!("{}, <{}>", a, b);
    println!("{n} {a} {b}");
}
