use super::sum;

#[test]
fn sums() {
    assert_eq!(sum(&[1, 2]), 3);
}
