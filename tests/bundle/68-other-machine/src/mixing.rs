//! What one branch needs and the other does not.

pub struct Rounds(u32);

impl Rounds {
    pub fn few() -> Self {
        Rounds(FEW)
    }
    pub fn many() -> Self {
        Rounds(FEW * 4)
    }
    pub fn mixed(&self, x: u64) -> u64 {
        (0..self.0).fold(x, |x, _| x.rotate_left(5) ^ x)
    }
    fn added(&self, x: u64) -> u64 {
        x + u64::from(self.0)
    }
}

const FEW: u32 = 2;

pub struct Bytes(pub u64);

impl Bytes {
    pub fn summed(self, rounds: &Rounds) -> u64 {
        self.map(|x| rounds.added(x)).sum()
    }
}

impl Iterator for Bytes {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        let next = (self.0 != 0).then_some(self.0 & 15);
        self.0 >>= 4;
        next
    }
}
