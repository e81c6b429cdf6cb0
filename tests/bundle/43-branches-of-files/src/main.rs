//! Which file a module is, only the judge's compiler answers: all of them are there.
macro_rules! cfg_if {
    ($(if #[cfg($meta:meta)] { $($yes:tt)* }) else * else { $($no:tt)* }) => {
        cfg_if! { @items () ; $((($meta) ($($yes)*)),)* (() ($($no)*)), }
    };
    (@items ($($not:meta,)*) ; ) => {};
    (@items ($($not:meta,)*) ; (($($meta:meta),*) ($($body:tt)*)), $($rest:tt)*) => {
        #[cfg(all($($meta,)* not(any($($not),*))))] cfg_if! { @identity $($body)* }
        cfg_if! { @items ($($not,)* $($meta,)*) ; $($rest)* }
    };
    (@identity $($body:tt)*) => { $($body)* };
}

mod imp {
    cfg_if! {
        if #[cfg(all(target_feature = "avx512f", not(miri)))] {
            mod wide;
            pub use wide::*;
        } else if #[cfg(windows)] {
            mod nowhere;
        } else {
            mod narrow;
            pub use narrow::*;
            pub const WIDTH: u32 = 0;
        }
    }
}

/// Runs only where a judge has assertions.
#[allow(dead_code)]
fn is_narrow(width: u32) -> bool {
    width < 10
}

fn main() {
    #[cfg(debug_assertions)]
    assert!(is_narrow(imp::WIDTH));
    println!("{} {}", imp::sum(&[1, 2, 3]), imp::WIDTH);
}
