use omniswap::swap;

fn main() {
    let mut a = [[1i32, 2], [3, 4]];
    swap!(&mut a[0][0], &mut a[1][1]);
    println!("{a:?}");
}
