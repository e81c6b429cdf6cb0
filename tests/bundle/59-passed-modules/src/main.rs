//! Modules in files of their own among the arguments of a macro that passes items on, and a procedural macro that has its
//! name by such a macro.

#[passing::start]
fn main() {
    println!("{} {}", passing::run(3), passing::deep::told());
}
