use b06::{inside, quad};
use speech::loud;

macro_rules! matches {
    ($x:expr, $($any:tt)*) => {
        $x == '?'
    };
}

mod sub {
    use b06::twice;

    pub fn go() -> i32 {
        twice!(2) + b06::quad!(1)
    }
}

mod horn {
    use loud::Horn;

    pub fn height() -> u32 {
        loud::loud!(Horn(4).0)
    }
}

mod settings {
    speech::options! {
        /// how deep
        /// it looks
        depth = 3;
        /// how "wide"
        width = 4;
    }
}

fn main() {
    println!("{} {} {}", quad!(10), inside(), sub::go());
    println!("{} {} {} {}", loud!("a"), loud::up("b"), loud::LEVEL, loud::twice("c"));
    println!("{} {}{}", horn::height(), speech::first(), speech::second());
    println!("{} {}", matches!('A', 'A'..='Z'), loud::is_loud('A'));
    let own = [b06::own::plain::of(), b06::own::wide::of(), b06::own::braced::of()];
    println!("{own:?} {} {} {}", b06::own::rooted::of(), b06::ten!(), b06::hundred_of!(3));
    println!("{:?} {} {}", settings::help(), settings::depth, settings::width);
}
