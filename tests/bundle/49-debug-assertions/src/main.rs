//! What only debug assertions call: by a macro of its own, through another function, an overridden default, an operator.

mod sorted {
    macro_rules! holds {
        ($what:expr) => {
            debug_assert!($what)
        };
    }
    macro_rules! where_checked {
        ($what:expr) => {
            if cfg!(debug_assertions) {
                assert!($what);
            }
        };
    }

    pub fn is_sorted(list: &[i32]) -> bool {
        list.windows(2).all(|pair| pair[0] <= pair[1])
    }

    pub struct List(pub Vec<i32>);

    pub trait Fine {
        fn fine(&self) -> bool {
            false
        }
        fn name(&self) -> i32;
    }

    impl List {
        pub fn get(&self, i: usize) -> i32 {
            debug_assert!(!self.0.is_empty() && self.has(i));
            self.0[i]
        }

        fn has(&self, i: usize) -> bool {
            self.0.len() > i
        }
    }

    impl Fine for List {
        fn fine(&self) -> bool {
            self.0.len() < 10
        }

        fn name(&self) -> i32 {
            holds!(self.fine());
            7
        }
    }

    impl PartialEq for List {
        fn eq(&self, other: &List) -> bool {
            self.0 == other.0
        }
    }

    impl Clone for List {
        fn clone(&self) -> Self {
            List(self.0.iter().map(|x| x + 1).collect())
        }
    }

    fn rest(x: i32) -> i32 {
        x % 2
    }

    fn odd(x: i32) -> bool {
        rest(x) == 1
    }

    fn small(x: i32) -> bool {
        x < 10
    }

    pub fn after(x: i32) -> i32 {
        holds!(odd(x));
        where_checked!(small(x));
        let is_fine = x > 0 || { debug_assert!(small(x), "{x}"); true };
        x + i32::from(is_fine)
    }

    pub fn same(a: &List, b: &List) {
        holds!(a == b);
        holds!(a.clone() != *b);
    }
}

use sorted::Fine;

fn main() {
    let list = [1, 2, 3];
    debug_assert!(sorted::is_sorted(&list));
    let one = sorted::List(vec![4]);
    sorted::same(&one, &sorted::List(vec![4]));
    println!("{} {} {} {}", list.len(), one.get(0), sorted::after(3), one.name());
}
