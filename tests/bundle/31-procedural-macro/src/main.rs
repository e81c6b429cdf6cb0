use shout::shout;

fn main() {
    println!("{}", shout!(x));
}
