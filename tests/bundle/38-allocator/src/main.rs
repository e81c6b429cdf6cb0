use std::sync::atomic::{AtomicBool, Ordering};

static BEGUN: AtomicBool = AtomicBool::new(false);

extern "C" fn begin() {
    BEGUN.store(true, Ordering::Relaxed);
}

// The loader calls it before `main`.
#[used]
#[link_section = ".init_array"]
static BEGIN: extern "C" fn() = begin;

fn main() {
    let zeros = vec![0_u64; std::env::args().count() + 100];
    let mut list = Vec::new();
    for i in 0..1000 {
        list.push(i + zeros[i as usize % 7]);
    }
    println!("{} {:?}", list.iter().sum::<u64>(), counting::seen());
    println!("{}", BEGUN.load(Ordering::Relaxed));
}
