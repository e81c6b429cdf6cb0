use amplify_num::{u256, u5};

fn main() {
    let a = u256::from(u64::MAX) * u256::from(u64::MAX);
    println!("{a} {} {}", u256::from(7u64) << 100usize, u5::with(9) + u5::with(4));
}
