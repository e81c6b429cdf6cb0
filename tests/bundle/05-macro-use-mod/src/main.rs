#[macro_use]
mod macros;
mod user;

fn main() {
    println!("{} {}", square!(4), user::cube());
}
