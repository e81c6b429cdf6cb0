//! What the last expressions of an older crate hold is dropped when it was, in a file of the program's edition.
use ends::{Loud, ends, taken};
use std::cell::RefCell;

/// In this edition it goes first.
fn own() -> usize {
    let _first = Loud("own");
    Loud("own last").length()
}

fn size(list: &RefCell<Vec<usize>>) -> usize {
    let size = ends::last_size!(list);
    size
}

fn main() {
    ends();
    let list = RefCell::new(vec![]);
    println!("{}", size(&list));
    println!("{}", own());
    println!("{}", taken(true).unwrap_or(0) + taken(false).unwrap_or(0));
    if let Some(word) = Some("chain")
        && word.len() == 5
    {
        println!("{word}");
    }
}
