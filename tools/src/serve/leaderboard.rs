//! How every bot does in the games that a filter leaves.

use super::filter::Filter;
use super::index::Index;
use anyhow::Result;
use rusqlite::params_from_iter;
use serde::Serialize;

/// How a bot does in what a filter leaves.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// Its name.
    pub bot: String,
    /// Seats played.
    pub games: i64,
    /// Mean match points.
    pub points: f64,
    /// Ends of their 95 % interval, games taken as independent.
    pub low: f64,
    /// The upper one.
    pub high: f64,
    /// Mean score.
    pub score: f64,
    /// Mean margin.
    pub margin: f64,
    /// Faults.
    pub faults: i64,
    /// Answers over the limit.
    pub late: i64,
    /// Slowest answer, milliseconds.
    pub slowest: f64,
}

impl Filter {
    /// All bots of the games that fit, best first. Every seat that fits counts.
    pub fn leaderboard(&self, index: &Index) -> Result<Vec<Place>> {
        let mut w = self.conditions(index)?;
        w.and("1", []);
        let sql = format!(
            "SELECT b.name, count(*), avg(s.points), avg(s.points*s.points), avg(s.score), avg(s.margin),
                    count(s.fault), sum(s.late), max(s.slowest)
             FROM look_seat s JOIN look_game g ON g.game=s.game JOIN look_bot b ON b.id=s.bot
             WHERE {} GROUP BY s.bot ORDER BY 3 DESC, 2 DESC",
            w.sql
        );
        let mut query = index.db.prepare_cached(&sql)?;
        let rows = query.query_map(params_from_iter(&w.values), |row| {
            let (games, points, squares): (i64, f64, f64) = (row.get(1)?, row.get(2)?, row.get(3)?);
            let (low, high) = interval(games as f64, points, squares);
            Ok(Place {
                bot: row.get(0)?,
                games,
                points,
                low,
                high,
                score: row.get(4)?,
                margin: row.get(5)?,
                faults: row.get(6)?,
                late: row.get(7)?,
                slowest: row.get(8)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Ends of the 95 % interval of a mean of match points: Wilson's, on the number of wins and losses of that mean that
/// scatter as these points do.
pub fn interval(games: f64, mean: f64, squares: f64) -> (f64, f64) {
    let scatter = (squares - mean * mean).max(0.0);
    let coin = mean * (1.0 - mean);
    let worth = games.max(1.0)
        * if scatter > 0.0 {
            (coin / scatter).max(1.0)
        } else {
            1.0
        };
    let square = 1.96 * 1.96 / worth;
    let middle = (mean + square / 2.0) / (1.0 + square);
    let half = (square * (coin + square / 4.0)).sqrt() / (1.0 + square);
    ((middle - half).clamp(0.0, mean), (middle + half).clamp(mean, 1.0))
}

#[cfg(test)]
mod tests {
    use super::interval;

    #[test]
    fn twelve_lost_games_are_no_certainty() {
        let (low, high) = interval(12.0, 0.0, 0.0);
        assert_eq!(low, 0.0);
        assert!((0.2..0.3).contains(&high), "{high}");
        // Draws scatter less than wins and losses of the same mean.
        let (low, high) = interval(100.0, 0.5, 0.25 + 0.05);
        let (wide, _) = interval(100.0, 0.5, 0.5);
        assert!(wide < low && low < 0.5 && high > 0.5);
    }
}
