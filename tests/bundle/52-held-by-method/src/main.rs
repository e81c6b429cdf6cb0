//! What a method borrows by itself in an `if let` is given back before its `else`, since 2024.

use std::cell::RefCell;
use std::collections::BTreeMap;

fn first(cell: &RefCell<Vec<u32>>) -> u32 {
    if let Some(x) = cell.borrow().first() {
        *x
    } else {
        cell.borrow_mut().push(7);
        0
    }
}

fn known(cache: &RefCell<BTreeMap<u32, u32>>, n: u32) -> u32 {
    if n > 1 && let Some(x) = cache.borrow().get(&n).copied() {
        x
    } else if let Some(x) = cache.borrow().get(&(n + 100)).map(|x| x + 1) {
        x
    } else {
        let x = if n < 2 { n } else { known(cache, n - 1) + known(cache, n - 2) };
        *cache.borrow_mut().entry(n).or_default() = x;
        x
    }
}

fn main() {
    let cell = RefCell::new(Vec::new());
    println!("{} {} {:?}", first(&cell), first(&cell), cell.borrow());
    cell.borrow_mut().clear();
    println!(
        "{} {:?}",
        if let Some(x) = cell.borrow().first() {
            *x
        } else {
            cell.borrow_mut().push(4);
            1
        },
        vec![if cell.borrow().len() > 0 && let Some(x) = cell.borrow().get(7) { *x } else { 2 }]
    );
    let cache = RefCell::new(BTreeMap::new());
    println!("{} {}", known(&cache, 30), cache.borrow().len());
}
