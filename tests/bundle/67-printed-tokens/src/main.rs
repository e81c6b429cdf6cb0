use tells::{keeps, lined, own, told, Kinds, Tells};

#[derive(Clone, Debug, Tells)]
#[derive(PartialEq)]
struct Turn {
    cells: [u8; 2],
    pub(crate) names: Vec<Vec<String>>,
    #[told(as = "t", 1..=3)]
    of: fn(i32, &'static str) -> (i64, u8),
    /// How `it` is kept.
    kept: std::collections::HashMap<String, [Option<u8>; 3]>,
}

/// Sorts.
#[keeps(depth = 1, any(2..=3), "x")]
#[inline]
fn first<'a, T: Ord + Copy>(list: &'a mut [T]) -> Option<&'a T> where T: 'a { if list.len() >= 2 && !list.is_empty() { list.sort(); } list.first() }

#[derive(Kinds)]
#[allow(dead_code)]
struct Of {
    a: [u8; 2],
    b: &'static [(u8, i8)],
    c: fn(u8) -> u8,
    d: Option<Box<dyn Fn(u8, u8) -> u8>>,
}

struct Bot;

impl Bot {
    #[lined]
    fn run(&self, of: i32) -> i32 { of + 1 }
}

fn main() {
    println!("{}\n{:?}\n{TOLD}", Turn::TEXT, Turn::FIELDS);
    for text in told!(a + b * [1, 2; 3] { x: 1 } x.y::<T>(), &mut *p, 'a: loop { break 'a; } #[x] |a| -1 a.0.1 1..2 r#"x"# 'c' !x ; ;) {
        println!("{text}");
    }
    for text in told!(f(x)-1, [u8;2], f (x) - 1) {
        println!("{text}");
    }
    let turn = Turn { cells: [1, 2], names: vec![], of: |_, _| (1, 2), kept: Default::default() };
    println!("{:?} {:?} {:?} {}", first(&mut [3, 1]), turn.cells, turn.clone().names, (turn.of)(1, "").0);
    println!("{}", turn.kept.len());
    println!("{} {} {:?}", own!(1 + 2), own!(4), tells::numbers!("67-printed-tokens/numbers.txt"));
    for field in ["a", "b", "c", "d"] { println!("{}", Of::kind(field)); }
    println!("{}", Bot.run(1));
}
