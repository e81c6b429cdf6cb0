//! Numbers of the command line that have an end: what is none, too little or too much is refused before anything is
//! done, with what was expected.

use anyhow::{Context, Result, ensure};

/// Most games of a run: each is held in memory, whether it was played or not.
pub const MOST_GAMES: usize = 1_000_000;

fn whole(text: &str, most: usize) -> Result<usize> {
    let number = text.parse().ok().filter(|n| (1..=most).contains(n));
    number.with_context(|| format!("expected a whole number from 1 to {most}"))
}

/// Games of a run.
pub fn games(text: &str) -> Result<usize> {
    whole(text, MOST_GAMES)
}

/// Games at once.
pub fn jobs(text: &str) -> Result<usize> {
    whole(text, 4096)
}

/// Slices of a plan, pairs of a batch, and what else there must be one of.
pub fn count(text: &str) -> Result<usize> {
    whole(text, MOST_GAMES)
}

/// A number that is one.
pub fn finite(text: &str) -> Result<f64> {
    let number = text.parse().ok().filter(|n: &f64| n.is_finite());
    number.context("expected a number")
}

/// A length, a rate.
pub fn above_zero(text: &str) -> Result<f64> {
    let number = finite(text)?;
    ensure!(number > 0.0, "expected a number above 0");
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::{above_zero, finite, games};

    #[test]
    fn numbers_without_sense_are_refused() {
        assert_eq!(games("1000000").unwrap(), 1_000_000);
        for text in ["0", "-1", "1000001", "18446744073709551615", "1e3", ""] {
            let error = games(text).unwrap_err().to_string();
            assert_eq!(error, "expected a whole number from 1 to 1000000", "{text}");
        }
        assert_eq!(finite("-2.5").unwrap(), -2.5);
        for text in ["nan", "inf", "-inf", "1e999", "x"] {
            assert!(finite(text).is_err() && above_zero(text).is_err(), "{text}");
        }
        assert!(above_zero("0").is_err() && above_zero("0.1").is_ok());
    }
}
