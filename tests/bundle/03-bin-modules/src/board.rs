pub struct Board {
    size: usize,
}

impl Board {
    pub fn new(size: usize) -> Self {
        Self { size }
    }

    pub fn cells(&self) -> usize {
        self.size * self.size
    }
}
