//! One hot path, compiled for the judge's plain x86-64 and once more for the machine it really is.
//!
//! Judges compile without `target-cpu`, which costs bit kernels a third to two thirds of their speed.
//! A [`Kernel`] is the work as a value; [`run`] finds out once which instruction set the machine has and
//! enters the kernel through a function that carries it. Everything below must be `#[inline(always)]`
//! (an ordinary function called from there is compiled for the plain set), and a recursive search enters
//! again at each ply with [`Level::enter`]: one call, no detection.
//!
//! Not here: any use of the instructions themselves, except for [`Level::select`],
//! [`Level::spread`] and [`Level::add_products`].

/// Work that can be compiled for any instruction set. `run` must be `#[inline(always)]`.
pub trait Kernel {
    /// What the work returns.
    type Out;
    /// Does the work at level `L`.
    fn run<L: Level>(self) -> Self::Out;
}

/// An instruction set the code below is compiled for.
pub trait Level: Copy {
    /// Runs a kernel through this level's own entry function.
    fn enter<K: Kernel>(kernel: K) -> K::Out;
    /// Index of the `n`-th set bit of `mask`; needs `n < popcount(mask)`.
    fn select(mask: u64, n: u32) -> u32;
    /// A number for every bit of `mask`: -1 where it is set, else 0.
    #[inline(always)]
    fn spread(mask: u64) -> [i8; 64] {
        core::array::from_fn(|i| -((mask >> i & 1) as i8))
    }
    /// Adds to each sum the products of both numbers with its weights; not all four may be -2^15.
    #[inline(always)]
    fn add_products(sums: &mut [i32; 16], [a, b]: [i16; 2], weights: &[[i16; 2]; 16]) {
        for (sum, w) in sums.iter_mut().zip(weights) {
            *sum += i32::from(a) * i32::from(w[0]) + i32::from(b) * i32::from(w[1]);
        }
    }
}

/// Whatever the compiler was told to assume.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Level for Plain {
    #[inline(never)]
    fn enter<K: Kernel>(kernel: K) -> K::Out {
        kernel.run::<Self>()
    }

    #[inline(always)]
    fn select(mut mask: u64, n: u32) -> u32 {
        for _ in 0..n {
            mask &= mask.wrapping_sub(1);
        }
        mask.trailing_zeros()
    }
}

/// x86-64-v3 (Haswell, Zen and later): popcnt, BMI1, BMI2, LZCNT, AVX2, FMA.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct V3(());

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod v3 {
    use super::{Kernel, Level, V3};

    #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2,fma")]
    unsafe fn entry<K: Kernel>(kernel: K) -> K::Out {
        kernel.run::<V3>()
    }

    impl Level for V3 {
        #[inline(always)]
        fn enter<K: Kernel>(kernel: K) -> K::Out {
            // SAFETY: only `run` below names `V3`, after it has detected every feature of `entry`; all
            // deeper uses of `V3` are reached from there.
            unsafe { entry(kernel) }
        }

        #[inline(always)]
        fn select(mask: u64, n: u32) -> u32 {
            // SAFETY: as above, the machine has BMI2. 2 ns against 12 to 16 for clearing bits.
            unsafe { core::arch::x86_64::_pdep_u64(1 << n, mask) }.trailing_zeros()
        }

        #[inline(always)]
        fn spread(mask: u64) -> [i8; 64] {
            use core::arch::x86_64::{
                _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_set1_epi32, _mm256_set1_epi64x,
                _mm256_set_epi64x, _mm256_shuffle_epi8,
            };
            const BYTES: i64 = 0x0101_0101_0101_0101;
            // SAFETY: as above, the machine has AVX2; two vectors are as long as the array, and any bits are right for
            // both. The compiler makes scalar code of the loop above: `benches/MEASURED.md` has the gain.
            unsafe {
                // Eight copies of each byte of the mask, of which each keeps its own bit.
                let index = _mm256_set_epi64x(3 * BYTES, 2 * BYTES, BYTES, 0);
                let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201u64 as i64);
                let mut there = [
                    _mm256_set1_epi32(mask as i32),
                    _mm256_set1_epi32((mask >> 32) as i32),
                ];
                for half in &mut there {
                    *half = _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(*half, index), bit), bit);
                }
                core::mem::transmute(there)
            }
        }

        #[inline(always)]
        fn add_products(sums: &mut [i32; 16], [a, b]: [i16; 2], weights: &[[i16; 2]; 16]) {
            use core::arch::x86_64::{__m256i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_set1_epi32};
            // SAFETY: as above, the machine has AVX2; each array is two vectors long, and any bits are right for
            // all three types. The compiler does not find the instruction by itself.
            unsafe {
                let both = _mm256_set1_epi32(i32::from(a) & 0xFFFF | i32::from(b) << 16);
                let [low, high]: [__m256i; 2] = core::mem::transmute(*sums);
                let [v, w]: [__m256i; 2] = core::mem::transmute(*weights);
                let low = _mm256_add_epi32(low, _mm256_madd_epi16(both, v));
                let high = _mm256_add_epi32(high, _mm256_madd_epi16(both, w));
                *sums = core::mem::transmute::<[__m256i; 2], [i32; 16]>([low, high]);
            }
        }
    }
}

/// Asks the caches for a value that will be looked at soon.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, without any effect but on the caches; every x86-64 has it. Its gain is in `benches/MEASURED.md`.
    unsafe {
        use core::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// True where the x86-64-v3 set is complete.
#[inline]
fn has_v3() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Runs `kernel` at the best level this machine has. Detection is cached by the standard library.
pub fn run<K: Kernel>(kernel: K) -> K::Out {
    #[cfg(target_arch = "x86_64")]
    if has_v3() {
        return V3::enter(kernel);
    }
    Plain::enter(kernel)
}
