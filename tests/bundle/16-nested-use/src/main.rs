use b16::{
    a::{self, T},
    b as c,
};
use b16::{self as whole, b};

mod inner {
    use ::b16::{self, a::free as freed};

    pub fn go() -> i32 {
        freed() + b16::b::deep()
    }
}

// Modules of a crate's name behind other names.
mod shadow {
    pub mod b16 {
        pub fn own() -> i32 {
            3
        }

        pub mod b {
            pub fn deep() -> i32 {
                30
            }
        }
    }

    pub mod plain {
        pub const FOUR: i32 = 4;
    }
}

mod behind {
    use crate::{
        inner::go,
        shadow::{b16::own, plain},
    };
    use {super::shadow::{plain::FOUR, b16::own as again}, std::cmp};

    pub fn sum() -> i32 {
        cmp::max(go() + own(), plain::FOUR + FOUR + again())
    }
}

// Imported with all else of a module.
mod all {
    use crate::shadow::*;

    pub fn of() -> i32 {
        b16::b::deep() + plain::FOUR
    }

    pub mod within {
        use super::*;

        pub fn of() -> i32 {
            b16::own() + ::b16::b::deep()
        }
    }

    pub mod without {
        pub fn of() -> i32 {
            b16::b::deep()
        }
    }

    // A module that a macro makes has nothing of that but what it imports itself.
    macro_rules! apart {
        ($name:ident, $from:ident) => {
            pub mod $name {
                use b16::$from;

                pub fn of() -> i32 {
                    $from::deep()
                }

                pub mod within {
                    use super::super::*;

                    pub fn of() -> i32 {
                        b16::$from::deep()
                    }
                }
            }
        };
    }

    apart!(made, b);
}

// The same in a block, and of modules that come later.
fn globbed() -> i32 {
    use crate::{late::prelude::seven, shadow::*};
    b16::b::deep() + { use std::cmp::*; max(seven(), 1) }
}

mod early {
    use crate::late::prelude::*;

    pub fn of() -> i32 {
        b16::deep() + seven()
    }
}

mod late {
    pub mod prelude {
        pub use super::b16_of_its_own as b16;

        pub fn seven() -> i32 {
            7
        }
    }

    pub mod b16_of_its_own {
        pub fn deep() -> i32 {
            3000
        }
    }
}

// What a macro makes has the name too.
mod made {
    macro_rules! hidden {
        () => {
            pub mod b16 {
                pub fn deep() -> i32 {
                    70
                }
            }
        };
    }

    hidden!();

    pub fn of() -> i32 {
        b16::deep()
    }

    pub mod within {
        use super::*;

        pub fn of() -> i32 {
            b16::deep() + 1
        }
    }
}

fn handed() -> i32 {
    use made::*;
    b16::deep() + 2
}

// Names of a block, which are the crate's elsewhere.
fn imported() -> i32 {
    use crate::shadow::b16;
    b16::b::deep()
}

fn renamed() -> i32 {
    let inner = {
        use shadow::{plain, b16 as other};
        plain::FOUR + other::own()
    };
    use shadow::plain as b16;
    inner + b16::FOUR
}

fn declared() -> i32 {
    mod b16 {
        pub mod b {
            pub fn deep() -> i32 {
                300
            }
        }
    }
    b16::b::deep()
}

fn own() -> i32 {
    use b16::{self, b};
    b::deep() + b16::b::deep()
}

macro_rules! deep {
    () => {{
        use crate::shadow::{b16, plain::FOUR};
        b16::b::deep() + FOUR
    }};
}

fn main() {
    println!("{} {} {}", T.name(), a::free(), c::deep());
    println!("{} {} {}", whole::b::deep(), b::deep(), inner::go());
    println!("{}", behind::sum());
    println!("{} {} {} {} {}", imported(), renamed(), declared(), own(), deep!());
    println!("{} {} {}", all::of(), all::within::of(), all::without::of());
    println!("{} {}", all::made::of(), all::made::within::of());
    println!("{} {}", globbed(), early::of());
    println!("{} {} {}", made::of(), made::within::of(), handed());
}
