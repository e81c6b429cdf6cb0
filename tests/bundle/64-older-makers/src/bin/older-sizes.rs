#[path = "../drops.rs"]
mod drops;
use drops::Drops;

fn main() {
    let _ = Drops(5).get();
    println!("{}", makers::sizes!(1u8, 2));
}
