use b01::shapes::Square;

fn main() {
    println!("{}", Square(7).area());
}
