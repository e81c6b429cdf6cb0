use static_assertions::{assert_eq_size, assert_impl_all, const_assert, const_assert_eq};

struct Cell(u32);
const N: usize = 8;
const_assert!(N.is_power_of_two());
const_assert_eq!(N, 8);
assert_eq_size!(Cell, u32);
assert_impl_all!(Cell: Send, Sync);

fn main() {
    println!("{}", Cell(7).0 + N as u32);
}
