//! MAST: what a key's playouts came to on the average, so that playouts learn where they are while a search runs.
//!
//! After Finnsson and Björnsson, Simulation-Based Approach to General Game Playing (2008), with two changes: an average
//! is drawn to nothing while few playouts speak for it, and part of it is kept from search to search. A key is
//! whatever a game's playouts do often enough, as a terrain on a square. Units are those of the results handed in.
//!
//! Not here: how a playout uses what was learned.

/// Playouts over which the mean of all results is taken, at most.
const WINDOW: f32 = 300.0;

/// Averages by key, as differences from the mean result.
#[derive(Clone, Debug)]
pub struct Averages<const K: usize> {
    mean: f32,
    count: f32,
    sums: [f32; K],
    seen: [f32; K],
}

impl<const K: usize> Averages<K> {
    /// Nothing learned.
    pub const NONE: Self = Self {
        mean: 0.0,
        count: 0.0,
        sums: [0.0; K],
        seen: [0.0; K],
    };

    /// Before a search from another root: of what was learned a share is kept.
    pub fn fade(&mut self, share: f32) {
        self.count = 0.0;
        for (sum, seen) in self.sums.iter_mut().zip(&mut self.seen) {
            *sum *= share;
            *seen *= share;
        }
    }

    /// A playout's result, as its difference from the mean of late.
    #[inline(always)]
    pub fn surprise(&mut self, result: f32) -> f32 {
        self.count = (self.count + 1.0).min(WINDOW);
        self.mean += (result - self.mean) / self.count;
        result - self.mean
    }

    /// Counts a key's part in a playout with that [`Averages::surprise`]. The key's average, of which half is believed
    /// after `doubt` playouts.
    #[inline(always)]
    pub fn note(&mut self, key: usize, surprise: f32, doubt: f32) -> f32 {
        self.sums[key] += surprise;
        self.seen[key] += 1.0;
        self.sums[key] / (self.seen[key] + doubt)
    }
}

#[cfg(test)]
mod tests {
    use super::Averages;
    use crate::kit::rng::Rng;

    #[test]
    fn a_key_that_pays_is_told_from_one_that_costs() {
        let (mut averages, mut rng) = (Averages::<3>::NONE, Rng::new(1));
        let mut told = [0.0; 3];
        for _ in 0..20_000 {
            let key = rng.below(3) as usize;
            let luck = 40.0 * rng.unit() - 20.0;
            let surprise = averages.surprise(100.0 + luck + [3.0, 0.0, -3.0][key]);
            told[key] = averages.note(key, surprise, 10.0);
        }
        assert!(
            (told[0] - 3.0).abs() < 1.0 && told[1].abs() < 1.0 && (told[2] + 3.0).abs() < 1.0,
            "{told:?}"
        );
    }

    #[test]
    fn few_playouts_are_doubted_and_old_ones_fade() {
        let mut averages = Averages::<1>::NONE;
        assert_eq!(averages.note(0, 8.0, 1.0), 4.0);
        assert_eq!(averages.note(0, 8.0, 2.0), 4.0);
        averages.fade(0.5);
        // 8 of one playout, and -8.
        assert_eq!(averages.note(0, -8.0, 0.0), 0.0);
        // The mean starts anew, too: the first result is no surprise.
        assert_eq!(averages.surprise(50.0), 0.0);
    }
}
