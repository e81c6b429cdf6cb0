mod texts;

fn main() {
    print!("{}", include_str!("data/hello.txt"));
    print!("{}", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/raw.txt")));
    println!("{:?}", include_str!("data/signs.txt"));
    println!("{} {}", texts::quoted().len(), env!("CARGO_PKG_VERSION"));
}
