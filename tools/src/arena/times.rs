//! Answer times of one bot: the slowest and the percentiles.

use serde::Serialize;

/// Answer times in milliseconds, in the order of the answers.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f32>);

/// What tables show of [`Times`]; milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize, PartialEq)]
pub struct Summary {
    /// How many answers.
    pub answers: usize,
    /// Longest.
    pub slowest: f32,
    /// Half of the answers took at most this long.
    pub p50: f32,
    /// 99 of 100.
    pub p99: f32,
    /// 999 of 1000.
    pub p999: f32,
}

impl Times {
    /// True before the first answer.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds one answer.
    pub fn push(&mut self, ms: f32) {
        self.0.push(ms);
    }

    /// Each answer to a thousandth of a millisecond, in order.
    pub fn rounded(&self) -> Vec<f32> {
        self.0.iter().map(|ms| (ms * 1e3).round() / 1e3).collect()
    }

    /// The numbers of the tables; zeros without answers.
    pub fn summary(&self) -> Summary {
        let mut sorted = self.0.clone();
        sorted.sort_by(f32::total_cmp);
        // Nearest rank: the smallest value that enough answers do not exceed.
        let at = |share: f64| {
            let rank = (share * sorted.len() as f64).ceil() as usize;
            sorted.get(rank.max(1) - 1).copied().unwrap_or_default()
        };
        Summary {
            answers: sorted.len(),
            slowest: sorted.last().copied().unwrap_or_default(),
            p50: at(0.5),
            p99: at(0.99),
            p999: at(0.999),
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "slowest {:.1} ms, p50 {:.1}, p99 {:.1}, p99.9 {:.1}",
            self.slowest, self.p50, self.p99, self.p999
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Times;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let mut times = Times::default();
        assert_eq!(times.summary().p99, 0.0);
        for ms in (1..=1000).rev() {
            times.push(ms as f32);
        }
        let s = times.summary();
        assert_eq!(
            (s.answers, s.slowest, s.p50, s.p99, s.p999),
            (1000, 1000.0, 500.0, 990.0, 999.0)
        );
    }
}
