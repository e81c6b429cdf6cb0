use std::fmt::Display;

fn sum(list: [u32; 3]) -> usize {
    // By reference in 2018: the sum of sizes of references, not of numbers.
    list.into_iter().map(std::mem::size_of_val).sum()
}

fn show(value: &dyn Display) -> String {
    format!("<{}>", value)
}

fn main() {
    println!("{} {}", sum([1, 2, 13]), show(&old::kind(7)));
    let caught = std::panic::catch_unwind(|| panic!("{}"));
    println!("{:?}", caught.unwrap_err().downcast_ref::<&str>().is_some());
    println!("{}", old::total(&old::Point { x: 3, y: 4 }));
}
