//! How busy the machine was while we measured, and when it stood still: one thread a core that only sleeps.
//!
//! A bot with 50 ms loses when it waits for a core; a verdict from a busy machine says so, and an answer is not
//! called late for time in which nothing ran at all (a virtual machine taken off its host, for example). A bot
//! that computes too long cannot look like that: a thread that wakes up gets its core within a few
//! milliseconds from one that computes.
//!
//! Not here: what follows from it for an answer; `runner` decides that.

use super::sys;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const NAP: Duration = Duration::from_millis(2);
/// A wake-up this late would have cost a 50 ms bot a tenth of its time; only this counts as standing still.
const BAD: Duration = Duration::from_millis(5);
/// Share of bad wake-ups from which on verdicts are marked.
const TOO_MANY: f64 = 0.01;
/// Standstills kept for each core; older ones lie before any answer still being judged.
const KEPT: usize = 256;

/// From when to when a core let its sleeper wait.
type Standstill = (Instant, Instant);

/// The standstills of one core, newest last.
type Core = Mutex<VecDeque<Standstill>>;

/// Watches every core this process may use.
pub struct LoadMonitor {
    stop: Arc<AtomicBool>,
    cores: Arc<Vec<Core>>,
    threads: Vec<JoinHandle<Busy>>,
}

/// What the samples say.
#[derive(Clone, Copy, Debug, Default, Serialize)]
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
    fn with(self, other: Self) -> Self {
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
        let allowed = sys::allowed_cores();
        let cores: Arc<Vec<Core>> = Arc::new(allowed.iter().map(|_| Core::default()).collect());
        let threads = allowed
            .into_iter()
            .enumerate()
            .map(|(n, core)| {
                let (stop, cores) = (stop.clone(), cores.clone());
                std::thread::spawn(move || {
                    sys::stay_on(core);
                    sample(&stop, &cores[n])
                })
            })
            .collect();
        Self { stop, cores, threads }
    }

    /// For how long one core stood still between two moments: the longest of all cores, since where a bot ran
    /// is not known. Waits a little, so that a standstill that ends only now is told too.
    pub fn standstill(&self, from: Instant, to: Instant) -> Duration {
        std::thread::sleep(2 * NAP);
        let core = |core: &Core| overlap(&core.lock().unwrap_or_else(PoisonError::into_inner), from, to);
        self.cores.iter().map(core).max().unwrap_or_default()
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
fn sample(stop: &AtomicBool, core: &Core) -> Busy {
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
            let mut list = core.lock().unwrap_or_else(PoisonError::into_inner);
            if list.len() == KEPT {
                list.pop_front();
            }
            list.push_back((due, woke));
        }
    }
    busy.bad_share = bad as f64 / busy.samples.max(1) as f64;
    busy.worst_ms = worst.as_secs_f64() * 1e3;
    busy
}

/// The part of the standstills between two moments.
fn overlap(list: &VecDeque<Standstill>, from: Instant, to: Instant) -> Duration {
    let part = |&(since, until): &Standstill| until.min(to).saturating_duration_since(since.max(from));
    list.iter().map(part).sum()
}

/// Cores this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

#[cfg(test)]
mod tests {
    use super::{Busy, overlap};
    use std::time::{Duration, Instant};

    #[test]
    fn only_what_lies_between_counts() {
        let zero = Instant::now();
        let at = |ms: u64| zero + Duration::from_millis(ms);
        let list = [(at(10), at(30)), (at(50), at(60)), (at(90), at(120))].into();
        let ms = |from, to| overlap(&list, at(from), at(to)).as_millis();
        assert_eq!(ms(0, 200), 60);
        assert_eq!(ms(20, 55), 15);
        assert_eq!(ms(30, 50), 0);
        assert_eq!(ms(100, 110), 10);
    }

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
