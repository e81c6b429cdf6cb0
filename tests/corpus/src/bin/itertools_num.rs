use itertools_num::{linspace, ItertoolsNum};

fn main() {
    println!("{:?} {:?}", linspace(0.0, 1.0, 5).collect::<Vec<f64>>(), [1, 2, 3].iter().cumsum::<i32>().collect::<Vec<_>>());
}
