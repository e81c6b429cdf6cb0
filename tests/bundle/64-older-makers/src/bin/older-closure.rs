#[path = "../drops.rs"]
mod drops;
use drops::Drops;

fn main() {
    let _ = Drops(5).get();
    makers::closure!(println!("after"));
}
