//! The alpha-beta family for four players: what the tree search is measured against. The searches of
//! `super::family` with the bot's network at the leaves and its tables for the order and choice of
//! moves, best ones only.

use super::family::{Family, Others};
use super::view::{Opinions, ROOT_WIDTH, View};
use fifty::games::slime::moves::Move;
use fifty::games::slime::state::State;
use fifty::kit::clock::Limit;
use std::sync::Arc;
use std::time::Duration;

/// For one answer unless the name says otherwise: what the bot takes.
const THINK: Duration = Duration::from_millis(80);
/// The names: each alone, or with the milliseconds of an answer, as `paranoid-5ms`.
const NAMES: [(&str, Others); 3] = [
    ("maxn", Others::Themselves),
    ("paranoid", Others::Paranoid),
    ("best-reply", Others::BestReply),
];

/// A search of the family.
pub struct Rival {
    search: Family,
    opinions: Arc<Opinions>,
    think: Duration,
}

impl Rival {
    /// By name; a rival has no memory between moves.
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().find_map(|&(kin, others)| {
            let think = match name.strip_prefix(kin)? {
                "" => THINK,
                rest => Duration::from_millis(rest.strip_prefix('-')?.strip_suffix("ms")?.parse().ok()?),
            };
            Some(Self {
                search: Family::new(others, ROOT_WIDTH),
                opinions: Opinions::learned(),
                think,
            })
        })
    }

    /// The move of the seat on turn of a game that is not over.
    pub fn best(&mut self, state: &State) -> Move {
        let view = View::new(state, self.opinions.clone());
        let found = self.search.search(&view, Limit::after(self.think));
        found.best.unwrap_or(Move::PASS)
    }
}
