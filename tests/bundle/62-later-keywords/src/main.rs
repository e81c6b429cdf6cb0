//! Names that are keywords in the file's edition, a crate's too, called and printed; symbols under a condition.

older_words::called!(first, "b62_first", 1);
older_words::called!(second, "b62_second", first() + 1);

fn main() {
    println!("{:?} {:?}", r#gen::told(), older_words::told());
    println!("{} {}", r#gen::Lamp(4).r#dyn(), older_words::r#gen(6));
    println!("{}", second());
    println!("{} {}", older_words::next!(3), older_words::r#gen!(4));
}
