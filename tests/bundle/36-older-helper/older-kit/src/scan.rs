use num::Double;

pub struct Scanner {
    pub at: u32,
}

impl Scanner {
    pub fn next(&mut self) -> u32 {
        self.at += 1;
        self.at.double()
    }
    pub fn list(&mut self, n: usize) -> Vec<u32> {
        self.at += num::total(vec![(1, 2)]);
        (0..n).map(|_| self.next()).collect()
    }
}
