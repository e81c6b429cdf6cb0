//! What match points say about strength: score, Elo with a 95 % interval, LOS, pentanomial counts.
//!
//! The unit is the group of games on one seed (a pair with two seats), whose mean score in 0..=1 is one
//! sample: games of a group share their luck and are not independent.
//!
//! Pairs of wins, draws and losses are few and lumpy, and the normal interval around their mean is too short
//! near 0 and 1. They are told by Wilson's interval on the number of independent games they are worth, as
//! surveys in clusters are (Kish's design effect; Franco, Little, Louis and Slud 2019 compare such forms).
//! `coverage.rs` has the table of what it covers. Groups of any other scores have a t interval.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Group scores of one bot against another, in the order of the groups.
///
/// Some may be repeats: the same games once more. They count for the score, since bots that draw lots repeat
/// themselves by chance, but the doubt is that of as many groups as are different: bots that do the same
/// whatever the seed say no more in a hundred games than in one.
#[derive(Clone, Debug, Default)]
pub struct Samples(pub Vec<f64>, Vec<bool>);

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Best guess.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// What the ratio of [`worth`] is where nothing tells it, all games won or lost: between one game a pair and
/// two.
const PRIOR_RATIO: f64 = 0.75;
/// Weight of that, as a sum of squares: that of a pair in ten that is 1 instead of 0.
const PRIOR_WEIGHT: f64 = 0.1;

/// How many independent wins and losses `samples` are worth: their count over the ratio of their variance to
/// that of a coin of the same mean. Of groups that repeat others only as many are counted as are different.
fn worth(samples: &Samples) -> f64 {
    let n = samples.different() as f64;
    let mean = samples.mean();
    let squares: f64 = samples.0.iter().map(|x| (x - mean).powi(2)).sum();
    let squares = squares * samples.fresh();
    n * (n * mean * (1.0 - mean) + PRIOR_WEIGHT) / (squares + PRIOR_RATIO * PRIOR_WEIGHT)
}

/// The same number for one pairing of a league; its samples are pairs.
pub fn worth_of_pairs(samples: &Samples) -> f64 {
    if samples.0.is_empty() { 0.0 } else { worth(samples) }
}

/// Student's t at 97.5 %: half the width of a 95 % interval in standard errors.
pub fn t95(freedom: f64) -> f64 {
    students(freedom).inverse_cdf(0.975)
}

fn students(freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).expect("a scale of one")
}

impl Samples {
    /// Groups that are all different.
    pub fn new(scores: Vec<f64>) -> Self {
        Self(scores, Vec::new())
    }

    /// Groups of which some repeat earlier ones.
    pub fn with_repeats(scores: Vec<f64>, repeats: Vec<bool>) -> Self {
        Self(scores, repeats)
    }

    /// The first `n`.
    #[must_use]
    pub fn head(&self, n: usize) -> Self {
        let mut head = self.clone();
        head.0.truncate(n);
        head.1.truncate(n);
        head
    }

    /// Groups that are no repeats.
    pub fn different(&self) -> usize {
        self.0.len() - self.1.iter().filter(|repeat| **repeat).count()
    }

    /// The part of the evidence that is not there twice.
    pub fn fresh(&self) -> f64 {
        self.different() as f64 / self.0.len().max(1) as f64
    }

    /// Mean; one half of none.
    pub fn mean(&self) -> f64 {
        if self.0.is_empty() {
            return 0.5;
        }
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// Variance of one sample; with one sample too few to tell, that of a coin.
    pub fn variance(&self) -> f64 {
        let n = self.0.len();
        if n < 2 {
            return 0.25;
        }
        let mean = self.mean();
        self.0.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1) as f64
    }

    /// True where every sample can be a pair of wins, draws and losses.
    fn pairs(&self) -> bool {
        self.0.iter().all(|x| (x * 4.0).fract() == 0.0)
    }

    /// Degrees of freedom of the doubt. The ratio of [`worth`] leans on the mean as well as on the scatter and
    /// is known better than a scatter alone: by as much as from twice the pairs (measured, `coverage.rs`).
    fn freedom(&self) -> f64 {
        (self.different() as f64 - 1.0) * if self.pairs() { 2.0 } else { 1.0 }
    }

    /// Score with its interval.
    pub fn score(&self) -> Estimate {
        let n = self.different() as f64;
        let mean = self.mean();
        if self.0.is_empty() {
            return Estimate {
                value: mean,
                low: 0.0,
                high: 1.0,
            };
        }
        let t = t95(self.freedom());
        let (middle, half) = if self.pairs() {
            let square = t * t / worth(self);
            let spread = mean * (1.0 - mean) + square / 4.0;
            (
                (mean + square / 2.0) / (1.0 + square),
                (square * spread).sqrt() / (1.0 + square),
            )
        } else {
            (mean, t * (self.variance() / n).sqrt())
        };
        Estimate {
            value: mean,
            // Rounding must not put the mean itself outside.
            low: (middle - half).clamp(0.0, mean),
            high: (middle + half).clamp(mean, 1.0),
        }
    }

    /// Elo difference with its interval.
    pub fn elo(&self) -> Estimate {
        let score = self.score();
        Estimate {
            value: elo(score.value),
            low: elo(score.low),
            high: elo(score.high),
        }
    }

    /// Likelihood of superiority: the chance that the true score is above one half.
    pub fn los(&self) -> f64 {
        let n = self.different();
        if n == 0 {
            return 0.5;
        }
        let error = if self.pairs() {
            (0.25 / worth(self)).sqrt()
        } else {
            (self.variance() / n as f64).sqrt()
        };
        let over = self.mean() - 0.5;
        if over == 0.0 {
            return 0.5;
        }
        students(self.freedom()).cdf(over / error)
    }

    /// How many pairs scored 0, 1/2, 1, 3/2, 2 points.
    pub fn pentanomial(&self) -> [u32; 5] {
        let mut counts = [0; 5];
        for score in &self.0 {
            counts[((score * 4.0).round() as usize).min(4)] += 1;
        }
        counts
    }

    /// Normalised Elo of one game: the distance from even in standard deviations, on Elo's scale. The
    /// deviation of a game is that of a group's mean times the root of the games in it.
    ///
    /// Pairs that all ended alike have no deviation of their own: theirs is what the interval takes for it
    /// (see `worth`), less with every pair.
    pub fn normalised_elo(&self, games_in_group: usize) -> f64 {
        let over = self.mean() - 0.5;
        if over == 0.0 {
            return 0.0;
        }
        let variance = match self.different() {
            // Too few to tell: that of a coin.
            0 | 1 => 0.25,
            n if self.pairs() => self.variance() + PRIOR_RATIO * PRIOR_WEIGHT / (n - 1) as f64,
            _ => self.variance(),
        };
        let deviation = (variance * games_in_group as f64).sqrt();
        over / deviation * 800.0 / std::f64::consts::LN_10
    }
}

/// A number with its sign and so many digits; what rounds to nothing has a plus.
pub fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| "0.".contains(c)) => format!("+{rest}"),
        _ => text,
    }
}

/// Logistic Elo of a score; scores of 0 and 1 are infinite.
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [value, low, high] = [self.value, self.low, self.high].map(|number| signed(number, 1));
        write!(f, "{value} [{low}, {high}]")
    }
}

/// Mean of independent numbers and half the width of its 95 % interval; 0 for both of none.
pub fn mean_interval(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, t95(n - 1.0) * (variance / n).sqrt())
}

#[cfg(test)]
#[path = "coverage.rs"]
mod coverage;

#[cfg(test)]
mod tests {
    use super::{Samples, elo, signed, t95};

    #[test]
    fn known_values() {
        assert!((elo(0.75) - 190.848).abs() < 0.01);
        // Tables of Student's t: 9 and 49 degrees of freedom.
        assert!((t95(9.0) - 2.262).abs() < 1e-3 && (t95(49.0) - 2.010).abs() < 1e-3);
    }

    #[test]
    fn pairs_are_the_unit() {
        // Ten pairs 1.5 points, ten pairs 1 point: mean 0.625 with deviation 0.125 a pair.
        let samples = Samples::new([[0.75; 10], [0.5; 10]].concat());
        assert_eq!(samples.pentanomial(), [0, 0, 10, 10, 0]);
        let score = samples.score();
        assert!((score.value - 0.625).abs() < 1e-12);
        let normal = 1.96 * (0.125f64.powi(2) / 20.0).sqrt();
        let half = (score.high - score.low) / 2.0;
        assert!(half > normal && half < 1.3 * normal, "{score:?}");
        assert!(samples.los() > 0.999);
        let variance = samples.variance() + 0.75 * 0.1 / 19.0;
        assert!((samples.normalised_elo(2) - 0.125 / (variance * 2.0).sqrt() * 347.435).abs() < 0.01);
    }

    /// Groups without a deviation of their own are told in the order of their Elo, with its sign.
    #[test]
    fn a_sweep_is_not_even_in_normalised_elo() {
        let of = |pairs: &[(f64, usize)]| {
            let pairs = pairs.iter().map(|&(score, n)| vec![score; n]);
            Samples::new(pairs.collect::<Vec<_>>().concat()).normalised_elo(2)
        };
        let rising = [
            of(&[(0.0, 40)]),
            of(&[(0.0, 20)]),
            of(&[(0.0, 19), (0.25, 1)]),
            of(&[(0.25, 20)]),
            of(&[(0.5, 20)]),
            of(&[(0.75, 20)]),
            of(&[(1.0, 19), (0.75, 1)]),
            of(&[(1.0, 20)]),
            of(&[(1.0, 40)]),
        ];
        assert!(rising.is_sorted_by(|a, b| a < b), "{rising:?}");
        assert!(rising.iter().all(|elo| elo.is_finite()) && rising[4] == 0.0);
        // Shares of a score have no prior: theirs is without end, as their Elo is.
        assert_eq!(Samples::new(vec![0.625; 20]).normalised_elo(4), f64::INFINITY);
    }

    /// The same pair again and again is one pair, of which nothing else is known.
    #[test]
    fn repeats_are_no_evidence() {
        let scores = [[1.0; 25], [0.5; 25]].concat();
        let alone = Samples::new(vec![1.0, 0.5]);
        let repeats = (0..50).map(|n| n % 25 != 0).collect();
        let often = Samples::with_repeats(scores.clone(), repeats);
        assert_eq!((often.different(), often.mean()), (2, 0.75));
        let width = |samples: &Samples| samples.score().high - samples.score().low;
        assert!((width(&often) / width(&alone) - 1.0).abs() < 1e-9, "{often:?}");
        let same = |n: usize| Samples::with_repeats(vec![0.25; n], (0..n).map(|k| k > 0).collect());
        assert_eq!(same(1).elo(), same(60).elo());
        assert_eq!(same(1).normalised_elo(2), same(60).normalised_elo(2));
        assert!(width(&Samples::new(scores)) < 0.4 * width(&often));
        assert!(often.los() < 0.9 && often.head(25).different() == 1);
    }

    #[test]
    fn nothing_has_a_plus() {
        assert_eq!(signed(-0.04, 1), "+0.0");
        assert_eq!(signed(-0.0, 0), "+0");
        assert_eq!(signed(-0.06, 1), "-0.1");
        assert_eq!(signed(f64::NEG_INFINITY, 1), "-inf");
        assert_eq!(signed(2.5, 1), "+2.5");
    }

    /// Where the map decides both games of a pair, a pair is one game.
    #[test]
    fn pairs_won_whole_are_single_games() {
        let score = Samples::new([vec![1.0; 30], vec![0.0; 20]].concat()).score();
        let wilson = (0.462, 0.724);
        assert!(
            (score.low - wilson.0).abs() < 0.01 && (score.high - wilson.1).abs() < 0.01,
            "{score:?}"
        );
    }

    #[test]
    fn a_clean_sweep_is_not_certain() {
        let samples = Samples::new(vec![1.0; 10]);
        let elo = samples.elo();
        assert!(
            elo.value.is_infinite() && elo.low > 0.0 && elo.low < 800.0,
            "{elo:?}"
        );
        assert!(samples.los() > 0.99 && samples.los() < 1.0);
        assert_eq!(Samples::default().los(), 0.5);
        let none = Samples::default().score();
        assert_eq!((none.low, none.high), (0.0, 1.0));
    }
}
