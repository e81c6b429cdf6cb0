fn show(t: &b15::m::T<i32>) -> i32 {
    t.get() + <b15::m::T<i32>>::ONE
}

fn three() -> ::b15::m::T<i32> {
    match 3 {
        n => ::b15::m::T(n),
    }
}

fn main() {
    println!("{}", three().get());
    println!("{} {}", b15::m::f(), ::b15::m::f());
    println!("{}", show(&b15::m::T(4)));
    println!("{}", b15::m::T::<u8>::ONE);
}
