use b28::{SQUARES, Table};

fn main() {
    println!("{:?} {:?}", SQUARES, Table::<4>::CUBES);
}
