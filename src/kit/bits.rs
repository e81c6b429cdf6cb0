//! Sets of up to 64 cells as `u64` masks: iteration and picks.
//!
//! Masks only; a game's squares and shifts belong to the game.

use super::cpu::Level;
use super::rng::Rng;

/// The set bits of a mask, lowest first.
#[derive(Clone, Debug)]
pub struct Bits(pub u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Bits {}

/// Index of the `n`-th set bit of `mask`, counted from 0 at the low end. Needs `n < popcount(mask)`.
///
/// One `pdep` where level `L` has BMI2; else clears the lower bits one by one.
#[inline(always)]
pub fn select_bit<L: Level>(mask: u64, n: u32) -> u32 {
    debug_assert!(n < mask.count_ones());
    L::select(mask, n)
}

/// A uniformly random set bit of a non-empty mask.
#[inline(always)]
pub fn random_bit<L: Level>(mask: u64, rng: &mut Rng) -> u32 {
    select_bit::<L>(mask, rng.below(mask.count_ones()))
}

#[cfg(test)]
mod tests {
    use super::{random_bit, select_bit, Bits};
    use crate::kit::cpu::{Kernel, Level, Plain};
    use crate::kit::rng::Rng;

    struct Select(u64, u32);
    impl Kernel for Select {
        type Out = u32;
        fn run<L: Level>(self) -> u32 {
            select_bit::<L>(self.0, self.1)
        }
    }

    #[test]
    fn select_agrees_with_iteration_on_every_level() {
        let mut rng = Rng::new(3);
        for _ in 0..2_000 {
            let mask = rng.next_u64() & rng.next_u64();
            for (n, bit) in Bits(mask).enumerate() {
                assert_eq!(select_bit::<Plain>(mask, n as u32), bit);
                assert_eq!(crate::kit::cpu::run(Select(mask, n as u32)), bit);
            }
        }
    }

    #[test]
    fn random_bit_is_always_a_member() {
        let mut rng = Rng::new(4);
        for _ in 0..2_000 {
            let mask = rng.next_u64() | 1;
            assert!(mask >> random_bit::<Plain>(mask, &mut rng) & 1 == 1);
        }
    }
}
