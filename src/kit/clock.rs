//! How long a bot may think: budgets and deadlines.
//!
//! Wall time only ([`std::time::Instant`]); the contests measure wall time on one core.

use std::time::{Duration, Instant};

/// What one answer may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Wall time: for the first answer, and for each later one.
    Time {
        /// From the first line of the first request.
        first: Duration,
        /// From the first line of every later request.
        later: Duration,
    },
    /// Search iterations (or nodes, where a search counts those) per answer: reproducible.
    Work(u64),
}

impl Budget {
    /// `FIFTY_ITERATIONS=n` in the environment asks for fixed work, with `ms` behind it for another clock; otherwise
    /// these milliseconds.
    pub fn from_env(first_ms: u64, later_ms: u64) -> Self {
        let asked = std::env::var("FIFTY_ITERATIONS").unwrap_or_default();
        let (number, clock) = match asked.strip_suffix("ms") {
            Some(number) => (number, true),
            None => (&asked[..], false),
        };
        match number.parse() {
            Ok(ms) if clock => Self::millis(ms, ms),
            Ok(n) => Self::Work(n),
            Err(_) => Self::millis(first_ms, later_ms),
        }
    }

    /// Wall time in milliseconds.
    pub const fn millis(first: u64, later: u64) -> Self {
        Self::Time {
            first: Duration::from_millis(first),
            later: Duration::from_millis(later),
        }
    }
}

/// The clock of one bot: started by the first line of a request, stopped by the answer.
#[derive(Clone, Debug)]
pub struct Clock {
    budget: Budget,
    started: Instant,
    answers: u32,
}

impl Clock {
    /// A clock that has not seen a request yet.
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            started: Instant::now(),
            answers: 0,
        }
    }

    /// From the next answer on another budget; answers already given still count as given.
    pub fn set(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Call when the first line of a request has been read.
    pub fn start(&mut self) {
        self.started = Instant::now();
    }

    /// Call when the answer has been written.
    pub fn stop(&mut self) {
        self.answers += 1;
    }

    /// The limit of the answer being worked out now.
    pub fn limit(&self) -> Limit {
        match self.budget {
            Budget::Work(work) => Limit { until: None, work },
            Budget::Time { first, later } => {
                let span = if self.answers == 0 { first } else { later };
                Limit {
                    until: Some(self.started + span),
                    work: u64::MAX,
                }
            }
        }
    }
}

/// When a search has to stop. Both ends hold: whichever comes first.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Wall time, or none.
    pub until: Option<Instant>,
    /// Iterations or nodes; `u64::MAX` for no bound.
    pub work: u64,
}

impl Limit {
    /// Fixed work, no clock.
    pub const fn work(work: u64) -> Self {
        Self { until: None, work }
    }

    /// Wall time from now.
    pub fn after(span: Duration) -> Self {
        Self {
            until: Some(Instant::now() + span),
            work: u64::MAX,
        }
    }

    /// True when `done` units of work are enough or the time is up. Reads the clock (about 4 to 40 ns):
    /// poll every 16 iterations or more.
    #[inline]
    pub fn reached(&self, done: u64) -> bool {
        done >= self.work || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// A part of what is left, and the rest: the whole time, and the other part of the work. More than 100 per cent is
    /// all of it.
    pub fn split(self, per_cent: u64) -> (Self, Self) {
        let per_cent = per_cent.min(100);
        let until = |left: Duration| Instant::now() + left.mul_f64(per_cent as f64 / 100.0);
        let part = Self {
            until: self.left().map(until),
            work: if self.work == u64::MAX {
                u64::MAX
            } else {
                // In two parts: the product of any work and a per cent may be beyond 64 bits.
                self.work / 100 * per_cent + self.work % 100 * per_cent / 100
            },
        };
        let rest = if self.work == u64::MAX {
            u64::MAX
        } else {
            self.work - part.work
        };
        (part, Self { work: rest, ..self })
    }

    /// What is left of the time; `None` without a clock.
    pub fn left(&self) -> Option<Duration> {
        self.until
            .map(|until| until.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Clock, Limit};
    use std::time::Duration;

    #[test]
    fn first_answer_has_its_own_limit() {
        let mut clock = Clock::new(Budget::millis(1000, 50));
        clock.start();
        assert!(clock.limit().left().unwrap() > Duration::from_millis(500));
        clock.stop();
        clock.start();
        assert!(clock.limit().left().unwrap() <= Duration::from_millis(50));
        assert_eq!(clock.answers, 1);
    }

    #[test]
    fn work_is_counted_without_a_clock() {
        let limit = Limit::work(10);
        assert!(!limit.reached(9) && limit.reached(10) && limit.left().is_none());
    }

    #[test]
    fn a_part_is_at_most_the_whole() {
        let works = |work, per_cent| {
            let (part, rest) = Limit::work(work).split(per_cent);
            (part.work, rest.work)
        };
        assert_eq!(works(1_050, 10), (105, 945));
        assert_eq!(works(50, u64::MAX), (50, 0));
        let huge = u64::MAX - 1;
        assert_eq!(works(huge, 50), (huge / 2, huge / 2));
        let (part, _) = Limit::after(Duration::from_secs(9)).split(u64::MAX);
        assert!(part.left().unwrap() < Duration::from_secs(10));
    }
}
