//! Who sits where on which seed.
//!
//! Two seats: each seed is played once in each seating. Four seats: every distinct arrangement of two bots
//! (six), rotations of more. All seatings of one seed form a group, the unit of the statistics.

use serde::{Deserialize, Serialize};

/// One game to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// Place in the run, from 0.
    pub index: usize,
    /// Group of games on the same seed, from 0.
    pub group: usize,
    /// Decides everything random.
    pub seed: u64,
    /// Which bot (by index) sits in each seat.
    pub seating: Vec<usize>,
}

impl Game {
    /// A game outside any run.
    pub fn single(seed: u64, seating: Vec<usize>) -> Self {
        Self {
            index: 0,
            group: 0,
            seed,
            seating,
        }
    }

    /// The first bot in one seat, the second in all others.
    pub fn one_against_rest(seed: u64, seats: usize, seat: usize) -> Self {
        Self::single(seed, (0..seats).map(|s| usize::from(s != seat)).collect())
    }
}

/// All seatings of one seed for the bots `who` (indices).
pub fn seatings(who: &[usize], seats: usize, every: bool) -> Vec<Vec<usize>> {
    // Fewer bots than seats: each fills several; one too few for four: each takes its turn to sit twice.
    let lineups: Vec<Vec<usize>> = if who.is_empty() {
        Vec::new()
    } else if seats % who.len() == 0 {
        vec![(0..seats).map(|s| who[s % who.len()]).collect()]
    } else if who.len() < seats {
        who.iter()
            .map(|&extra| who.iter().copied().chain([extra]).cycle().take(seats).collect())
            .collect()
    } else {
        vec![who[..seats].to_vec()]
    };
    let mut all: Vec<Vec<usize>> = Vec::new();
    for lineup in lineups {
        let arrangements = if every || who.len() == 2 {
            permutations(&lineup)
        } else {
            (0..seats)
                .map(|r| (0..seats).map(|s| lineup[(s + r) % seats]).collect())
                .collect()
        };
        for arrangement in arrangements {
            if !all.contains(&arrangement) {
                all.push(arrangement);
            }
        }
    }
    all
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (n, &first) in items.iter().enumerate() {
        if items[..n].contains(&first) {
            continue;
        }
        let mut rest = items.to_vec();
        rest.remove(n);
        for mut tail in permutations(&rest) {
            tail.insert(0, first);
            all.push(tail);
        }
    }
    all
}

/// `count` games: the groups of `seatings` on the seeds, in order; the last group may be cut short.
pub fn schedule(seatings: &[Vec<usize>], seeds: &[u64], count: usize) -> Vec<Game> {
    seeds
        .iter()
        .enumerate()
        .flat_map(|(group, &seed)| seatings.iter().map(move |seating| (group, seed, seating)))
        .take(count)
        .enumerate()
        .map(|(index, (group, seed, seating))| Game {
            index,
            group,
            seed,
            seating: seating.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{schedule, seatings};

    #[test]
    fn every_seed_is_played_in_all_seatings() {
        assert_eq!(seatings(&[0, 1], 2, false), [[0, 1], [1, 0]]);
        assert_eq!(seatings(&[0, 1], 4, false).len(), 6);
        assert_eq!(
            seatings(&[0, 1, 2, 3], 4, false),
            [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
        );
        assert_eq!(seatings(&[0, 1, 2, 3], 4, true).len(), 24);
        // Three bots on four seats: each sits in every seat equally often.
        let three = seatings(&[0, 1, 2], 4, false);
        for bot in 0..3 {
            for seat in 0..4 {
                assert_eq!(three.iter().filter(|s| s[seat] == bot).count(), three.len() / 3);
            }
        }
        assert_eq!(seatings(&[5], 2, false), [[5, 5]]);
    }

    #[test]
    fn groups_share_their_seed() {
        let games = schedule(&seatings(&[0, 1], 2, false), &[7, 8, 9], 5);
        assert_eq!(games.len(), 5);
        assert_eq!(
            games.iter().map(|g| (g.group, g.seed)).collect::<Vec<_>>(),
            [(0, 7), (0, 7), (1, 8), (1, 8), (2, 9)]
        );
        assert_eq!(games[3].seating, [1, 0]);
    }
}
