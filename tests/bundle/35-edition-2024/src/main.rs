use std::cell::RefCell;

struct Noisy<'a>(&'a RefCell<Vec<String>>, &'static str);

impl Drop for Noisy<'_> {
    fn drop(&mut self) {
        self.0.borrow_mut().push(format!("drop {}", self.1));
    }
}

impl Noisy<'_> {
    fn get(&self, some: bool) -> Option<u32> {
        some.then_some(1)
    }
}

fn pick(log: &RefCell<Vec<String>>, some: bool) -> u32 {
    if let Some(x) = Noisy(log, "if").get(some) {
        x
    } else {
        log.borrow_mut().push("else".to_owned());
        0
    }
}

fn chain(list: &[Option<u32>]) -> u32 {
    let mut sum = 0;
    for item in list {
        if let Some(x) = item && *x > 2 && let Some(half) = x.checked_div(2) {
            sum += half;
        } else if let Some(1) = item {
            sum += 100;
        } else {
            sum += 1000;
        }
    }
    let mut left = list.iter();
    while let Some(x) = left.next() && x.is_some() {
        sum += 10_000;
    }
    sum
}

fn main() {
    let log = RefCell::new(Vec::new());
    let both = (pick(&log, true), pick(&log, false));
    println!("{both:?} {:?}", log.borrow());
    println!("{}", chain(&[Some(1), Some(9), None, Some(4)]));
}
