//! What a macro of a dependency includes, names and hands to a procedural macro is its caller's.
#[macro_use]
mod macros;
mod deep;
use extend::extend;
use kit::{self as tools, asset, count};

#[extend(Louder)]
pub impl str {
    fn louder(&self) -> String {
        self.to_uppercase()
    }
}

mod here {
    macro_rules! beside {
        ($name:literal) => {
            include_str!(concat!("../data/", $name, ".txt")).len()
        };
    }
    pub(crate) use beside;
}

const WORDS: usize = count!(1 + 2, "three", kit::four());

fn main() {
    println!("{} {}", asset!("map.txt").trim(), kit::OWN.trim());
    println!("{} {:?} {}", kit::who!(), kit::bytes!("map.txt"), deep::note());
    println!("{} {}", tools::asset!("map.txt").len(), here::beside!("map"));
    println!("{WORDS} {} {}", "horn".louder(), kit::introduced!());
}
