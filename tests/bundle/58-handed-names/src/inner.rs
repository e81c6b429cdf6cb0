declare!(declared);

pub fn told() -> String {
    format!(
        "{} {} {} {:?} {:?}",
        tell_equal!(3, 3),
        plus_one!(1),
        sum_of!(handing::seven, handing::eight),
        labelled!(5),
        sums!([1, 2], [3])
    )
}
