//! What live connections still yield when both seats go on disrupting and nobody builds.
//!
//! A handful of turns played on regions and connections alone: each turn both seats hit the region that
//! costs the other one most for the hits it still takes, and what runs through an inked region is gone.
//! Values are points of the planning seat minus the other's.

use super::map::{Map, MAX_WISHES};
use super::state::State;
use crate::kit::bits::Bits;

/// Live connections and what each region is worth, ready to be hit.
///
/// Two columns of one length: an `ArrayVec` of pairs in their place took 1.1 % more instructions in all
/// (`cargo fifty bench rails --instructions`) and 7,000 more characters of the bundle, beyond its 60,000.
#[derive(Clone, Copy)]
pub struct Race {
    /// Regions each live connection runs through, as far as they can be hit.
    runs: [u64; MAX_WISHES],
    /// What it pays `me` more than the other seat.
    pays: [f32; MAX_WISHES],
    count: usize,
    /// What all connections through a region pay.
    nets: [f32; 64],
    /// Hits until it is inked.
    left: [u8; 64],
    /// Income of all.
    income: f32,
}

impl Race {
    /// The connections of a board.
    #[inline(always)]
    pub fn new(map: &Map, state: &State, me: usize) -> Self {
        let mut race = Self {
            runs: [0; MAX_WISHES],
            pays: [0.0; MAX_WISHES],
            count: 0,
            nets: [0.0; 64],
            left: [1; 64],
            income: 0.0,
        };
        let immune = map.immune_regions();
        for link in &state.links[..map.wishes.len()] {
            let net = f32::from(link.pays[me]) - f32::from(link.pays[1 - me]);
            if net == 0.0 {
                continue;
            }
            let runs = link.regions & !immune;
            race.runs[race.count] = runs;
            race.pays[race.count] = net;
            race.count += 1;
            race.income += net;
            for region in Bits(runs) {
                race.nets[region as usize] += net;
            }
        }
        for (left, &hits) in race.left.iter_mut().zip(&state.instability) {
            *left = map.rules.ink_threshold.saturating_sub(hits).max(1);
        }
        race
    }

    /// One hit more.
    #[inline(always)]
    fn hit(&mut self, region: usize) {
        self.left[region] -= 1;
        if self.left[region] > 0 {
            return;
        }
        self.left[region] = 1;
        let mut i = 0;
        while i < self.count {
            if self.runs[i] >> region & 1 == 0 {
                i += 1;
                continue;
            }
            for other in Bits(self.runs[i]) {
                self.nets[other as usize] -= self.pays[i];
            }
            self.income -= self.pays[i];
            self.count -= 1;
            self.runs[i] = self.runs[self.count];
            self.pays[i] = self.pays[self.count];
        }
    }

    /// Points of `turns` more turns, after one hit on `first` (64: none).
    #[inline(always)]
    pub fn run(mut self, first: u8, turns: usize) -> f32 {
        if first < 64 {
            self.hit(usize::from(first));
        }
        let mut sum = 0.0;
        for turn in 0..turns {
            if self.count == 0 {
                break;
            }
            // The best region of the other seat, and of me.
            let mut best = [(0.0f32, 64usize); 2];
            let mut open = 0u64;
            for runs in &self.runs[..self.count] {
                open |= runs;
            }
            if open == 0 {
                // Nobody can touch what is left.
                return sum + self.income * (turns - turn) as f32;
            }
            for region in Bits(open) {
                let region = region as usize;
                let value = self.nets[region] / f32::from(self.left[region]);
                if value > best[0].0 {
                    best[0] = (value, region);
                }
                if -value > best[1].0 {
                    best[1] = (-value, region);
                }
            }
            for (_, region) in best {
                if region < 64 {
                    self.hit(region);
                }
            }
            sum += self.income;
        }
        sum
    }
}
