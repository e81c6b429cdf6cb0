use rand_core::{impls, Error, RngCore, SeedableRng};

struct Xor(u64);

impl RngCore for Xor {
    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }
    fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn fill_bytes(&mut self, dest: &mut [u8]) {
        impls::fill_bytes_via_next(self, dest)
    }
    fn try_fill_bytes(&mut self, dest: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(dest);
        Ok(())
    }
}

impl SeedableRng for Xor {
    type Seed = [u8; 8];
    fn from_seed(seed: [u8; 8]) -> Self {
        Self(u64::from_le_bytes(seed) | 1)
    }
}

fn main() {
    let mut rng = Xor::seed_from_u64(5);
    let mut bytes = [0; 5];
    rng.fill_bytes(&mut bytes);
    println!("{} {bytes:?}", rng.next_u32());
}
