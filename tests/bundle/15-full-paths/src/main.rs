fn show(t: &b15::m::T<i32>) -> i32 {
    t.get() + <b15::m::T<i32>>::ONE
}

struct Four;

impl<X: From<u8>> ::b15::m::Gives<X> for Four {
    fn give(&self) -> X {
        X::from(4)
    }
}

fn three() -> ::b15::m::T<i32> {
    match 3 {
        n => ::b15::m::T(n),
    }
}

fn main() {
    println!("{}", three().get());
    let four: u32 = ::b15::m::Gives::give(&Four);
    println!("{four}");
    println!("{} {}", b15::m::f(), ::b15::m::f());
    println!("{}", show(&b15::m::T(4)));
    println!("{}", b15::m::T::<u8>::ONE);
    println!("{} {}", ::core::env!("CARGO_PKG_NAME"), std::line!());
    let _ = ::std::option_env!("CARGO_PKG_NAME").map(|name| println!("{name}"));
}
