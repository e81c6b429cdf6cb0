//! Of two macros of one name, the judge's compiler takes the one whose condition holds.

fn main() {
    println!("{} {} {}", chosen::width!(), chosen::is_wide!(), chosen::told());
    println!("{} {}", chosen::by_hand!(), chosen::hidden::by_hand!());
}
