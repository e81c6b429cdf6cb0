use anew_kit::*;

anew_kit::numbers!(seven 7, eight 8);

fn main() {
    let count = 100;
    let x = 3;
    let word = "word";
    println!("{}", lines!("list.txt", count, x + 1));
    println!("{count} {x} {word} {}", anew_kit::lines!("list.txt", anew_kit::lines!("list.txt", x), x));
    println!("{} {}", seven(), eight());
}
