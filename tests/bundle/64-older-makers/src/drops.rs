pub struct Drops(pub u8);

impl Drop for Drops {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

impl Drops {
    pub fn get(&self) -> Option<u8> {
        (self.0 > 1).then_some(self.0)
    }
}
