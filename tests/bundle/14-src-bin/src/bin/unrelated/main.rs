mod part;

fn main() {
    part::go();
}
