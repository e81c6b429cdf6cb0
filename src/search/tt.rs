//! A transposition table of fixed size: two entries per bucket, one kept for depth, one always replaced.
//!
//! Allocated once; never grows, never fails. An entry is checked by 48 bits of the hash besides the
//! bucket's index, so a wrong hit is expected once in 10^14 probes. Values are relative to the position
//! they are stored for (distances to a win are the caller's business).

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// No entry.
    None = 0,
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// The true value.
    Exact = 3,
}

/// Depth of an entry whose value no deeper search can change: no evaluation went into it.
pub const COMPLETE: u8 = u8::MAX;

/// One remembered position.
#[derive(Clone, Copy, Debug)]
pub struct Entry<M> {
    check: u32,
    check_low: u16,
    /// Plies searched below the position, or [`COMPLETE`].
    pub depth: u8,
    /// Bound in the low two bits, age above.
    tag: u8,
    /// Value for the side to move.
    pub value: i32,
    /// Best move found.
    pub best: M,
}

impl<M> Entry<M> {
    /// What `value` says.
    #[inline(always)]
    pub fn bound(&self) -> Bound {
        match self.tag & 3 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}

/// The table. 12 bytes and a move per entry (16 for moves of up to 4 bytes).
pub struct Table<M> {
    entries: Vec<Entry<M>>,
    mask: usize,
    age: u8,
}

impl<M: Copy + Default> Table<M> {
    /// A table of at least two and at most `entries` entries, rounded down to a power of two.
    pub fn new(entries: usize) -> Self {
        let size = if entries < 4 { 2 } else { 1 << entries.ilog2() };
        let empty = Entry {
            check: 0,
            check_low: 0,
            depth: 0,
            tag: 0,
            value: 0,
            best: M::default(),
        };
        Self {
            entries: vec![empty; size],
            mask: size - 2,
            age: 0,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for entry in &mut self.entries {
            entry.tag = 0;
        }
    }

    /// A new search begins: older entries lose their protection.
    pub fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(4);
    }

    #[inline(always)]
    fn bucket(&self, hash: u64) -> usize {
        hash as usize & self.mask
    }

    /// What is known of the position with this hash.
    #[inline(always)]
    pub fn get(&self, hash: u64) -> Option<&Entry<M>> {
        let at = self.bucket(hash);
        let (check, low) = ((hash >> 32) as u32, (hash >> 16) as u16);
        self.entries[at..at + 2]
            .iter()
            .find(|e| e.check == check && e.check_low == low && e.tag & 3 != 0)
    }

    /// Remembers a value; the first entry of a bucket yields only to deeper, newer or same-position ones.
    #[inline(always)]
    pub fn put(&mut self, hash: u64, depth: u8, bound: Bound, value: i32, best: M) {
        let at = self.bucket(hash);
        let new = Entry {
            check: (hash >> 32) as u32,
            check_low: (hash >> 16) as u16,
            depth,
            tag: self.age | bound as u8,
            value,
            best,
        };
        let first = &self.entries[at];
        let same = first.check == new.check && first.check_low == new.check_low;
        let keep = !same && first.tag & 3 != 0 && first.tag & !3 == self.age && first.depth > depth;
        self.entries[at + usize::from(keep)] = new;
    }
}
