//! What a macro of a dependency includes, names and hands to a procedural macro is its caller's.
#[macro_use]
mod macros;
mod deep;
use extend::extend;
use kit::{asset, count};

#[extend(Louder)]
pub impl str {
    fn louder(&self) -> String {
        self.to_uppercase()
    }
}

const WORDS: usize = count!(1 + 2, "three", kit::four());

fn main() {
    println!("{} {}", asset!("map.txt").trim(), kit::OWN.trim());
    println!("{} {:?} {}", kit::who!(), kit::bytes!("map.txt"), deep::note());
    println!("{WORDS} {} {}", "horn".louder(), kit::introduced!());
}
