#[test]
fn outside() {
    assert_eq!(b09::sum(&[]), 0);
}
