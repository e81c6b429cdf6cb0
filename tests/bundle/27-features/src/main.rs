fn main() {
    println!("{} {}", switch_on::name(), switch_off::name());
    // The program has no such feature: a macro's `cfg` is asked of the crate that calls it.
    println!("{:?} {}", switch_on::loud!("x"), switch_on::around!());
}
