fn main() {
    println!("{} {}", switch_on::name(), switch_off::name());
    println!("{}", switch_on::loud!("x"));
}
