//! What a macro hands on to `stringify!` is printed with the blanks it was written with.

macro_rules! show {
    ($value:expr) => {
        println!("{} = {:?}", stringify!($value), $value)
    };
}

macro_rules! show_all {
    ($($value:expr),*) => {
        $(show!($value);)*
    };
}

macro_rules! quoting {
    ($name:ident, $dollar:tt) => {
        macro_rules! $name {
            ($dollar($part:tt)*) => {
                stringify!($dollar($part)*)
            };
        }
    };
}

macro_rules! documented {
    ($(#[$attribute:meta])* struct $name:ident;) => {
        $(#[$attribute])*
        struct $name;
        const ATTRIBUTES: &[&str] = &[$(stringify!($attribute)),*];
    };
}

documented! {
    /// It says so.
    #[derive(Debug)]
    struct Documented;
}

quoting!(quote, $);
use show_all as every;

fn twice(number: i32) -> i32 {
    number * 2
}

fn main() {
    let list = [1, 2, 3];
    show!(twice( 4 ) - 1);
    show_all!(list.len() + 1, list[ 0 ]==1);
    every!(twice(1)+twice(2));
    println!("{:?} {:?}", Documented, ATTRIBUTES);
    println!("{}", quote!(a + b :: <c>));
}
