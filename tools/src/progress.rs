//! How far a long run is, on stderr: a bar in a terminal, elsewhere a line every ten seconds or hundred games (of what
//! goes faster than games: every ten seconds).

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(10);
/// Games between two lines, whatever the clock says.
const GAMES: u64 = 100;
/// Between two texts of the bar: some take longer to work out than a game.
const TEXT: Duration = Duration::from_millis(200);

/// A run that is counted in games, or in what [`Progress::in_units`] says.
pub struct Progress {
    what: String,
    unit: &'static str,
    every: u64,
    total: u64,
    bar: ProgressBar,
    lines: bool,
    start: (u64, Instant),
    shown: (u64, Instant),
}

impl Progress {
    /// Of `total` games `done` are there already.
    pub fn new(what: &str, total: u64, done: u64) -> Self {
        let lines = !std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg} ETA {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        bar.set_prefix(what.to_owned());
        bar.set_position(done);
        bar.reset_eta();
        if !lines {
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        let now = Instant::now();
        Self {
            what: what.to_owned(),
            unit: "games",
            every: GAMES,
            total,
            bar,
            lines,
            start: (done, now),
            shown: (done, now),
        }
    }

    /// Counts something else, of which there are too many for a line each hundred.
    #[must_use]
    pub fn in_units(mut self, unit: &'static str) -> Self {
        (self.unit, self.every) = (unit, u64::MAX);
        self
    }

    /// `done` games are there now; `text` says how it stands, where that is shown.
    pub fn at(&mut self, done: u64, text: impl FnOnce() -> String) {
        let (count, when) = self.shown;
        if !self.lines {
            self.bar.set_position(done);
            if when.elapsed() >= TEXT || count == self.start.0 {
                self.bar.set_message(text());
                self.shown = (done, Instant::now());
            }
        } else if done >= count.saturating_add(self.every) || when.elapsed() >= EVERY {
            eprintln!("{}: {}", self.line(done), text());
            self.shown = (done, Instant::now());
        }
    }

    fn line(&self, done: u64) -> String {
        let (before, since) = self.start;
        let left = since.elapsed().as_secs_f64() * self.total.saturating_sub(done) as f64
            / done.saturating_sub(before).max(1) as f64;
        format!(
            "{}: {done} of {} {}, {left:.0} s left",
            self.what, self.total, self.unit
        )
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
