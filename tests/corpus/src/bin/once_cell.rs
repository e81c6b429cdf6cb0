use once_cell::sync::Lazy;
use once_cell::unsync::OnceCell;
use std::collections::HashMap;

static TABLE: Lazy<HashMap<u32, &'static str>> = Lazy::new(|| HashMap::from([(1, "one"), (2, "two")]));

fn main() {
    let cell = OnceCell::new();
    println!("{:?} {} {}", TABLE.get(&2), cell.get_or_init(|| 5), cell.get_or_init(|| 6));
}
