//! How busy the machine was while we measured: one thread a core that only sleeps.
//!
//! A bot with 50 ms loses when it waits for a core, and a verdict from a busy machine says so. Not here: whether one
//! answer was late by the bot's own doing; `witness` looks at the bot itself for that.

use super::sys;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const NAP: Duration = Duration::from_millis(2);
/// A wake-up this late would have cost a 50 ms bot a tenth of its time.
const BAD: Duration = Duration::from_millis(5);
/// Share of bad wake-ups from which on verdicts are marked.
const TOO_MANY: f64 = 0.01;
/// Watches every core this process may use.
pub struct LoadMonitor {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<Busy>>,
}

/// What the samples say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Busy {
    /// Wake-ups measured.
    pub samples: u64,
    /// Share of them that came more than 5 ms late.
    pub bad_share: f64,
    /// The latest, in milliseconds.
    pub worst_ms: f64,
}

impl Busy {
    /// True where timed results should not be trusted.
    pub fn unreliable(&self) -> bool {
        self.bad_share > TOO_MANY
    }

    /// Both samples as one.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let samples = self.samples + other.samples;
        let bad = self.bad_share * self.samples as f64 + other.bad_share * other.samples as f64;
        Self {
            samples,
            bad_share: bad / samples.max(1) as f64,
            worst_ms: self.worst_ms.max(other.worst_ms),
        }
    }
}

impl std::fmt::Display for Busy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "scheduling delay: {:.2} % of wake-ups over 5 ms late, worst {:.1} ms",
            self.bad_share * 100.0,
            self.worst_ms
        )
    }
}

impl LoadMonitor {
    /// Starts sampling: one thread a core.
    pub fn start() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let threads = sys::allowed_cores()
            .into_iter()
            .map(|core| {
                let stop = stop.clone();
                std::thread::spawn(move || {
                    sys::stay_on(core);
                    sample(&stop)
                })
            })
            .collect();
        Self { stop, threads }
    }

    /// Ends sampling.
    pub fn stop(self) -> Busy {
        self.stop.store(true, Ordering::Relaxed);
        self.threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_default())
            .fold(Busy::default(), Busy::with)
    }
}

/// One thread's work.
fn sample(stop: &AtomicBool) -> Busy {
    let mut busy = Busy::default();
    let mut bad = 0u64;
    let mut worst = Duration::ZERO;
    while !stop.load(Ordering::Relaxed) {
        let due = Instant::now() + NAP;
        std::thread::sleep(NAP);
        let woke = Instant::now();
        let late = woke.saturating_duration_since(due);
        busy.samples += 1;
        worst = worst.max(late);
        if late > BAD {
            bad += 1;
        }
    }
    busy.bad_share = bad as f64 / busy.samples.max(1) as f64;
    busy.worst_ms = worst.as_secs_f64() * 1e3;
    busy
}

/// Cores this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

#[cfg(test)]
mod tests {
    use super::Busy;

    #[test]
    fn cores_are_weighed_by_their_samples() {
        let a = Busy {
            samples: 300,
            bad_share: 0.01,
            worst_ms: 7.0,
        };
        let b = Busy {
            samples: 100,
            bad_share: 0.05,
            worst_ms: 6.0,
        };
        let both = a.with(b);
        assert_eq!((both.samples, both.worst_ms), (400, 7.0));
        assert!((both.bad_share - 0.02).abs() < 1e-12);
    }
}
