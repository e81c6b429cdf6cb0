use num_complex::Complex64;

fn main() {
    let z = Complex64::from_polar(2.0, std::f64::consts::FRAC_PI_3);
    println!("{:.6} {:.6} {:.3}", z, (z * z).norm(), z.exp());
}
