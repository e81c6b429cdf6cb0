use ndarray::{array, s, Array2, Axis};

fn main() {
    let a = array![[1.0, 2.0], [3.0, 4.0]];
    let b = Array2::<f64>::eye(2) * 2.0;
    let c = a.dot(&b);
    println!("{c} {} {}", c.sum_axis(Axis(0)), c.slice(s![.., 1]));
    let mut g = Array2::<u8>::zeros((3, 4));
    g[[1, 2]] = 7;
    println!("{:?}", g);
}
