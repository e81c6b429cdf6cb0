//! In a later edition's file, names of an own trait are still that trait's: in macros, too.

use own_convert::last;

fn main() {
    println!("{:?}", last!(vec![1u8, 2] => u32));
    println!("{:?}", last!({ Vec::<u16>::new() } => u64));
    println!("{:?}", own_convert::pairs());
}
