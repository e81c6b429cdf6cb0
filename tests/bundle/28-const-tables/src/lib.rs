pub const SIZE: usize = 16;

const fn squares() -> [u32; SIZE] {
    let mut table = [0; SIZE];
    let mut i = 0;
    while i < SIZE {
        table[i] = square(i as u32);
        i += 1;
    }
    table
}

const fn square(n: u32) -> u32 {
    n * n
}

pub static SQUARES: [u32; SIZE] = squares();

const _: () = assert!(SQUARES_ARE_RIGHT);
const SQUARES_ARE_RIGHT: bool = squares()[3] == 9;

pub struct Table<const N: usize>;

impl<const N: usize> Table<N> {
    pub const CUBES: [usize; N] = {
        let mut table = [0; N];
        let mut i = 0;
        while i < N {
            table[i] = i * i * i;
            i += 1;
        }
        table
    };
}

/// Digits as an author lines them up.
#[rustfmt::skip]
pub const MASKS: [u64; 8] = [
    0b0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000,
    0b0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0001_0000_0010,
    0b1111_1111_1111_1111_1111_1111_1111_1111_1111_1111_1111_1111_1111_1111_1111_1111,
    0b1000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0001_u64,
    0b0000_0001_0000_0001_0000_0001_0000_0001_0000_0001_0000_0001_0000_0001_0000_0001,
    0x0000_0000_0000_00ff,
    0x0000_1f32,
    0o0000_0777_u64,
];

pub const WIDE: u128 = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe;
pub const SIGNED: (i8, (i64, f64)) = (0x0000_007f_i8, (-0x0000_0000_0000_0010, 1_000.000_5e0_1));

/// Prints what it is handed as it is written.
#[macro_export]
macro_rules! written {
    ($number:expr) => {
        (stringify!($number), $number)
    };
}
