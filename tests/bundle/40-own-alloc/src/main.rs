use self::core::cmp::least;

mod alloc {
    pub fn size() -> usize {
        3
    }
}

mod core {
    pub mod cmp {
        pub fn least(a: i32, _: i32) -> i32 {
            a
        }
    }
}

fn main() {
    println!("{} {} {:?}", alloc::size(), least(5, 2), bare_kit::list());
    println!("{:?} {}", bare_kit::map::squares(), older_four::sizes());
    let caught = std::panic::catch_unwind(|| older_four::small(5)).unwrap_err();
    println!("{:?}", caught.downcast_ref::<&str>());
}
