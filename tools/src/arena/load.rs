//! How busy the machine was while we measured: the delay of a thread that only sleeps.
//!
//! A bot with 50 ms loses when it waits for a core; a verdict from a busy machine says so.

use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const NAP: Duration = Duration::from_millis(4);
/// A wake-up this late would have cost a 50 ms bot a tenth of its time.
const BAD: Duration = Duration::from_millis(5);
/// Share of bad wake-ups from which on verdicts are marked.
const TOO_MANY: f64 = 0.01;

/// Samples wake-up delays in a thread of its own.
pub struct LoadMonitor {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Busy>,
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
    /// Starts sampling.
    pub fn start() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut busy = Busy::default();
            let mut bad = 0u64;
            let mut worst = Duration::ZERO;
            while !flag.load(Ordering::Relaxed) {
                let before = Instant::now();
                std::thread::sleep(NAP);
                let late = before.elapsed().saturating_sub(NAP);
                busy.samples += 1;
                bad += u64::from(late > BAD);
                worst = worst.max(late);
            }
            busy.bad_share = bad as f64 / busy.samples.max(1) as f64;
            busy.worst_ms = worst.as_secs_f64() * 1e3;
            busy
        });
        Self { stop, thread }
    }

    /// Ends sampling.
    pub fn stop(self) -> Busy {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_default()
    }
}

/// Cores this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}
