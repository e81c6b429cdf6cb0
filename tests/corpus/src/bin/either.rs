use either::{Either, Left, Right};

fn steps(up: bool) -> impl Iterator<Item = u32> {
    if up { Left(0..4) } else { Right((0..4).rev()) }
}

fn main() {
    let e: Either<i32, &str> = Right("x");
    println!("{:?} {:?} {:?} {}", steps(true).collect::<Vec<_>>(), steps(false).max(), e.left(), e.is_right());
}
