mod inner {
    use twin_names::{other, twin_names};

    pub fn answer() -> String {
        format!("{} {}", twin_names(4), other())
    }
}

/// The crate itself, handed on among others.
mod crates {
    pub use twin_names::{self as twins, other};
}

/// Imported in bodies: a macro and a function leave the name to their crate, a module does not.
mod bodies {
    pub fn macros() -> usize {
        use twin_names::{other, twin_names};
        twin_names!(8) + twin_names::twin_names(9) + other().len()
    }

    pub fn modules() -> usize {
        use twin_modules::twin_modules;
        twin_modules::size()
    }

    pub fn alone() -> usize {
        use twin_names::twin_names;
        twin_names!(1) + twin_names::twin_names(2)
    }

    pub fn deep() -> usize {
        use twin_modules::deep::twin_modules;
        twin_modules::size() + ::twin_modules::size()
    }
}

/// A name of the crate's own.
mod own {
    pub fn twin_names() -> usize {
        crate::twin_names::twin_names(6)
    }
}

use ::twin_names::{self, stack};
use own::twin_names;
use std::io::Read;

fn main() {
    let list = [3, 4];
    println!("{:?} {:?}", stack![list, [5]], stack(&[&list]));
    println!("{}", inner::answer());
    println!("{} {}", ::twin_names::doubled!(4), ::twin_names::tripled!(5));
    println!(
        "{} {} {} {}",
        crates::twins::twin_names(5),
        crates::other(),
        twin_names(),
        twin_names::twin_names!(7)
    );
    println!("{} {}", bodies::macros(), bodies::alone());
    println!("{} {}", bodies::modules(), bodies::deep());
    let mut text = String::new();
    "told".as_bytes().read_to_string(&mut text).unwrap();
    println!("{text}");
}
