//! What newer lints say of macros by rules: conditions of loops made by two macros, patterns that borrow.

use std::fmt::Debug;

macro_rules! tri {
    ($expr:expr) => {
        match $expr {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

/// Says when it is dropped.
#[derive(Debug, PartialEq)]
struct Loud(&'static str, u8);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("drop {} {}", self.0, self.1);
    }
}

/// Hands out numbered pairs until one is refused.
struct Pairs(u8, u8);

impl Pairs {
    fn next(&mut self) -> Result<Option<(Loud, Loud)>, Loud> {
        self.0 += 1;
        match self.0 {
            n if n == self.1 => Err(Loud("refused", n)),
            4 => Ok(None),
            n => Ok(Some((Loud("key", n), Loud("value", n)))),
        }
    }
}

macro_rules! gather {
    ($($name:ident: $into:ty, $add:ident;)*) => {
        $(fn $name(pairs: Pairs) -> Result<$into, Loud> {
            let mut pairs = pairs;
            let mut values = <$into>::default();
            while let Some((key, value)) = tri!(pairs.next()) {
                println!("at {key:?} {value:?}");
                values.$add(key);
            }
            Ok(values)
        })*
    };
}

gather! {
    in_order: Vec<Loud>, push;
    at_both_ends: std::collections::VecDeque<Loud>, push_front;
}

macro_rules! fields {
    ($($last:ident $named:ident $second:ident: $t:ty;)*) => {
        $(
            fn $last(parts: &(u8, u8, $t)) -> &$t {
                let (.., ref last) = parts;
                last
            }
            fn $named(parts: &&Option<(u8, $t)>) -> String {
                match parts {
                    Some((_, ref named)) => format!("{named:?}"),
                    None => "none".to_owned(),
                }
            }
            fn $second(parts: &mut (u8, $t)) -> &mut $t {
                let (_, ref mut second) = parts;
                second
            }
        )*
    };
}

fields! {
    last_text named_text second_text: String;
    last_list named_list second_list: Vec<u8>;
}

/// Its result holds neither the reference nor what has no name.
fn teller(what: impl Debug, times: &usize) -> impl Fn() -> String {
    let text = format!("{what:?}").repeat(*times);
    move || text.clone()
}

/// Nor do both of these.
fn tellers<'a>(
    text: &'a str,
    what: impl Debug,
    count: &usize,
) -> (impl Fn() -> String, impl Fn() -> &'a str) {
    let told = format!("{what:?}{count}");
    (move || told.clone(), move || text)
}

fn shown<T: Debug>(what: &str, value: Result<T, Loud>) {
    println!("{what} {value:?}");
}

fn main() {
    let (tell, (told, text)) = {
        let times = 2;
        (teller(Some(1), &times), tellers("text", [2], &times))
    };
    println!("{} {} {}", tell(), told(), text());
    for refused in [2, 3, 9] {
        shown("in order", in_order(Pairs(0, refused)));
        shown("at both ends", at_both_ends(Pairs(0, refused)));
    }
    println!(
        "{} {:?}",
        last_text(&(1, 2, "three".to_owned())),
        last_list(&(1, 2, vec![3]))
    );
    println!(
        "{} {}",
        named_text(&&Some((1, "one".to_owned()))),
        named_list(&&None)
    );
    let (mut text, mut list) = ((1, "a".to_owned()), (1, vec![1]));
    second_text(&mut text).push('b');
    second_list(&mut list).push(2);
    println!("{text:?} {list:?}");
}
