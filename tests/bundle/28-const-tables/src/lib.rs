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
