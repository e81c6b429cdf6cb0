use az::{Az, CheckedAs, SaturatingAs, WrappingAs};

fn main() {
    println!("{} {:?} {} {}", 3.7f32.az::<i32>(), (-1i32).checked_as::<u8>(), 300i32.saturating_as::<u8>(), 300i32.wrapping_as::<u8>());
}
