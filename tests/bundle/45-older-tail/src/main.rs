//! A crate that does not compile in the edition of the program.
fn main() {
    let word = Some("four");
    if let Some(word) = word && tail_kit::length(word) == 4 {
        println!("{word}");
    }
}
