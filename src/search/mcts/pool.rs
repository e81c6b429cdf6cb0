//! The memory of a tree search: one array of edges with a hard cap, and its compaction.
//!
//! Children of a node are one contiguous run. A game where seats alternate has one edge per node: it
//! carries what its chooser knows of the move and where the children are. Where seats choose at once
//! ([`crate::search::mcts::joint`]) a node is a run of one head per seat and a link. Nothing here grows
//! after construction; what does not fit is refused.

use crate::search::policy::Cell;

/// No index.
pub const NONE: u32 = u32::MAX;
/// Set in [`Edge::len`] where the result below is known.
const PROVEN: u16 = 0x8000;
/// [`Edge::len`] of the link entry of a joint node.
pub const LINK: u16 = 0x7FFF;

/// A move, what its chooser learnt of it, and where the moves after it are.
#[derive(Clone, Copy, Debug)]
pub struct Edge<M, X> {
    /// Iterations that went through.
    pub visits: u32,
    /// Sum of the chooser's payoffs; minus infinity once lost for certain.
    pub sum: f32,
    /// First child.
    pub first: u32,
    /// Number of children (below [`LINK`]) and the mark of a proof.
    len: u16,
    /// The move.
    pub mv: M,
    /// What was expected of it before it was tried.
    pub prior: X,
}

impl<M: Copy, X: Cell> Edge<M, X> {
    /// A move not tried yet.
    #[inline(always)]
    pub fn new(mv: M, prior: f32) -> Self {
        Self {
            visits: 0,
            sum: 0.0,
            first: 0,
            len: 0,
            mv,
            prior: X::of(prior),
        }
    }

    /// Number of children.
    #[inline(always)]
    pub fn len(&self) -> usize {
        usize::from(self.len & !PROVEN)
    }

    /// No children yet.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len & !PROVEN == 0
    }

    /// Changes where the children are.
    #[inline(always)]
    pub fn set_run(&mut self, first: u32, len: usize) {
        self.first = first;
        self.len = self.len & PROVEN | len as u16;
    }

    /// True where the result below is known.
    #[inline(always)]
    pub fn proven(&self) -> bool {
        self.len & PROVEN != 0
    }

    /// Mean payoff of the chooser; `None` before the first visit.
    pub fn mean(&self) -> Option<f32> {
        (self.visits > 0).then(|| self.sum.max(0.0) / self.visits as f32)
    }

    /// Indices of the children.
    #[inline(always)]
    pub fn run(&self) -> core::ops::Range<usize> {
        self.first as usize..self.first as usize + self.len()
    }
}

/// The edges and their side tables. A table of a feature that is off is empty; the search fills in the others.
pub struct Pool<M, X, const N: usize> {
    /// All edges; capacity fixed.
    pub edges: Vec<Edge<M, X>>,
    /// Payoffs where [`Edge::proven`].
    pub payoff: Vec<[f32; N]>,
    /// How often a move could have been chosen.
    pub available: Vec<u32>,
    /// Heuristic value per seat, backed up by max^n.
    pub heuristic: Vec<[f32; N]>,
    /// Joint nodes by parent and key, as index + 1; 0 is free.
    pub joints: Vec<u32>,
    /// Joint nodes in the table.
    pub joint_count: usize,
    /// Most edges.
    pub cap: usize,
    marks: Vec<u64>,
    ranks: Vec<u32>,
}

impl<M: Copy + Default, X: Cell, const N: usize> Pool<M, X, N> {
    /// Room for `cap` edges, taken now, without side tables.
    pub fn new(cap: usize) -> Self {
        let cap = cap.clamp(2 * (N + 1), NONE as usize - 1);
        Self {
            edges: Vec::with_capacity(cap),
            payoff: Vec::new(),
            available: Vec::new(),
            heuristic: Vec::new(),
            joints: Vec::new(),
            joint_count: 0,
            cap,
            marks: Vec::new(),
            ranks: Vec::new(),
        }
    }

    /// Takes the memory of a compaction.
    pub fn can_compact(&mut self) {
        let words = self.cap.div_ceil(64);
        self.marks = vec![0; words];
        self.ranks = vec![0; words];
    }

    /// Bytes per edge, side tables included (the joint table is counted by its share).
    pub fn bytes_per_edge(&self) -> usize {
        let side = |on: bool, bytes: usize| if on { bytes } else { 0 };
        size_of::<Edge<M, X>>()
            + side(!self.payoff.is_empty(), 4 * N)
            + side(!self.available.is_empty(), 4)
            + side(!self.heuristic.is_empty(), 4 * N)
            + side(!self.joints.is_empty(), 2)
    }

    /// Forgets everything; a root is allocated next.
    pub fn clear(&mut self) {
        self.edges.clear();
        self.joints.fill(0);
        self.joint_count = 0;
    }

    /// Entries a run of `len` children takes: open-loop runs leave room for moves of other samples.
    #[inline(always)]
    pub fn room(&self, len: usize) -> usize {
        if self.available.is_empty() {
            len
        } else {
            len.next_power_of_two()
        }
    }

    /// A run of `count` fresh entries, or `None` when the pool is full.
    #[inline(always)]
    pub fn allocate(&mut self, count: usize) -> Option<u32> {
        let at = self.edges.len();
        if at + count > self.cap {
            return None;
        }
        for _ in 0..count {
            self.edges.push(Edge::new(M::default(), 0.0));
        }
        if !self.available.is_empty() {
            self.available[at..at + count].fill(0);
        }
        Some(at as u32)
    }

    /// A run of children for `moves` and their priors (those missing are 0), or `None` when the pool is full.
    #[inline(always)]
    pub fn allocate_moves(&mut self, moves: &[M], priors: &[f32]) -> Option<u32> {
        let at = self.edges.len();
        if moves.len() >= usize::from(LINK) || at + moves.len() > self.cap {
            return None;
        }
        if priors.is_empty() {
            self.edges.extend(moves.iter().map(|&m| Edge::new(m, 0.0)));
        } else {
            let both = moves.iter().zip(priors);
            self.edges.extend(both.map(|(&m, &prior)| Edge::new(m, prior)));
        }
        Some(at as u32)
    }

    /// Records the result below an edge; a loss for its `chooser` is never chosen again.
    #[inline(always)]
    pub fn prove(&mut self, edge: u32, payoff: [f32; N], chooser: Option<usize>) {
        let e = &mut self.edges[edge as usize];
        e.len |= PROVEN;
        if chooser.is_some_and(|seat| payoff[seat] <= 0.0) {
            e.sum = f32::NEG_INFINITY;
        }
        self.payoff[edge as usize] = payoff;
    }

    /// Keeps what is below `root` (a run of `heads` entries), moved to the front in its old order, and
    /// frees the rest. Returns the new index of the root. Takes time in proportion to what is kept, plus
    /// a bit per edge of the pool.
    pub fn compact(&mut self, root: u32, heads: usize) -> u32 {
        let words = self.edges.len().div_ceil(64);
        self.marks[..words].fill(0);
        self.mark(root as usize, heads);
        // Children lie behind their parents, except where an open-loop run has moved: then again.
        while self.mark_below(words) {}
        let mut rank = 0;
        for w in 0..words {
            self.ranks[w] = rank;
            rank += self.marks[w].count_ones();
        }
        for w in 0..words {
            let mut left = self.marks[w];
            while left != 0 {
                let i = w * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                self.slide(i);
            }
        }
        self.edges.truncate(rank as usize);
        self.rank(root)
    }

    /// Moves entry `i` to its new place and translates what it points at.
    fn slide(&mut self, i: usize) {
        let to = self.rank(i as u32) as usize;
        let mut e = self.edges[i];
        if e.len & !PROVEN == LINK {
            // Heads and links hold indices in other fields, see `joint`.
            if e.first != NONE {
                e.first = self.rank(e.first);
            }
            let next = e.sum.to_bits();
            if next != NONE {
                e.sum = f32::from_bits(self.rank(next));
            }
        } else if !e.is_empty() {
            e.first = self.rank(e.first);
        }
        self.edges[to] = e;
        if !self.payoff.is_empty() && e.proven() {
            self.payoff[to] = self.payoff[i];
        }
        if !self.available.is_empty() {
            self.available[to] = self.available[i];
        }
        if !self.heuristic.is_empty() {
            self.heuristic[to] = self.heuristic[i];
        }
    }

    fn rank(&self, i: u32) -> u32 {
        let (w, b) = (i as usize / 64, i % 64);
        self.ranks[w] + (self.marks[w] & !(u64::MAX << b)).count_ones()
    }

    fn marked(&self, i: usize) -> bool {
        self.marks[i / 64] >> (i % 64) & 1 != 0
    }

    fn mark(&mut self, first: usize, count: usize) {
        for i in first..first + count {
            self.marks[i / 64] |= 1 << (i % 64);
        }
    }

    /// Marks the children of all marked entries; true if some lie before their parent.
    fn mark_below(&mut self, words: usize) -> bool {
        let mut again = false;
        for w in 0..words {
            let mut done = 0u64;
            loop {
                // Marks may appear in this very word, behind the entry just looked at.
                let left = self.marks[w] & !done;
                if left == 0 {
                    break;
                }
                let bit = left & left.wrapping_neg();
                done |= bit;
                let i = w * 64 + bit.trailing_zeros() as usize;
                let e = self.edges[i];
                if e.len & !PROVEN == LINK {
                    let mut child = e.first;
                    while child != NONE {
                        again |= (child as usize) < i && !self.marked(child as usize);
                        self.mark(child as usize, N + 1);
                        child = self.edges[child as usize + N].sum.to_bits();
                    }
                } else if !e.is_empty() && !self.marked(e.first as usize) {
                    again |= (e.first as usize) < i;
                    self.mark(e.first as usize, self.room(e.len()));
                }
            }
        }
        again
    }
}
