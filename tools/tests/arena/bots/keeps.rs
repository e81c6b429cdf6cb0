//! Tells how many answers it gave before, as a file beside the program says.

use std::fs::OpenOptions;
use std::io::Write;

fn main() {
    let file = std::env::current_exe().unwrap().with_extension("memory");
    let before = std::fs::read(&file).map_or(0, |bytes| bytes.len());
    let mut file = OpenOptions::new().append(true).create(true).open(file).unwrap();
    file.write_all(b".").unwrap();
    println!("{before}");
}
