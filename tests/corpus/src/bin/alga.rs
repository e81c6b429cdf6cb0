use alga::general::{AbstractMagma, Additive, Identity, TwoSidedInverse};

fn total<T: Identity<Additive> + AbstractMagma<Additive> + Clone>(list: &[T]) -> T {
    list.iter().fold(T::identity(), |a, b| a.operate(b))
}

fn main() {
    println!("{} {} {}", total(&[1, 2, 3]), total(&[0.5, 0.25]), TwoSidedInverse::<Additive>::two_sided_inverse(&4));
}
