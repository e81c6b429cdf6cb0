use either::{Either, for_both};

fn cells(ring: bool) -> impl Iterator<Item = (i32, i32)> {
    if ring {
        Either::Left((-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))).filter(|c| *c != (0, 0)))
    } else {
        Either::Right([(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter())
    }
}

fn main() {
    println!("{} {:?}", cells(true).count(), cells(false).map(|(x, y)| x * 2 + y).collect::<Vec<_>>());
    let both: Either<u8, String> = Either::Right("abc".to_owned());
    println!("{} {:?}", for_both!(&both, value => value.to_string()), both.as_ref().map_right(|s| s.len()).flip());
}
