fn show(t: &b15::m::T<i32>) -> i32 {
    t.get() + <b15::m::T<i32>>::ONE
}

fn main() {
    println!("{} {}", b15::m::f(), ::b15::m::f());
    println!("{}", show(&b15::m::T(4)));
    println!("{}", b15::m::T::<u8>::ONE);
}
