#[path = "../drops.rs"]
mod drops;
use drops::Drops;

fn main() {
    let _ = Drops(5).get();
    println!("{:?}", makers::tail!(Drops(4)));
}
