//! All pairs of a run read again: which numbers matter, which way, and how sure that is.
//!
//! Model: the result of a pair is `sum_i signs_i · (g_i - h_i · (x_i - mean_i))` plus noise: `g` is the
//! slope of the strength along number `i` at the middle of the walk and `h` its fall with `x` (curvature).
//! Least squares; intervals from the residual variance. Units: match points a pair (-1 to 1) per step of
//! perturbation. What it cannot see: interactions between numbers.

use anyhow::{Context, bail};
use nalgebra::{DMatrix, DVector};

/// One played pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Middle point, in steps.
    pub x: Vec<f64>,
    /// Which side of it the upper point took, per number.
    pub signs: Vec<i8>,
    /// -1 to 1 for the upper point.
    pub result: f64,
}

/// What the pairs say about one number.
#[derive(Clone, Debug)]
pub struct Weight {
    /// Mean of the middle points, in steps.
    pub mean: f64,
    /// Slope there, and half width of its 95 % interval.
    pub slope: (f64, f64),
    /// Fall of the slope per step, and half width of its 95 % interval.
    pub curve: (f64, f64),
    /// Where the slope is zero, in steps, with both ends of its 95 % interval (Fieller's); none where the pairs
    /// do not show a top.
    pub top: Option<(f64, f64, f64)>,
    /// Probability of slope and curve as large as these if the number had no influence.
    pub chance: f64,
}

/// Fieller's interval of a ratio `g / h` of two estimates with variances `a` and `c` and covariance `b`: all ratios
/// that the estimates do not refute at 95 %. None where that is no interval, or the slope does not fall.
fn ratio(g: f64, h: f64, (a, b, c): (f64, f64, f64)) -> Option<(f64, f64, f64)> {
    let t = 1.96f64.powi(2);
    let (square, middle, rest) = (h * h - t * c, g * h - t * b, g * g - t * a);
    if h <= 0.0 || square <= 0.0 {
        return None;
    }
    let half = (middle * middle - square * rest).max(0.0).sqrt() / square;
    Some((g / h, middle / square - half, middle / square + half))
}

impl Weight {
    /// True where chance alone explains the numbers poorly (less than 1 in 100: several numbers are tested).
    pub fn matters(&self) -> bool {
        self.chance < 0.01
    }

    /// Where the fitted slope is zero, in steps; none where the fit shows no top.
    pub fn optimum(&self) -> Option<f64> {
        (self.curve.0 > self.curve.1).then(|| self.mean + self.slope.0 / self.curve.0)
    }
}

/// Fits all numbers at once. Errors: too few pairs for the count of numbers.
pub fn refit(pairs: &[Pair]) -> anyhow::Result<Vec<Weight>> {
    let n = pairs.first().map_or(0, |p| p.x.len());
    let k = 2 * n;
    if pairs.len() < 2 * k || n == 0 {
        bail!(
            "{} pairs are too few for {n} numbers: {} at least",
            pairs.len(),
            2 * k
        );
    }
    let mean: Vec<f64> = (0..n)
        .map(|i| pairs.iter().map(|p| p.x[i]).sum::<f64>() / pairs.len() as f64)
        .collect();
    let row = |p: &Pair| {
        let sign = |i: usize| f64::from(p.signs[i]);
        let curved = (0..n).map(|i| -sign(i) * (p.x[i] - mean[i]));
        DVector::from_iterator(k, (0..n).map(sign).chain(curved))
    };
    // A number that never moved has no curve to fit; the ridge keeps the matrix regular.
    let mut normal = DMatrix::identity(k, k) * 1e-6;
    let mut right = DVector::zeros(k);
    for p in pairs {
        let f = row(p);
        right.axpy(p.result, &f, 1.0);
        normal.ger(1.0, &f, &f, 1.0);
    }
    let inverse = normal
        .try_inverse()
        .context("the pairs do not determine the numbers")?;
    let fit = &inverse * right;
    let rest: f64 = pairs.iter().map(|p| (p.result - row(p).dot(&fit)).powi(2)).sum();
    let variance = rest / (pairs.len() - k) as f64;
    Ok((0..n)
        .map(|i| {
            let half = |a: usize| 1.96 * (variance * inverse[(a, a)]).max(0.0).sqrt();
            let (g, h) = (fit[i], fit[n + i]);
            // Wald statistic of both coefficients, chi-square with two degrees of freedom.
            let (a, b, c) = (inverse[(i, i)], inverse[(i, n + i)], inverse[(n + i, n + i)]);
            let det = (a * c - b * b).max(f64::MIN_POSITIVE);
            let of = |x: f64| x * variance;
            let top = ratio(g, h, (of(a), of(b), of(c)));
            let wald = (c * g * g - 2.0 * b * g * h + a * h * h) / (det * variance);
            Weight {
                mean: mean[i],
                slope: (g, half(i)),
                curve: (h, half(n + i)),
                top: top.map(|(x, low, high)| (mean[i] + x, mean[i] + low, mean[i] + high)),
                chance: (-wald / 2.0).exp(),
            }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::ratio;

    /// Well known estimates: the interval is that of the delta method; unknown ones: none.
    #[test]
    fn tops_have_honest_intervals() {
        let (x, low, high) = ratio(0.2, 0.1, (1e-6, 0.0, 1e-6)).unwrap();
        let delta = 1.96 * (1e-6f64 + 4.0 * 1e-6).sqrt() / 0.1;
        assert!((x - 2.0).abs() < 1e-12 && (high - low - 2.0 * delta).abs() < 0.01 * delta);
        // The further from zero, the more the doubt about the curve stretches it to that side.
        let (x, low, high) = ratio(0.2, 0.1, (1e-6, 0.0, 1e-3)).unwrap();
        assert!(high - x > 1.5 * (x - low));
        assert_eq!(ratio(0.2, 0.1, (1e-6, 0.0, 1e-2)), None);
        assert_eq!(ratio(0.2, -0.1, (1e-6, 0.0, 1e-6)), None);
    }
}
