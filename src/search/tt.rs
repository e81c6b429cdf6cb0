//! A transposition table of fixed size, and the one entry that all searches share.
//!
//! Allocated once; never grows, never fails. An entry holds the whole hash, so a wrong hit needs two
//! positions with the same 64 bits; what comes out is still to be checked for legality by who plays it. An
//! entry of a two-byte move has 16 bytes. Values are relative to the position they are stored for
//! (distances to a win are the caller's business).
//!
//! Two ways to put, which do not mix in one table: [`Table::put`] always replaces, one entry a slot, for
//! tables that are large against a search; [`Table::put_deep`] keeps the deeper of this search's entries and
//! one more beside it.

use crate::kit::cpu::prefetch;

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// No entry.
    #[default]
    None = 0,
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// The true value.
    Exact = 3,
}

impl Bound {
    /// What a search in the window from `alpha` to `beta` says that came out at `value`.
    #[inline(always)]
    pub fn of(value: i32, alpha: i32, beta: i32) -> Self {
        if value >= beta {
            Self::Lower
        } else if value > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

/// Depth of an entry whose value no deeper search can change: no evaluation went into it.
pub const COMPLETE: i8 = i8::MAX;

/// One remembered position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry<M> {
    /// The position's hash.
    pub key: u64,
    /// Value for the side to move.
    pub value: i32,
    /// Best move found.
    pub best: M,
    /// Plies searched below the position, or [`COMPLETE`].
    pub depth: i8,
    /// Bound in the low two bits, age above.
    tag: u8,
}

const _: () = assert!(size_of::<Entry<u16>>() == 16);

impl<M> Entry<M> {
    /// What is known of the position `key`.
    #[inline(always)]
    pub fn new(key: u64, value: i32, best: M, depth: i32, bound: Bound) -> Self {
        Self {
            key,
            value,
            best,
            depth: depth as i8,
            tag: bound as u8,
        }
    }

    /// True where `value` decides the window from `alpha` to `beta`.
    #[inline(always)]
    pub fn decides(&self, value: i32, alpha: i32, beta: i32) -> bool {
        match self.tag & 3 {
            3 => true,
            2 => value >= beta,
            1 => value <= alpha,
            _ => false,
        }
    }

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

/// The table.
pub struct Table<M> {
    entries: Vec<Entry<M>>,
    age: u8,
}

impl<M: Copy + Default> Table<M> {
    /// A table of at most `entries` entries, at least two, rounded down to a power of two.
    pub fn new(entries: usize) -> Self {
        let mut table = Self {
            entries: Vec::with_capacity(1 << entries.max(2).ilog2()),
            age: 0,
        };
        table.clear();
        table
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.entries.push(Entry::default());
        // By doubling: entries are copied in blocks, which takes a tenth of writing them field by field.
        while 2 * self.entries.len() <= self.entries.capacity() {
            self.entries.extend_from_within(..);
        }
    }

    /// A new search begins: older entries lose their protection.
    pub fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(4);
    }

    /// The entry of a slot, told by the low bits of `slot`; its key says whose it is.
    #[inline(always)]
    pub fn get(&self, slot: u64) -> &Entry<M> {
        &self.entries[slot as usize & (self.entries.len() - 1)]
    }

    /// Replaces the entry of a slot.
    #[inline(always)]
    pub fn put(&mut self, slot: u64, entry: Entry<M>) {
        let at = slot as usize & (self.entries.len() - 1);
        self.entries[at] = entry;
    }

    /// Asks the caches for a slot.
    #[inline(always)]
    pub fn prefetch(&self, slot: u64) {
        prefetch(self.get(slot));
    }

    /// That of the two entries of a bucket that has this key, or the second.
    #[inline(always)]
    pub fn get_deep(&self, slot: u64, key: u64) -> &Entry<M> {
        let first = self.get(slot & !1);
        if first.key == key && first.tag & 3 != 0 {
            return first;
        }
        self.get(slot | 1)
    }

    /// Remembers an entry; the first one of a bucket yields only to deeper, newer or same-position ones.
    #[inline(always)]
    pub fn put_deep(&mut self, slot: u64, mut entry: Entry<M>) {
        entry.tag |= self.age;
        let first = self.get(slot & !1);
        let keep = first.key != entry.key
            && first.tag & 3 != 0
            && first.tag & !3 == self.age
            && first.depth > entry.depth;
        self.put(slot & !1 | u64::from(keep), entry);
    }
}

/// What evaluations said, by the positions' hashes; a slot keeps the newest.
pub struct Values(Vec<(u64, i32)>);

impl Values {
    /// Room for `slots` positions, a power of two.
    pub fn new(slots: usize) -> Self {
        Self(vec![(0, 0); slots])
    }

    /// What was said of a position.
    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<i32> {
        let (of, value) = self.0[self.slot(key)];
        (of == key).then_some(value)
    }

    /// Asks the caches for a position's slot.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.0[self.slot(key)]);
    }

    /// Remembers it.
    #[inline(always)]
    pub fn put(&mut self, key: u64, value: i32) {
        let slot = self.slot(key);
        self.0[slot] = (key, value);
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        (key >> 20) as usize & (self.0.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Entry, Table, Values};

    #[test]
    fn the_deeper_entry_stays_until_it_is_old() {
        let mut table = Table::<u16>::new(16);
        table.put_deep(4, Entry::new(7, 1, 1, 9, Bound::Exact));
        table.put_deep(4, Entry::new(8, 2, 2, 3, Bound::Lower));
        table.put_deep(5, Entry::new(9, 3, 3, 2, Bound::Upper));
        assert_eq!(table.get_deep(4, 7).best, 1);
        assert_eq!(table.get_deep(5, 9).bound(), Bound::Upper);
        assert_ne!(table.get_deep(4, 8).key, 8, "replaced");
        table.grow_older();
        table.put_deep(4, Entry::new(8, 2, 2, 3, Bound::Lower));
        assert_eq!(table.get_deep(4, 8).best, 2);
        assert_ne!(table.get_deep(4, 7).key, 7, "old");
    }

    #[test]
    fn a_value_is_its_positions_own() {
        let mut values = Values::new(8);
        values.put(1 << 20 | 5, -3);
        assert_eq!(values.get(1 << 20 | 5), Some(-3));
        assert_eq!(values.get(1 << 20 | 6), None, "the same slot");
        values.put(1 << 20 | 6, 4);
        assert_eq!(values.get(1 << 20 | 5), None, "replaced");
    }

    #[test]
    fn bounds_decide_their_side_only() {
        for (bound, want) in [
            (Bound::None, [false; 3]),
            (Bound::Upper, [true, false, false]),
            (Bound::Lower, [false, false, true]),
            (Bound::Exact, [true; 3]),
        ] {
            let entry = Entry::new(1, 0, 0u16, 1, bound);
            assert_eq!([-5, 0, 5].map(|v| entry.decides(v, -3, 3)), want);
        }
    }
}
