hidden::marking!(HEAP);

extern "C" {
    #[link_name = "fifty_b39_more"]
    fn seen(of: i32) -> i32;
}

#[cfg(target_arch = "x86_64")]
mod assembly {
    core::arch::global_asm!(
        ".globl fifty_b39_five",
        "fifty_b39_five:",
        "lea eax, [rdi + 5]",
        "ret"
    );

    extern "C" {
        fn fifty_b39_five(of: i32) -> i32;
    }

    #[no_mangle]
    extern "C" fn fifty_b39_times(of: i32) -> i32 {
        of * 11
    }

    pub fn run() -> (i32, i32) {
        let times: i32;
        unsafe {
            core::arch::asm!("call fifty_b39_times", in("edi") 4, lateout("eax") times, clobber_abi("C"));
            (fifty_b39_five(4), times)
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod assembly {
    pub fn run() -> (i32, i32) {
        (9, 44)
    }
}

fn main() {
    let list = vec![0_u8; 4321];
    println!("{} {:?} {}", list[0], assembly::run(), unsafe { seen(1) });
}
