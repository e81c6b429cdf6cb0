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
        if let Some(x) = item
            && *x > 2
            && let Some(half) = x.checked_div(2)
        {
            sum += half;
        } else if let Some(1) = item {
            sum += 100;
        } else {
            sum += 1000;
        }
    }
    let mut left = list.iter();
    while let Some(x) = left.next()
        && x.is_some()
    {
        sum += 10_000;
    }
    sum
}

/// An `if` that stays as it is, before one that does not.
fn third(log: &RefCell<Vec<String>>, number: u32) -> u32 {
    if number == 0 {
        10
    } else if number > 5
        && let Some(x) = Noisy(log, "second").get(number < 9)
    {
        20 + x
    } else if let Some(x) = Noisy(log, "third").get(number > 2) {
        30 + x
    } else {
        log.borrow_mut().push("none".to_owned());
        40
    }
}

struct Unit;

impl Unit {
    fn number(&self) -> u32 {
        5
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        println!("unit");
    }
}

/// A unit struct is made where it is named, and dropped before what the block declares.
fn unit(log: &RefCell<Vec<String>>) -> u32 {
    let _before = Noisy(log, "before");
    println!("{:?}", log.borrow());
    Unit.number()
}

/// What is handed on keeps the type that is expected of it.
fn pair<'a>(
    mut keys: impl Iterator<Item = &'a mut u32>,
    mut values: impl Iterator<Item = &'a mut u32>,
) -> Option<(&'a u32, &'a mut u32)> {
    match keys.next() {
        Some(key) => {
            let value = values.next()?;
            Some((key, value))
        }
        None => None,
    }
}

/// Names that a bundler might give are taken.
fn taken(log: &RefCell<Vec<String>>, list: &[u32]) -> u32 {
    #[allow(non_upper_case_globals)]
    const last: u32 = 4;
    let mut sum = 0;
    'chain_1: for x in list {
        'chain_2: for y in list {
            if let Some(one) = Noisy(log, "taken").get(x > y)
                && one < last
            {
                if sum > 20 {
                    break 'chain_1;
                }
                sum += 1 + {
                    let _first = Noisy(log, "first");
                    Noisy(log, "then").get(true).unwrap_or(last)
                };
                continue 'chain_1;
            } else if x % 3 == 0 {
                continue 'chain_2;
            }
            sum += 1;
        }
    }
    sum
}

/// Loops left from where a block gets a label.
fn leave(log: &RefCell<Vec<String>>, list: &[u32]) -> u32 {
    let mut sum = 0;
    for x in list {
        let half = if let Some(one) = Noisy(log, "half").get(x % 2 == 0) {
            x / 2 + one
        } else {
            log.borrow_mut().push("odd".to_owned());
            if *x > 6 {
                break;
            }
            continue;
        };
        sum += half;
    }
    let found = loop {
        sum += 1;
        if let Some(x) = list.first()
            && sum > *x
        {
            while sum % 5 != 0 {
                sum += 1;
                if sum > 1000 {
                    break;
                }
            }
            break sum * 2;
        } else if sum > 100 {
            break 7;
        }
    };
    #[allow(unused_labels)]
    'named: for x in list {
        if let Some(0) = Noisy(log, "named").get(*x > 4) {
            continue;
        } else {
            break;
        }
    }
    found
}

struct Bag {
    list: Vec<i32>,
}

impl Bag {
    fn above(&self, least: &i32) -> impl Iterator<Item = &i32> {
        let least = *least;
        self.list.iter().filter(move |x| **x > least)
    }
}

fn evens<'a>(list: &'a [i32], more: impl Fn(i32) -> i32) -> impl Iterator<Item = i32> {
    list.iter().copied().filter(|x| x % 2 == 0).map(more)
}

fn count(from: &mut i32, step: &i32) -> impl FnMut() -> i32 {
    move || {
        *from += *step;
        *from
    }
}

fn last() -> usize {
    let cell = RefCell::new(5);
    *cell.borrow() + 1
}

fn names(count: usize) -> Box<[String]> {
    (0..count).map(|n| format!("s{n}")).collect()
}

/// Boxed slices come apart; vectors, references and arrays go on as ever.
fn apart() -> (usize, Vec<String>, i32) {
    let sizes = names(2)
        .into_iter()
        .map(|name| std::mem::size_of_val(&name))
        .sum();
    println!(
        "{:?}",
        Box::<[u8]>::from([3, 1])
            .into_iter()
            .map(|x: u8| x + 1)
            .collect::<Vec<_>>()
    );
    let list: Vec<String> = names(2)
        .into_iter()
        .map(|name| name + "!")
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    let boxed: Box<[i32]> = Box::new([1, 2]);
    let lent: i32 = (&boxed).into_iter().sum();
    (
        sizes,
        list,
        lent + [3, 4].into_iter().chain(boxed.into_iter()).sum::<i32>(),
    )
}

fn main() {
    println!("{:?}", apart());
    let bag = Bag { list: vec![1, 2, 3] };
    println!("{:?} {}", bag.above(&1).collect::<Vec<_>>(), last());
    let (mut from, step) = (1, 2);
    println!(
        "{:?} {}",
        evens(&bag.list, |x| x * 5).collect::<Vec<_>>(),
        count(&mut from, &step)()
    );
    let log = RefCell::new(Vec::new());
    let both = (pick(&log, true), pick(&log, false));
    println!("{both:?} {:?}", log.borrow());
    println!("{}", chain(&[Some(1), Some(9), None, Some(4)]));
    log.borrow_mut().clear();
    println!("{:?} {:?}", [0, 2, 4, 7, 9].map(|n| third(&log, n)), log.borrow());
    println!("{}", unit(&log));
    println!("{:?}", pair([1].iter_mut(), [2].iter_mut()));
    println!("{} {:?}", leave(&log, &[4, 5, 6, 7, 8]), log.borrow());
    println!("{} {:?}", taken(&log, &[3, 1, 6, 9]), log.borrow());
}
