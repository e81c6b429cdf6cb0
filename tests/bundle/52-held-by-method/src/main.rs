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

/// In what a macro makes, too, whatever it is given.
macro_rules! top {
    ($cell:expr, $else:expr) => {
        if let Some(x) = $cell.borrow().last() {
            *x
        } else {
            $cell.borrow_mut().push($else);
            $else
        }
    };
}

struct Loud(u32);

impl Loud {
    fn half(&self) -> Option<u32> {
        (self.0 % 2 == 0).then_some(self.0 / 2)
    }
}

impl Drop for Loud {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

macro_rules! quarter {
    ($n:expr, $other:expr) => {{
        let _first = Loud(1);
        if let Some(half) = Loud($n).half()
            && half > 2
            && let Some(quarter) = $other(half).half()
        {
            Loud(quarter + 100).0
        } else {
            Loud(3).half().unwrap_or(5)
        }
    }};
}

macro_rules! first_even {
    ($list:expr) => {
        for n in $list {
            if let Some(half) = Loud(n).half() {
                println!("half {half}");
                break;
            } else if n > 8 {
                continue;
            }
            println!("odd {n}");
        }
    };
}

/// A last expression that holds something, after a chain.
fn tail(n: u32) -> u32 {
    let first = Loud(n);
    if let Some(half) = first.half() && half > 2 { Loud(half).0 } else { Loud(7).half().unwrap_or(9) }
}

fn main() {
    println!("{} {} {}", quarter!(12, Loud), quarter!(8, Loud), quarter!(7, Loud));
    first_even!([3, 9, 4, 6]);
    println!("{} {} {}", tail(6), tail(4), tail(5));
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
    let stack = RefCell::new(Vec::new());
    println!("{} {}", top!(stack, 3), top!(stack, 4));
}
