//! An impl in the body of what nobody calls holds for all of the program.
#![allow(dead_code, non_local_definitions)]

struct Guard(u8);
struct Lamp(u8);

trait Named {
    fn name(&self) -> &'static str {
        "nameless"
    }
}

impl Named for Lamp {}

fn never() {
    struct Local;
    impl Drop for Local {
        fn drop(&mut self) {
            println!("never");
        }
    }
    impl Drop for Guard {
        fn drop(&mut self) {
            println!("guard {} goes", self.0);
        }
    }
    let _local = Local;
}

static NEVER: u8 = {
    impl Lamp {
        fn name(&self) -> &'static str {
            "lamp"
        }
    }
    impl Drop for Lamp {
        fn drop(&mut self) {
            println!("{} {} goes out", self.name(), self.0);
        }
    }
    3
};

fn main() {
    let _guard = Guard(1);
    let lamp = Lamp(2);
    println!("{}", lamp.name());
}
