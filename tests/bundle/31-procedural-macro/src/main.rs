use shout::{kinds, named, several, shout, square, sum, twice, Commas, Defaults, Loud};

use kit::Loud;

#[derive(Loud)]
struct Horn;

// Called with what only a call of the rules says.
macro_rules! functions {
    ($($name:ident = $value:tt),*) => { $( shout::function! { $name $value } )* };
    ($($name:ident)*) => { $( shout::function! { $name } )* };
}

macro_rules! submodule {
    ($v:vis $name:ident) => {
        mod $name;
        $v use $name::*;
    };
}

functions!(one = 3, two = 4);
submodule!(pub(crate) extra);

// A derive among the rules of a macro.
macro_rules! horns {
    ($($name:ident),*) => { $( #[derive(Loud)] struct $name; )* };
}

horns!(Tuba, Whistle);

// Items with a derive handed on.
macro_rules! same {
    ($($item:item)*) => { $($item)* };
}

macro_rules! bell {
    ($name:ident) => {
        same! {
            #[cfg_attr(all(), derive(Loud))]
            struct $name(u8);

            impl $name {
                fn is(&self, other: u8) -> bool {
                    self.0.eq(&other)
                }
            }
        }
    };
}

same! {
    #[derive(Loud)]
    struct Drum;
}
bell!(Bell);

// An expression is one token.
macro_rules! handed {
    ($a:expr, $b:expr) => {
        (kinds!($a, $b 3 x), twice!($a), twice!($b))
    };
}

trait Both {
    functions!(three);
}

impl Both for i32 {
    fn three_of(&self) -> i32 {
        *self * 3
    }
}

// Where a block would end the arm.
fn arm(n: i32) -> i32 {
    match n {
        0 => several!(4, 5)[1],
        1 => several!(7).len() as i32,
        _ => sum!(1 2) * n,
    }
}

#[derive(Defaults, Debug)]
struct Settings {
    #[default(3)]
    depth: u32,
    #[default]
    width: u32,
}

#[derive(Default, Debug)]
enum Mood {
    #[default]
    Calm,
}

// A comma behind the last is one more; what is off goes with its own. Derives above are gone.
#[derive(Debug)]
#[derive(Commas, PartialEq)]
#[allow(dead_code)]
#[derive(Clone)]
enum Side {
    Left,
    #[cfg(any())]
    Up,
    Right,
}

// On parts of a trait and of an impl.
trait Parts {
    #[named]
    const K: i32;
    #[cfg_attr(all(), named)]
    #[inline]
    fn given(&self) -> i32 {
        self.asked() + Self::K
    }
    #[named]
    fn asked(&self) -> i32;
}

impl Parts for u8 {
    #[named]
    const K: i32 = 100;
    #[inline]
    #[cfg_attr(any(), missing)]
    #[named]
    #[named]
    fn asked(&self) -> i32 {
        1000
    }
}

#[derive(Commas)]
enum Turn {
    _Left,
    #[cfg(any())]
    Right
}

fn main() {
    println!("{:?} {:?} {:?}", Side::COMMAS, Turn::COMMAS, Side::Left);
    println!("{}", 0u8.given());
    let v = 10;
    println!("{} {}", square!(v + 1), v);
    let settings = Settings { depth: 2, width: 1 };
    println!("{settings:?} {} {:?}", Settings::DEFAULTS, Mood::default());
    println!("{} {} {} {}", arm(0), arm(1), arm(2), sum!(3 4) * several!(2)[0]);
    println!("{} {}", shout!(x), Horn::LOUD);
    println!("{} {} {} {}", one(), two(), 5.three_of(), deep());
    println!("{}", kinds!(a $ $b [$]));
    println!("{}", Tuba::LOUD & Whistle::LOUD);
    println!("{} {}", Drum::LOUD & Bell::LOUD, Bell(2).is(2));
    println!("{:?} {:?}", handed!(1 + 2, 4), handed!(v, -v));
    const COUNT: usize = kit::counted!(a b [c d]);
    println!("{COUNT} {} {}", kit::counted!(x), {
        #[derive(Loud)]
        struct Inner;
        Inner::LOUD
    });
}
