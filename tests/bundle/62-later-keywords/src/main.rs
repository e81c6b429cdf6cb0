//! Names that are keywords in the file's edition, called and printed; symbols under a condition in a macro.

older_words::called!(first, "b62_first", 1);
older_words::called!(second, "b62_second", first() + 1);

fn main() {
    println!("{:?} {:?}", oldest_words::told(), older_words::told());
    println!("{} {}", oldest_words::Lamp(4).r#dyn(), older_words::r#gen(6));
    println!("{}", second());
}
