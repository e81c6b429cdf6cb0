use tap::{Conv, Pipe, Tap};

fn main() {
    let list = vec![3, 1, 2].tap_mut(|v| v.sort());
    println!("{:?} {} {}", list, 5i32.pipe(|x| x * 2), 7u8.conv::<u32>());
}
