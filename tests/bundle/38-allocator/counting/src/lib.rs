//! Nobody names the allocator.
mod heap;

use std::sync::atomic::{AtomicUsize, Ordering};

static GROWN: AtomicUsize = AtomicUsize::new(0);
static ZEROED: AtomicUsize = AtomicUsize::new(0);

/// Whether a block has grown and a cleared one was asked for.
pub fn seen() -> (bool, bool) {
    let seen = |count: &AtomicUsize| count.load(Ordering::Relaxed) > 0;
    (seen(&GROWN), seen(&ZEROED))
}
