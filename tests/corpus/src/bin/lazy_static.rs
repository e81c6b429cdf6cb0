use lazy_static::lazy_static;

lazy_static! {
    static ref SQUARES: Vec<u32> = (0..10).map(|x| x * x).collect();
    pub static ref NAME: String = "fifty".to_uppercase();
}

fn main() {
    println!("{} {}", SQUARES[7], *NAME);
}
