#[derive(Default)]
pub struct Counter(u32);

impl Counter {
    pub fn tick(&mut self) {
        self.0 += 1;
    }

    pub fn value(&self) -> u32 {
        self.0
    }
}
