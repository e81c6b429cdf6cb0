//! What match points say about strength: score, Elo with a 95 % interval, LOS, pentanomial counts.
//!
//! The unit is the group of games on one seed (a pair with two seats), whose mean score in 0..=1 is one
//! sample: games of a group share their luck and are not independent.

use serde::Serialize;

/// Half width of a 95 % interval in standard errors.
const Z95: f64 = 1.959_963_985;

/// Group scores of one bot against another, in the order of the groups.
#[derive(Clone, Debug, Default)]
pub struct Samples(pub Vec<f64>);

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

impl Samples {
    /// Mean.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
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

    /// Score with its interval. Equal samples would claim no doubt at all: the variance is taken as if one
    /// more group had gone the other way.
    pub fn score(&self) -> Estimate {
        let n = self.0.len() as f64;
        let mean = self.mean();
        let variance = if self.variance() > 0.0 {
            self.variance()
        } else {
            let other = if mean > 0.5 { 0.0 } else { 1.0 };
            (mean - other).powi(2) * n / (n + 1.0).powi(2)
        };
        let half = Z95 * (variance / n.max(1.0)).sqrt();
        Estimate {
            value: mean,
            low: (mean - half).max(0.0),
            high: (mean + half).min(1.0),
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
        let n = self.0.len();
        if n == 0 {
            return 0.5;
        }
        let score = self.score();
        let error = (score.high - score.value).max(score.value - score.low) / Z95;
        if error == 0.0 {
            return 0.5;
        }
        normal_cdf((score.value - 0.5) / error)
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
    pub fn normalised_elo(&self, games_in_group: usize) -> f64 {
        let deviation = (self.variance() * games_in_group as f64).sqrt();
        if deviation == 0.0 {
            return 0.0;
        }
        (self.mean() - 0.5) / deviation * 800.0 / std::f64::consts::LN_10
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

/// The normal distribution function (Abramowitz and Stegun 7.1.26; error below 1.5e-7).
pub fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let poly = t
        * (0.254_829_592
            + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let erf = 1.0 - poly * (-z * z).exp();
    if x >= 0.0 {
        (1.0 + erf) / 2.0
    } else {
        (1.0 - erf) / 2.0
    }
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:+.1} [{:+.1}, {:+.1}]", self.value, self.low, self.high)
    }
}

/// Mean of independent numbers and half the width of its 95 % interval; 0 for both of none.
pub fn mean_interval(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::{Samples, elo, normal_cdf};

    #[test]
    fn known_values() {
        assert!((elo(0.75) - 190.848).abs() < 0.01);
        assert!((normal_cdf(1.96) - 0.975).abs() < 1e-4);
        assert!((normal_cdf(-1.0) - 0.158_655).abs() < 1e-5);
    }

    #[test]
    fn pairs_are_the_unit() {
        // Ten pairs 1.5 points, ten pairs 1 point: mean 0.625 with deviation 0.125 a pair.
        let samples = Samples([[0.75; 10], [0.5; 10]].concat());
        assert_eq!(samples.pentanomial(), [0, 0, 10, 10, 0]);
        let score = samples.score();
        assert!((score.value - 0.625).abs() < 1e-12);
        let half = 1.96 * (0.25f64.powi(2) / 4.0 * 20.0 / 19.0 / 20.0).sqrt();
        assert!((score.high - 0.625 - half).abs() < 1e-5, "{score:?}");
        assert!(samples.los() > 0.999);
        assert!(
            (samples.normalised_elo(2) - 0.125 / (samples.variance() * 2.0).sqrt() * 347.435).abs() < 0.01
        );
    }

    #[test]
    fn a_clean_sweep_is_not_certain() {
        let samples = Samples(vec![1.0; 10]);
        let elo = samples.elo();
        assert!(
            elo.value.is_infinite() && elo.low > 0.0 && elo.low < 800.0,
            "{elo:?}"
        );
        assert!(samples.los() > 0.99 && samples.los() < 1.0);
        assert_eq!(Samples::default().los(), 0.5);
    }
}
