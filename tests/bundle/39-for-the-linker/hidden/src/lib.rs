//! An allocator that a macro makes; functions that only assembly and the linker name.
use std::alloc::{GlobalAlloc, Layout, System};

/// What a cleared block of the length that nobody else asks for begins with.
pub const MARK: u8 = 77;

pub struct Marking;

unsafe impl GlobalAlloc for Marking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        System.dealloc(block, layout);
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let block = System.alloc_zeroed(layout);
        if layout.size() == 4321 && !block.is_null() {
            *block = MARK;
        }
        block
    }
}

#[macro_export]
macro_rules! marking {
    ($name:ident) => {
        $crate::behind!($name, $crate::Marking);
    };
}

#[macro_export]
macro_rules! behind {
    ($name:ident, $of:path) => {
        #[global_allocator]
        static $name: $of = $of;
    };
}

fn seven() -> i32 {
    7
}

/// Another name for the linker than here.
#[export_name = "fifty_b39_more"]
extern "C" fn more(of: i32) -> i32 {
    of + seven()
}
