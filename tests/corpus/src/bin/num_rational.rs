use num_rational::Ratio;

fn main() {
    let sum = (1..=10).map(|i| Ratio::new(1i64, i)).fold(Ratio::from_integer(0), |a, b| a + b);
    println!("{sum} {} {} {:?}", sum.floor(), sum.recip(), Ratio::<i64>::approximate_float(0.75));
}
