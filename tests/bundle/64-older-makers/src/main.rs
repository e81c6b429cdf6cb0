mod drops;
use drops::Drops;

#[derive(makers::Gen)]
struct Seed;

fn theirs() -> u8 {
    let r = makers::branch!(Drops(0).get());
    r
}

fn ours() -> u8 {
    makers::same! { let r = if let Some(x) = Drops(0).get() { x } else { println!("ours"); 8 }; }
    r
}

fn main() {
    println!("{} {} {}", theirs(), ours(), Seed.r#gen());
    let text = std::panic::catch_unwind(|| makers::fail!()).unwrap_err();
    println!("{:?}", text.downcast_ref::<&str>());
}
