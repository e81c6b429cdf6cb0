//! Blocks whose last expressions hold what is dropped after their variables.
use std::cell::RefCell;

pub struct Loud(pub &'static str);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

impl Loud {
    pub fn length(&self) -> usize {
        self.0.len()
    }
}

struct Pair {
    left: Loud,
    _right: Loud,
    size: usize,
}

/// Is matched, and only a part of it is moved.
fn popped(list: &RefCell<Vec<Pair>>) -> usize {
    let mut list = list.borrow_mut();
    let _first = Loud("variable");
    match list.pop() {
        Some(Pair { left, size, .. }) => {
            let left = left;
            left.length() + size
        }
        None => 0,
    }
}

/// Several, one of them by way of `?`.
pub fn taken(is_there: bool) -> Option<usize> {
    let _first = Loud("variable");
    match given(&Loud("argument"), is_there)? {
        Some(found) => Some(found.length() + Loud("arm").length()),
        None => None,
    }
}

fn given(like: &Loud, is_there: bool) -> Option<Option<Loud>> {
    is_there.then(|| Some(Loud(like.0)))
}

/// In the middle of an expression, of an arm, of a closure, of a branch.
fn added(list: &RefCell<Vec<Pair>>) -> usize {
    let _first = Loud("variable");
    let closure = |name| {
        let _first = Loud(name);
        Loud("closure").length()
    };
    let branch = if list.borrow().is_empty() {
        let _first = Loud("branch");
        Loud("last of branch").length()
    } else {
        0
    };
    let arm = match branch {
        0 => 1,
        _ => {
            let _first = Loud("arm");
            Loud("last of arm").length()
        }
    };
    closure("one") + list.borrow().iter().map(|pair| pair.size).sum::<usize>() + Loud("sum").length() + arm
}

/// A condition that borrows while its branches run.
fn branched(list: &RefCell<Vec<Pair>>) -> usize {
    let _first = Loud("variable");
    if let Some(pair) = list.borrow().last() {
        pair.size
    } else {
        usize::from(list.try_borrow_mut().is_err())
    }
}

/// The same in a macro, and where nothing comes last.
#[macro_export]
macro_rules! last_size {
    ($list:expr) => {
        if let Some(size) = $list.borrow().last() {
            *size
        } else {
            usize::from($list.try_borrow_mut().is_err())
        }
    };
}

/// The whole condition is what a macro makes, and holds until its `else` has run.
macro_rules! longer {
    ($name:expr, $than:expr) => {
        Loud($name).length().checked_sub($than)
    };
}

fn longer() -> usize {
    if let Some(by) = longer!("four", 2) {
        println!("by {by}");
        by
    } else if let Some(by) = longer!("five", 3) {
        by
    } else {
        0
    }
}

fn shorter() -> usize {
    let by = if let Some(by) = longer!("shorter", 9) { by } else { println!("else"); 1 };
    if let Some(by) = longer!("last", 5) { by } else { println!("{by}"); 2 }
}

/// What a body without variables holds at its end goes there in every edition.
fn joined() -> usize {
    let mut sum = 0;
    for thread in (0..3).map(|n| std::thread::spawn(move || n)) {
        match thread.join() {
            Ok(n) => sum += n,
            Err(e) => println!("{}", e.is::<String>()),
        }
    }
    sum
}

fn stated(list: &RefCell<Vec<Pair>>, also: bool) -> usize {
    let size = if also {
        0
    } else if let Some(pair) = list.borrow().last() {
        pair.size
    } else {
        usize::from(list.try_borrow_mut().is_err())
    };
    size + 1
}

pub fn ends() {
    let pair = |size| Pair {
        left: Loud("left"),
        _right: Loud("right"),
        size,
    };
    let list = RefCell::new(vec![pair(3), pair(4)]);
    println!("{} {}", branched(&list), popped(&list));
    println!("{} {} {}", added(&list), popped(&list), popped(&list));
    println!("{} {}", branched(&list), added(&list));
    println!("{} {}", stated(&list, true), stated(&list, false));
    println!("{} {} {}", longer(), shorter(), joined());
}
