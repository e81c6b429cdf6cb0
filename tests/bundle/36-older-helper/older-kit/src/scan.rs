use num;
use num::Double;
use std::io;
use stdalloc::collections::VecDeque;

/// Has the name of the library's, and nobody wants it.
pub mod wanted_by_nobody {
    pub trait Read {
        fn read(&mut self) -> u8;
    }
}

pub enum Input<A, B> {
    One(A),
    Other(B),
}

impl<A: io::Read, B: io::Read> io::Read for Input<A, B> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self {
            Input::One(a) => a.read(to),
            Input::Other(b) => b.read(to),
        }
    }
}

impl<A: io::BufRead, B: io::BufRead> io::BufRead for Input<A, B> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Input::One(a) => a.fill_buf(),
            Input::Other(b) => b.fill_buf(),
        }
    }
    fn consume(&mut self, n: usize) {
        match self {
            Input::One(a) => a.consume(n),
            Input::Other(b) => b.consume(n),
        }
    }
}

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

pub fn backwards(list: &[&str]) -> stdalloc::string::String {
    let mut queue: VecDeque<&str> = list.iter().copied().collect();
    let mut all = stdalloc::vec::Vec::new();
    while let Some(last) = queue.pop_back() {
        all.push(last);
    }
    all.concat()
}
