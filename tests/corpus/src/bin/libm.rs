fn main() {
    println!("{:.12} {:.12} {:.12} {:.12}", libm::sin(1.0), libm::tgamma(5.5), libm::cbrt(10.0), libm::erf(0.3));
}
