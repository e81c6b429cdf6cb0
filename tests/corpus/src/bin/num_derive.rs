use num_derive::{FromPrimitive, ToPrimitive};
use num_traits::{FromPrimitive, ToPrimitive};

#[derive(Debug, PartialEq, FromPrimitive, ToPrimitive)]
enum Dir {
    Up = 1,
    Down = 4,
}

fn main() {
    println!("{:?} {:?} {:?}", Dir::from_u32(4), Dir::from_i8(2), Dir::Up.to_u64());
}
