//! The random stream of the contest's map generator: SHA-1 over a state that feeds itself.
//!
//! Only for recreating maps from seeds. Draws follow the referee's runtime exactly (rules, section 15a).

fn sha1(data: &[u8]) -> [u8; 20] {
    let mut h: [u32; 5] = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0];
    let mut text = data.to_vec();
    text.push(0x80);
    while text.len() % 64 != 56 {
        text.push(0);
    }
    text.extend((data.len() as u64 * 8).to_be_bytes());
    for block in text.chunks_exact(64) {
        let mut w = [0u32; 80];
        for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        for i in 16..80 {
            w[i] = (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = h;
        for (i, &word) in w.iter().enumerate() {
            let (f, k) = match i / 20 {
                0 => ((b & c) | (!b & d), 0x5A827999),
                1 => (b ^ c ^ d, 0x6ED9EBA1),
                2 => ((b & c) | (b & d) | (c & d), 0x8F1BBCDC),
                _ => (b ^ c ^ d, 0xCA62C1D6),
            };
            let next = a
                .rotate_left(5)
                .wrapping_add(f)
                .wrapping_add(e)
                .wrapping_add(k)
                .wrapping_add(word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (sum, part) in h.iter_mut().zip([a, b, c, d, e]) {
            *sum = sum.wrapping_add(part);
        }
    }
    let mut out = [0; 20];
    for (bytes, word) in out.chunks_exact_mut(4).zip(h) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    out
}

/// A stream that depends on its seed alone.
#[derive(Clone, Debug)]
pub struct Stream {
    state: [u8; 20],
    block: [u8; 20],
    used: usize,
}

impl Stream {
    /// The stream of `seed`.
    pub fn new(seed: i64) -> Self {
        Self {
            state: sha1(&seed.to_le_bytes()),
            block: [0; 20],
            used: 20,
        }
    }

    fn byte(&mut self) -> u8 {
        if self.used == 20 {
            self.block = sha1(&self.state);
            let mut carry = 1i32;
            let mut changed = false;
            for (s, o) in self.state.iter_mut().zip(self.block) {
                let v = i32::from(*s as i8) + i32::from(o as i8) + carry;
                changed |= *s != v as u8;
                *s = v as u8;
                carry = v >> 8;
            }
            if !changed {
                self.state[0] = self.state[0].wrapping_add(1);
            }
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    fn next(&mut self, bits: u32) -> u32 {
        let bytes = bits.div_ceil(8);
        let value = (0..bytes).fold(0u32, |v, _| (v << 8) | u32::from(self.byte()));
        value >> (8 * bytes - bits)
    }

    /// Uniform in [0, 1), 24 bits.
    pub fn float(&mut self) -> f32 {
        self.next(24) as f32 / 16_777_216.0
    }

    /// A fair coin.
    pub fn coin(&mut self) -> bool {
        self.next(1) != 0
    }

    /// Uniform in `0..n`, as shuffles and picks draw.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n as i32;
        let r = self.next(31) as i32;
        if n & (n - 1) == 0 {
            return ((i64::from(n) * i64::from(r)) >> 31) as usize;
        }
        let mut u = r;
        loop {
            let r = u % n;
            if (u - r).checked_add(n - 1).is_some() {
                return r as usize;
            }
            u = self.next(31) as i32;
        }
    }

    /// Uniform in `low..high`, as ranges draw.
    pub fn range(&mut self, low: usize, high: usize) -> usize {
        let n = (high - low) as i32;
        let r = self.next(32);
        if n & (n - 1) == 0 {
            return (r as i32 & (n - 1)) as usize + low;
        }
        let mut u = (r >> 1) as i32;
        loop {
            let r = u % n;
            if (u - r).checked_add(n - 1).is_some() {
                return r as usize + low;
            }
            u = (self.next(32) >> 1) as i32;
        }
    }

    /// Fisher and Yates, from the back.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (2..=items.len()).rev() {
            items.swap(i - 1, self.below(i));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sha1;

    #[test]
    fn sha1_of_abc() {
        let words = [0xa9993e36u32, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d];
        assert_eq!(sha1(b"abc").to_vec(), words.map(u32::to_be_bytes).concat());
    }
}
