use multiversion::multiversion;

#[multiversion(targets("x86_64+avx2+bmi2", "x86_64+sse4.2"))]
fn square(x: &mut [f32]) {
    for v in x {
        *v *= *v;
    }
}

fn main() {
    let mut data = [1.0, 2.5, -3.0];
    square(&mut data);
    println!("{data:?}");
}
