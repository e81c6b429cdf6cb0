//! Small whole numbers as text: what a network learned, in as few characters as a judge's limit on them asks for.
//!
//! A binary range coder (Martin 1979) whose odds learn as they go; a number is its length in bits, one by one, the bits
//! below its highest, and its sign. A character holds 15.3 bits: from U+3400 to the last of Hangul all are one UTF-16
//! unit, no control and of no direction. Numbers are told best where those of like size stand together. Integers only, so
//! all machines read the same.

use std::str::Chars;

/// The first character.
const FIRST: u64 = 0x3400;
/// How many there are.
const BASE: u64 = 0xD7A4 - FIRST;

/// The numbers of a text, in order; what is missing is 0.
pub struct Numbers<'a> {
    text: Chars<'a>,
    range: u64,
    code: u64,
    /// That a bit is 0, in 2^-16: of lengths by what is known of them, of the sign, then by length and place.
    odds: [u64; 256],
}

impl<'a> Numbers<'a> {
    /// Of what [`pack`] made.
    pub fn new(text: &'a str) -> Self {
        Self {
            text: text.chars(),
            range: 1,
            code: 0,
            odds: [1 << 15; 256],
        }
    }

    fn bit(&mut self, at: usize) -> bool {
        while self.range < 1 << 40 {
            self.range *= BASE;
            self.code = self.code * BASE + self.text.next().map_or(0, |c| c as u64 - FIRST);
        }
        let odds = &mut self.odds[at];
        let split = (self.range >> 16) * *odds;
        let bit = self.code >= split;
        if bit {
            self.code -= split;
            self.range -= split;
            *odds -= *odds >> 6;
        } else {
            self.range = split;
            *odds += ((1 << 16) - *odds) >> 6;
        }
        bit
    }

    /// The next.
    pub fn number(&mut self) -> i16 {
        let mut len = 0;
        while len < 15 && self.bit(len) {
            len += 1;
        }
        let mut n = i16::from(len > 0);
        for at in 1..len {
            n = 2 * n + i16::from(self.bit(len << 4 | at));
        }
        if len > 0 && self.bit(15) {
            -n
        } else {
            n
        }
    }
}

/// [`Numbers::bit`] the other way round.
struct Packer {
    /// What is written so far, as one number of this base.
    digits: Vec<u64>,
    range: u64,
    odds: [u64; 256],
}

impl Packer {
    fn bit(&mut self, at: usize, bit: bool) {
        while self.range < 1 << 40 {
            self.range *= BASE;
            self.digits.push(0);
        }
        let odds = &mut self.odds[at];
        let split = (self.range >> 16) * *odds;
        if bit {
            self.range -= split;
            *odds -= *odds >> 6;
            self.add(split);
        } else {
            self.range = split;
            *odds += ((1 << 16) - *odds) >> 6;
        }
    }

    /// Adds at the last digit.
    fn add(&mut self, mut carry: u64) {
        for digit in self.digits.iter_mut().rev() {
            if carry == 0 {
                return;
            }
            carry += *digit;
            *digit = carry % BASE;
            carry /= BASE;
        }
    }

    fn number(&mut self, n: i16) {
        let size = n.unsigned_abs();
        let len = (u16::BITS - size.leading_zeros()) as usize;
        for at in 0..len {
            self.bit(at, true);
        }
        if len < 15 {
            self.bit(len, false);
        }
        for at in 1..len {
            self.bit(len << 4 | at, size >> (len - 1 - at) & 1 == 1);
        }
        if len > 0 {
            self.bit(15, n < 0);
        }
    }
}

/// The text of numbers, each above `i16::MIN`.
pub fn pack(numbers: &[i16]) -> String {
    let mut packer = Packer {
        digits: Vec::new(),
        range: 1,
        odds: [1 << 15; 256],
    };
    for &n in numbers {
        packer.number(n);
    }
    // Of all numbers in the range the one whose last digits are left out.
    let (mut unit, mut kept) = (1, packer.digits.len());
    while unit * BASE <= packer.range {
        unit *= BASE;
        kept -= 1;
    }
    packer.add(unit - 1);
    packer.digits.truncate(kept);
    let character = |digit: &u64| char::from_u32((FIRST + digit) as u32).unwrap_or_default();
    packer.digits.iter().map(character).collect()
}

#[cfg(test)]
mod tests {
    use super::{pack, Numbers};
    use crate::kit::rng::Rng;

    #[test]
    fn what_is_packed_is_read() {
        let mut rng = Rng::new(5);
        for bits in 0..=16 {
            for count in [0, 1, 2, 7, 3_000] {
                let draw = |_| ((rng.next_u64() & 0xFFFF) as i16 >> (16 - bits).min(15)).max(-i16::MAX);
                let numbers: Vec<i16> = (0..count).map(draw).collect();
                let text = pack(&numbers);
                let mut read = Numbers::new(&text);
                assert!(
                    numbers.iter().all(|&n| read.number() == n),
                    "{bits} bits, {count} numbers"
                );
                assert!(text.chars().all(|c| ('\u{3400}'..='\u{D7A3}').contains(&c)));
            }
        }
    }

    #[test]
    fn what_is_missing_is_nothing() {
        let mut none = Numbers::new("");
        assert!((0..1_000).all(|_| none.number() == 0));
    }

    /// A number of 0 to 15 and a sign has 4.95 bits; a character has 15.35 of them.
    #[test]
    fn characters_are_full() {
        let mut rng = Rng::new(6);
        let numbers: Vec<i16> = (0..20_000).map(|_| rng.below(31) as i16 - 15).collect();
        let count = pack(&numbers).chars().count();
        assert!((6_455..6_650).contains(&count), "{count} characters");
    }
}
