use older_kit::scan::Scanner;
use older_kit::{ensure, ensure as is_it};

fn main() {
    let mut scanner = Scanner { at: 3 };
    let list = scanner.list(4);
    let sum: u32 = list.iter().sum();
    println!("{list:?} {} {}", ensure!(sum > 3), is_it!(sum == 3));
    let small: Result<u8, _> = u8::try_from(sum);
    println!("{small:?}");
}
