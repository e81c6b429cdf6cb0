//! Alpha-beta's techniques, each on and off, on any game with a [`Domain`].

use crate::frame::{Pair, Player, Seat, Work};
use crate::toggled::{self, Toggled};
use crate::trees::{plain, Domain};
use fifty::kit::clock::Limit;
use fifty::search::alphabeta::policy::Policy;
use fifty::search::alphabeta::AlphaBeta;
use fifty::search::game::Game;
use fifty::search::mcts::Params;

/// Table of alpha-beta.
pub const ENTRIES: usize = 1 << 16;

struct Deep<D: Domain, const FLIP: u32> {
    search: Option<AlphaBeta<D::Board, Toggled<D::Deep, FLIP>>>,
    entries: usize,
    work: u64,
}

impl<D: Domain, const FLIP: u32> Player<D::State> for Deep<D, FLIP> {
    fn choose(&mut self, state: &D::State, _: usize) -> <D::State as Game<2>>::Move {
        let (policy, mut board) = D::deep(state);
        let entries = self.entries;
        let search = self
            .search
            .get_or_insert_with(|| AlphaBeta::new(Toggled(D::deep(state).0), entries, D::WIDEST));
        search.policy.0 = policy;
        let found = search.search(&mut board, Limit::work(self.work));
        found.best.unwrap_or_else(|| {
            let mut all = Vec::new();
            state.moves(state.to_move(), &mut all);
            all[0]
        })
    }
    fn clear(&mut self) {
        if let Some(search) = &mut self.search {
            search.clear();
        }
    }
}

/// Alpha-beta with the techniques of `FLIP` switched.
pub fn deep<D: Domain, const FLIP: u32>(entries: usize, work: u64) -> Seat<D> {
    Box::new(Deep::<D, FLIP> {
        search: None,
        entries,
        work,
    })
}

/// Alpha-beta with a technique against alpha-beta without it.
fn switched<D: Domain, const FLIP: u32>(on: bool, work: Work) -> Pair<D> {
    let (nodes, base) = (work.of(D::NODES), work.base(D::NODES));
    if on {
        (deep::<D, 0>(ENTRIES, nodes), deep::<D, FLIP>(ENTRIES, base))
    } else {
        (deep::<D, FLIP>(ENTRIES, nodes), deep::<D, 0>(ENTRIES, base))
    }
}

/// Techniques of alpha-beta, each on and off.
pub fn pair<D: Domain>(name: &str, work: Work) -> Option<Pair<D>> {
    let (nodes, base) = (work.of(D::NODES), work.base(D::NODES));
    Some(match name {
        "alpha-beta" => (
            deep::<D, 0>(ENTRIES, nodes),
            plain::<D>(Params::DEFAULT, work.base(D::WORK), 2),
        ),
        "alpha-beta-double" => (deep::<D, 0>(ENTRIES, 2 * base), deep::<D, 0>(ENTRIES, base)),
        "table" => switched::<D, { toggled::TABLE }>(D::Deep::TABLE, work),
        "keep-deep" => switched::<D, { toggled::KEEP_DEEP }>(D::Deep::KEEP_DEEP, work),
        "killers" => switched::<D, { toggled::KILLERS }>(D::Deep::KILLERS, work),
        "history" => switched::<D, { toggled::HISTORY }>(D::Deep::HISTORY, work),
        "reductions" => switched::<D, { toggled::REDUCE }>(D::Deep::REDUCE, work),
        "late-move-cut" => switched::<D, { toggled::WIDTH }>(D::Deep::WIDTH, work),
        "futility" => switched::<D, { toggled::FUTILITY }>(D::Deep::FUTILITY, work),
        "null-move" => switched::<D, { toggled::NULL_MOVE }>(D::Deep::NULL_MOVE, work),
        "blind" => switched::<D, { toggled::BLIND }>(D::Deep::BLIND, work),
        "staged" => switched::<D, { toggled::STAGED }>(D::Deep::STAGED, work),
        "root-order" => switched::<D, { toggled::ROOT_ORDER }>(D::Deep::ROOT_ORDER, work),
        "aspiration" => switched::<D, { toggled::ASPIRATION }>(D::Deep::ASPIRATION, work),
        "scout" => switched::<D, { toggled::SCOUT }>(D::Deep::SCOUT, work),
        _ => return None,
    })
}
