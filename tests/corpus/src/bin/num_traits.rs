use num_traits::{Bounded, CheckedAdd, Float, FromPrimitive, Num, NumCast, PrimInt, Signed, Zero};

fn sum<T: Num + Copy>(list: &[T]) -> T {
    list.iter().fold(T::zero(), |a, &b| a + b)
}

fn bits<T: PrimInt>(x: T) -> u32 {
    x.count_ones()
}

fn main() {
    println!("{} {:.2} {}", sum(&[1, 2, 3]), sum(&[0.5, 0.25]), bits(255u16));
    println!("{:?} {:?} {} {}", CheckedAdd::checked_add(&250u8, &10), i8::from_i64(300), <u8 as NumCast>::from(7.9).unwrap(), u16::max_value());
    println!("{} {} {}", 2.0.powi(10), (-4i32).signum(), i32::from_str_radix("-ff", 16).unwrap().is_zero());
    let _ = (Float::sqrt(2.0f64), Signed::abs(&-3i8));
}
