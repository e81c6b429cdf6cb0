//! A small number for every bit of a `u64`, all of them changed at once: what squares of a board are worth, by sets.
//!
//! Bytes stick at their ends, words wrap. The loops are plain, for the compiler to put into vector registers; what it
//! does not find is [`Level::spread`]. Not here: what the numbers mean.

use super::cpu::Level;

/// 64 numbers of 8 bits.
pub type Bytes = [i8; 64];
/// 64 numbers of 16 bits.
pub type Words = [i16; 64];

/// Adds to the numbers of a set.
#[inline(always)]
pub fn add_bytes<L: Level>(to: &mut Bytes, set: u64, value: i8) {
    let there = L::spread(set);
    for i in 0..64 {
        to[i] = to[i].saturating_add(there[i] & value);
    }
}

/// Adds to the numbers of a set.
#[inline(always)]
pub fn add_words<L: Level>(to: &mut Words, set: u64, value: i16) {
    let there = L::spread(set);
    for i in 0..64 {
        to[i] = to[i].wrapping_add(i16::from(there[i]) & value);
    }
}

#[cfg(test)]
mod tests {
    use super::{add_bytes, add_words, Bytes, Words};
    use crate::kit::cpu::{run, Kernel, Level, Plain};
    use crate::kit::rng::Rng;

    /// Numbers from random sets.
    struct Random(u64);
    impl Kernel for Random {
        type Out = (Bytes, Words);

        #[inline(always)]
        fn run<L: Level>(self) -> Self::Out {
            let mut rng = Rng::new(self.0);
            let (mut bytes, mut words) = ([0; 64], [-7; 64]);
            for _ in 0..6 {
                add_bytes::<L>(&mut bytes, rng.next_u64(), rng.next_u64() as i8);
                add_words::<L>(&mut words, rng.next_u64(), rng.next_u64() as i16 >> 4);
            }
            (bytes, words)
        }
    }

    #[test]
    fn every_level_gives_the_same_numbers() {
        for seed in 0..2_000 {
            assert_eq!(Random(seed).run::<Plain>(), run(Random(seed)), "{seed}");
        }
    }

    #[test]
    fn numbers_of_a_set_change_and_no_others() {
        let (mut bytes, mut words) = ([100; 64], [i16::MAX; 64]);
        let set = 1 << 63 | 1 << 31 | 1 << 8 | 1;
        add_bytes::<Plain>(&mut bytes, set, 100);
        add_words::<Plain>(&mut words, set, 2);
        for i in 0..64 {
            let there = set >> i & 1 == 1;
            assert_eq!((bytes[i] == 127, words[i] == i16::MIN + 1), (there, there), "{i}");
            assert!(there || (bytes[i], words[i]) == (100, i16::MAX), "{i}");
        }
    }
}
