use b28::{MASKS, SIGNED, SQUARES, Table, WIDE, written};

fn main() {
    println!("{:?} {:?}", SQUARES, Table::<4>::CUBES);
    println!("{MASKS:x?} {WIDE} {} {} {}", SIGNED.0, SIGNED.1.0, SIGNED.1.1);
    println!("{:?} {:?}", written!(0x0000_00fe), vec![0b0000_0001_u8; 0x0000_0002]);
    for n in 0b0000_0000..0b0000_0011 {
        println!("{}", matches!(n, 0x0000_0001..=0x0000_0002));
    }
    let caught = std::panic::catch_unwind(|| assert!(MASKS[0x0000_0005] == 0x0000_00fe));
    let why = caught.unwrap_err();
    println!("{}", why.downcast_ref::<&str>().unwrap());
}
