use nalgebra::{DMatrix, Matrix3, Vector2, Vector3};

fn main() {
    let m = Matrix3::new(2.0, 0.0, 1.0, 1.0, 3.0, 2.0, 1.0, 1.0, 4.0);
    let v = Vector3::new(1.0, 2.0, 3.0);
    println!("{:?} {:.3}", (m * v).as_slice(), m.determinant());
    println!("{:.4}", Vector2::new(3.0, 4.0).norm());
    println!("{:?}", m.try_inverse().map(|i| (i * v).map(|x| (x * 1000.0f64).round()).as_slice().to_vec()));
    println!("{}", DMatrix::from_fn(2, 3, |r, c| r * 3 + c));
}
