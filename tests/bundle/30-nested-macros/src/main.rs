use b30::{Base, units};

units! {
    Meter m 1.0;
    Kilometer km 1000.0;
}

macro_rules! functions {
    ($($name:ident => $value:expr),* $(,)?) => {
        $(fn $name() -> i32 { $value })*
    };
}

functions! {
    one => 1,
    two => one() + 1,
}

fn main() {
    println!("{:?} {:?}", m!(3).base(), km!(2).base() == Base(2000.0));
    println!("{} {}", two(), b30::counted::FIVE);
}
