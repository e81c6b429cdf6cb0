use std::cell::RefCell;
use std::collections::BinaryHeap;

/// The best of a few levels, the widest kept of each.
pub fn climb(start: u64, width: usize, levels: usize) -> (u64, Vec<u64>) {
    let mut level = vec![(start % 101, start)];
    let mut best = (0, 0);
    let mut path = Vec::new();
    for _ in 0..levels {
        let mut next = BinaryHeap::new();
        for (_, node) in &level {
            for k in 1..4 {
                let new = node * 31 + k;
                next.push((new % 101, new % 1000));
            }
        }
        level.clear();
        while let Some(node) = next.pop()
            && level.len() < width
        {
            level.push(node);
        }
        if let Some(node) = level.first()
            && node.0 > best.0
        {
            best = *node;
            path.push(best.1);
        } else if path.len() > 3
            && let Some(last) = path.pop()
        {
            best.0 += last % 2;
        }
    }
    (best.0, path)
}

struct Noted<'a>(&'a RefCell<Vec<usize>>);

impl Noted<'_> {
    fn next(&self) -> Option<usize> {
        self.0.borrow().last().map(|last| last + 1)
    }
}

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.0.borrow_mut().push(100);
    }
}

/// What the body's last expression holds goes before what the condition does.
pub fn noted(first: usize) -> Vec<usize> {
    let list = RefCell::new(vec![first]);
    while let Some(next) = Noted(&list).next()
        && list.borrow().len() < 6
    {
        list.borrow_mut().push(next)
    }
    list.into_inner()
}
