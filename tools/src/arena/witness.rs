//! Watches one bot while its clock runs, by what the kernel keeps of its threads, to tell afterwards what of an
//! answer's time was its own (see `excuse`).
//!
//! A look costs a few reads of open files for each thread and is taken when the question goes out, every few
//! milliseconds while the answer is awaited, at the limit, twice a millisecond after it, and with the answer.
//! What cannot be seen (too many threads, files that may not be read) is not credited. Not here: the rule.

use super::excuse::Account;
use super::guard::is_watcher;
use super::roles::SEAL_FILTERS;
use super::sys;
use nix::sys::signal::Signal;
use procfs::FromRead;
use procfs::process::{Io, Schedstat, Stat};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Threads of one bot beyond which it is not watched.
const MOST: usize = 64;
/// Between two looks after the limit, and while the bot is stopped.
const CLOSE: Duration = Duration::from_micros(500);
/// CPU time between two looks that is more than noise of the counters.
const RAN: Duration = Duration::from_micros(50);
/// Answers with the same work that make a bot one that has no clock.
const USUAL: usize = 3;
/// Stopped time for which an answer is waited beyond its limit, at most.
const STOPPED: Duration = Duration::from_secs(5);

/// Bots that run now, to tell an orphan of theirs from them.
static ROOTS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// The open files of one thread.
struct Files {
    stat: File,
    schedstat: File,
    status: File,
    io: Option<File>,
    wchan: Option<File>,
}

impl Files {
    fn open(process: u32, thread: u32) -> Option<Self> {
        let open = |name: &str| File::open(format!("/proc/{process}/task/{thread}/{name}"));
        Some(Self {
            stat: open("stat").ok()?,
            schedstat: open("schedstat").ok()?,
            status: open("status").ok()?,
            io: open("io").ok(),
            wchan: open("wchan").ok(),
        })
    }
}

/// What the kernel has counted for one thread.
#[derive(Clone, Debug, Default)]
struct Counters {
    own: Duration,
    waited: Duration,
    /// Times it got a core.
    slices: u64,
    /// Times it left one of its own accord: to sleep, to wait for something, to stop.
    left: u64,
    wrote: u64,
    state: char,
    /// Stopped by a signal, or frozen.
    stalled: bool,
    /// Its niceness, or a thousand where its policy is not the ordinary one.
    nice: i64,
    cores: Vec<usize>,
    /// Page faults of the children that its process has waited for: every child has some. None where children leave no
    /// trace, their end being ignored.
    reaped: Option<u64>,
}

impl Counters {
    fn asleep(&self) -> bool {
        !matches!(self.state, 'R')
    }
}

/// All of one bot at one moment.
#[derive(Clone, Debug)]
struct Look {
    at: Instant,
    cpu: Duration,
    threads: BTreeMap<u32, Counters>,
    stalled: bool,
}

impl Look {
    fn slices(&self) -> u64 {
        self.threads.values().map(|t| t.slices).sum()
    }

    /// A number that grows with every child that has ended; none where that is not known.
    fn reaped(&self, files: &BTreeMap<u32, (u32, Files)>) -> Option<u64> {
        let faults: BTreeMap<u32, Option<u64>> = (self.threads.iter())
            .filter_map(|(thread, t)| Some((files.get(thread)?.0, t.reaped)))
            .collect();
        faults.into_values().sum()
    }
}

/// Watches one bot.
pub struct Witness {
    root: u32,
    /// The bot's own first process: the root, or in a place the child of its init, once it is known.
    own: Option<u32>,
    /// Its process begins with the question, and ends with the answer.
    one_shot: bool,
    files: BTreeMap<u32, (u32, Files)>,
    whole: bool,
    sealed: bool,
    cores: Vec<usize>,
    scheduling: Vec<String>,
    looks: Vec<Look>,
    awake: BTreeSet<u32>,
    limit: Instant,
    step: Duration,
    stalled: Duration,
    /// CPU time of its answers under the present limit, this one not yet, and how long they took.
    usual: Vec<(Duration, Duration)>,
    /// How long the last answer took.
    took: Duration,
    allowed: Duration,
}

impl Witness {
    /// For the bot whose first process is `root`, or, `placed`, a child of its child. `pins`: its command line itself binds it to cores.
    pub fn new(root: u32, placed: bool, one_shot: bool, pins: bool) -> Self {
        ROOTS.lock().unwrap_or_else(PoisonError::into_inner).insert(root);
        let now = Instant::now();
        Self {
            root,
            own: (!placed).then_some(root),
            one_shot,
            files: BTreeMap::new(),
            whole: false,
            sealed: false,
            cores: if pins { Vec::new() } else { sys::cores_of(0) },
            scheduling: Vec::new(),
            looks: Vec::new(),
            awake: BTreeSet::new(),
            limit: now,
            step: CLOSE,
            stalled: Duration::ZERO,
            usual: Vec::new(),
            took: Duration::MAX,
            allowed: Duration::ZERO,
        }
    }

    /// The question goes out now; the answer is due after `limit`.
    pub fn begin(&mut self, limit: Duration) {
        self.own = self.own.or_else(|| sys::grandchild(self.root));
        // A command that binds it has done so by its first answer.
        if self.cores.is_empty() && !self.looks.is_empty() {
            self.cores = sys::cores_of(self.lead());
        }
        let before = self.looks.first().map(|look| look.cpu);
        self.looks.clear();
        self.awake.clear();
        self.stalled = Duration::ZERO;
        self.find();
        let mut look = self.look();
        if self.allowed != limit {
            self.usual.clear();
            self.allowed = limit;
        } else if let Some(before) = before {
            let took = std::mem::replace(&mut self.took, Duration::MAX);
            self.usual.push((look.cpu.saturating_sub(before), took));
        }
        if self.one_shot {
            // Everything it has done yet it did for this answer.
            look.cpu = Duration::ZERO;
            let none = Counters {
                reaped: Some(0),
                ..Counters::default()
            };
            look.threads = [(self.root, none)].into();
        }
        self.looks.push(look);
        let now = Instant::now();
        self.limit = now + limit;
        self.step = (limit / 10).clamp(Duration::from_millis(2), Duration::from_millis(10));
    }

    /// The bot's own first process; as long as it is not known, whoever makes it.
    fn lead(&self) -> u32 {
        self.own.unwrap_or(self.root)
    }

    /// The question is out: whoever waited for it is awake now. Whoever still sleeps was not waiting for us.
    pub fn told(&mut self) {
        let Some(first) = self.looks.first() else { return };
        for (&thread, (_, files)) in self.files.iter().take(4) {
            let Some(now) = read_counters(thread, files) else {
                continue;
            };
            let before = first.threads.get(&thread).map_or(0, |t| t.slices);
            if !now.asleep() || now.slices > before {
                self.awake.insert(thread);
            }
        }
    }

    /// When the next look is due.
    pub fn due(&self) -> Instant {
        let last = self.looks.last().map_or(self.limit, |look| look.at);
        if last >= self.limit || self.looks.last().is_some_and(|look| look.stalled) {
            last + CLOSE
        } else {
            (last + self.step).min(self.limit)
        }
    }

    /// Takes a look.
    pub fn tick(&mut self) {
        let look = self.look();
        if let Some(last) = self.looks.last() {
            if last.stalled && look.stalled {
                self.stalled += look.at - last.at;
            }
        }
        // Long waits for a first answer are many looks: the oldest say nothing that the newer do not.
        self.looks.push(look);
    }

    /// For how much longer to wait for the answer because the bot was stopped by somebody else.
    pub fn extension(&self) -> Duration {
        if self.sealed {
            self.stalled.min(STOPPED)
        } else {
            Duration::ZERO
        }
    }

    /// The answer came `took` after the question.
    pub fn answered(&mut self, took: Duration) {
        self.took = took;
    }

    /// Of an answer that came `took` after the question, later than its limit.
    pub fn account(&mut self, started: Instant, took: Duration) -> Account {
        let before = self.files.len();
        self.find();
        self.sealed = self.sealed || self.is_sealed();
        let last = self.look();
        let whole = self.whole && self.files.len() >= before.min(1) && self.no_orphans();
        let meddled = self.meddled(&last);
        self.looks.push(last);
        self.weigh(started + took, started, whole, meddled)
    }

    /// The bot's threads, those of its children with them.
    fn find(&mut self) {
        self.whole = true;
        let mut found = BTreeMap::new();
        // Those who stand around a bot in a place of its own do nothing but wait.
        let around = if self.own == Some(self.root) { 0 } else { 2 };
        let mut processes = vec![(self.root, 0)];
        while let Some((process, depth)) = processes.pop() {
            let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
                self.whole &= process != self.root;
                continue;
            };
            for thread in threads.flatten() {
                let Some(thread) = thread.file_name().to_str().and_then(|name| name.parse().ok()) else {
                    continue;
                };
                let children = fs::read_to_string(format!("/proc/{process}/task/{thread}/children"));
                processes.extend(
                    children
                        .unwrap_or_default()
                        .split_ascii_whitespace()
                        .filter_map(|pid| Some((pid.parse::<u32>().ok()?, depth + 1))),
                );
                if depth >= around {
                    found.insert(thread, process);
                }
            }
            if found.len() > MOST {
                self.whole = false;
                break;
            }
        }
        self.files
            .retain(|thread, (process, _)| found.get(thread) == Some(process));
        for (thread, process) in found.into_iter().take(MOST) {
            if let Entry::Vacant(place) = self.files.entry(thread) {
                if let Some(files) = Files::open(process, thread) {
                    place.insert((process, files));
                }
            }
        }
    }

    fn look(&mut self) -> Look {
        let mut threads = BTreeMap::new();
        let mut processes = BTreeSet::new();
        for (&thread, (process, files)) in &self.files {
            if let Some(counters) = read_counters(thread, files) {
                processes.insert(*process);
                threads.insert(thread, counters);
            }
        }
        if !self.sealed {
            self.sealed = self.is_sealed();
        }
        // The first process alone shows a stop of all: it stops and freezes as one.
        let stalled = threads.get(&self.lead()).is_some_and(|t| t.stalled);
        Look {
            at: Instant::now(),
            cpu: processes.into_iter().filter_map(sys::cpu_time).sum(),
            threads,
            stalled,
        }
    }

    fn is_sealed(&self) -> bool {
        let filters = |text: &str| number(text, "Seccomp_filters:");
        let ours = fs::read_to_string("/proc/self/status")
            .ok()
            .and_then(|text| filters(&text));
        let its = self
            .files
            .get(&self.lead())
            .and_then(|(_, files)| filters(&read(&files.status)?));
        ours.zip(its)
            .is_some_and(|(ours, its)| its >= ours + SEAL_FILTERS)
    }

    /// True where no process that this one has for a child now can be an orphan of the bot: it is another bot, or was
    /// there before.
    fn no_orphans(&self) -> bool {
        let roots = ROOTS.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(threads) = fs::read_dir("/proc/self/task") else {
            return false;
        };
        let begun = |pid: u32| {
            let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            Some(Stat::from_read(text.as_bytes()).ok()?.starttime)
        };
        let Some(since) = begun(self.root) else {
            return false;
        };
        threads
            .flatten()
            .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
            .flat_map(|text| {
                text.split_ascii_whitespace()
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
            .filter_map(|pid| pid.parse().ok())
            .all(|pid: u32| {
                roots.contains(&pid) || is_watcher(pid) || begun(pid).is_none_or(|begun| begun < since)
            })
    }

    fn meddled(&mut self, last: &Look) -> bool {
        let own_nice = own_nice();
        // A sealed bot cannot change how it is scheduled, only where.
        let changed = |t: &Counters| {
            (t.nice > own_nice && !self.sealed) || (!t.cores.is_empty() && t.cores.len() < self.cores.len())
        };
        let looks = self.looks.iter().chain([last]);
        let scheduling =
            |name: &str| fs::read_to_string(format!("/proc/{}/{name}", self.lead())).unwrap_or_default();
        let now = vec![scheduling("cgroup"), nice_of_group(&scheduling("autogroup"))];
        let moved = !self.scheduling.is_empty() && self.scheduling != now;
        self.scheduling = now;
        moved || looks.flat_map(|look| look.threads.values()).any(changed)
    }

    fn weigh(&self, answered: Instant, started: Instant, whole: bool, meddled: bool) -> Account {
        let (Some(first), Some(last)) = (self.looks.first(), self.looks.last()) else {
            return Account::default();
        };
        let own = last.cpu.saturating_sub(first.cpu);
        let zero = Counters::default();
        let before = |look: &Look, thread: u32| look.threads.get(&thread).cloned().unwrap_or(zero.clone());
        let active: Vec<u32> = (last.threads.iter())
            .filter(|&(&thread, now)| {
                let then = before(first, thread);
                now.slices > then.slices || now.own > then.own + RAN
            })
            .map(|(&thread, _)| thread)
            .collect();
        let wrote = |thread: &u32| last.threads[thread].wrote > before(first, *thread).wrote;
        let writers: Vec<u32> = active.iter().copied().filter(wrote).collect();
        let sampled = if self.sealed { self.stalled } else { Duration::ZERO };
        // Who answered: the one that wrote, or the only one that did anything.
        let ((&[speaker], _) | (&[], &[speaker])) = (&writers[..], &active[..]) else {
            return Account {
                own,
                away: sampled,
                ..Account::default()
            };
        };
        let (then, now) = (before(first, speaker), &last.threads[&speaker]);
        let waited = now.waited.saturating_sub(then.waited);
        let speaker_own = now.own.saturating_sub(then.own);
        // A wait is counted when it ends: one that was on at the question began before it.
        let from_rest = self.one_shot || first.threads.get(&speaker).is_none_or(Counters::asleep);
        let stops = if self.sealed { self.stops() } else { 0 };
        let took = answered.saturating_duration_since(started);
        let at_rest = u64::from(now.asleep());
        let unbroken = whole
            && active == [speaker]
            && (self.one_shot || self.awake.contains(&speaker))
            && from_rest
            && (self.one_shot || first.threads.contains_key(&speaker))
            && now.left.saturating_sub(then.left) <= at_rest + stops;
        let unheard = self.unheard(last, answered, speaker);
        let (away, taken) = if unbroken {
            // Awake from the question to the answer, and not once at rest by its own will: what it did not run and
            // did not wait for a core was taken from it.
            let idle = took.saturating_sub(own + waited);
            let away = (self.stopped() + unheard).min(idle);
            (away, idle.saturating_sub(away))
        } else {
            ((sampled + unheard).min(took.saturating_sub(own)), Duration::ZERO)
        };
        let slices = now.slices.saturating_sub(then.slices);
        let reaped = last.reaped(&self.files);
        let gives_away = slices >= 8 && speaker_own < Duration::from_micros(300) * slices as u32;
        Account {
            own,
            others: if unbroken {
                Duration::ZERO
            } else {
                own.saturating_sub(speaker_own + RAN)
            },
            waited: waited.min(took.saturating_sub(speaker_own)),
            // A child that is gone did what nobody saw, and a wait beside it may have cost nothing.
            certain: whole && from_rest && reaped.is_some() && reaped == first.reaped(&self.files),
            away,
            taken,
            after: self.after(answered),
            steady: self.steady(own, took, waited),
            meddled: meddled || gives_away,
        }
    }

    fn stops(&self) -> u64 {
        let pairs = self.looks.windows(2);
        pairs.filter(|pair| !pair[0].stalled && pair[1].stalled).count() as u64
    }

    /// For how long it was stopped at most: from the last look before each stop to the first after it, without what it ran.
    fn stopped(&self) -> Duration {
        (self.looks.windows(2))
            .filter(|pair| self.sealed && (pair[0].stalled || pair[1].stalled))
            .map(|pair| (pair[1].at - pair[0].at).saturating_sub(pair[1].cpu.saturating_sub(pair[0].cpu)))
            .sum()
    }

    /// For how long the answer was there before the arena took it: at the last look the speaker ran or waited for a
    /// core, since then it has rested only once, and what it did not run and wait of that time came after its answer.
    fn unheard(&self, last: &Look, answered: Instant, speaker: u32) -> Duration {
        let Some(previous) = self.looks.iter().rev().nth(1) else {
            return Duration::ZERO;
        };
        let (Some(then), Some(now)) = (previous.threads.get(&speaker), last.threads.get(&speaker)) else {
            return Duration::ZERO;
        };
        if then.asleep() || !now.asleep() || now.left != then.left + 1 {
            return Duration::ZERO;
        }
        let busy = last.cpu.saturating_sub(previous.cpu) + now.waited.saturating_sub(then.waited);
        answered
            .saturating_duration_since(previous.at)
            .saturating_sub(busy)
    }

    /// From when the bot was back on a core after its limit to its answer.
    fn after(&self, answered: Instant) -> Duration {
        let late = self.looks.iter().position(|look| look.at >= self.limit);
        let last = &self.looks[self.looks.len() - 1];
        let mut from = late.unwrap_or(self.looks.len() - 1);
        // The look at the limit may itself have come late, after all that is to be seen.
        if from > 0 && (from + 1 == self.looks.len() || self.looks[from].at > self.limit + CLOSE) {
            from -= 1;
        }
        for pair in self.looks[from..].windows(2) {
            let ran = pair[1].cpu.saturating_sub(pair[0].cpu);
            if ran > RAN || pair[1].slices() > pair[0].slices() {
                // Looks lie far apart where the arena had no core either: then what it ran since is all that is known.
                let far = pair[1].at - pair[0].at > 2 * CLOSE;
                return if far && last.slices() <= pair[0].slices() + 3 {
                    last.cpu.saturating_sub(pair[0].cpu)
                } else {
                    answered.saturating_duration_since(pair[0].at)
                };
            }
        }
        Duration::ZERO
    }

    /// True where it used the same CPU time for its last few answers under this limit and for this one, and this one
    /// took longer by what it `waited`, about: who goes by the clock answers at the same time, wait or no wait.
    fn steady(&self, own: Duration, took: Duration, waited: Duration) -> bool {
        let last = &self.usual[self.usual.len().saturating_sub(USUAL)..];
        let shortest = last.iter().map(|(_, took)| *took).min().unwrap_or(Duration::MAX);
        last.len() == USUAL
            && last.iter().all(|(cpu, _)| own.abs_diff(*cpu) <= own / 50)
            && took.saturating_sub(shortest) >= waited / 2
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        ROOTS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.root);
    }
}

/// Reads an open file of `/proc` from its start.
fn read(file: &File) -> Option<String> {
    let mut buffer = [0u8; 4096];
    let n = file.read_at(&mut buffer, 0).ok()?;
    Some(String::from_utf8_lossy(&buffer[..n]).into_owned())
}

/// What stands behind a word of `/proc/…/status`.
fn field<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.lines()
        .find_map(|line| line.strip_prefix(word))
        .map(str::trim)
}

/// The number there.
fn number(text: &str, word: &str) -> Option<u64> {
    field(text, word)?.parse().ok()
}

fn read_counters(thread: u32, files: &Files) -> Option<Counters> {
    let stat = Stat::from_read(read(&files.stat)?.as_bytes()).ok()?;
    let schedstat = Schedstat::from_read(read(&files.schedstat)?.as_bytes()).ok()?;
    let status = read(&files.status)?;
    let left = number(&status, "voluntary_ctxt_switches:")?;
    let io = files
        .io
        .as_ref()
        .and_then(|file| Io::from_read(read(file)?.as_bytes()).ok());
    let place = || files.wchan.as_ref().and_then(read).unwrap_or_default();
    let stalled = match stat.state {
        'T' | 't' => true,
        'S' | 'D' => matches!(
            place().as_str(),
            "get_signal" | "do_freezer_trap" | "__refrigerator"
        ),
        _ => false,
    };
    Some(Counters {
        own: Duration::from_nanos(schedstat.sum_exec_runtime),
        waited: Duration::from_nanos(schedstat.run_delay),
        slices: schedstat.pcount,
        left,
        wrote: io.map_or(0, |io| io.wchar),
        state: stat.state,
        stalled,
        nice: niceness(&stat),
        cores: sys::cores_of(thread),
        reaped: (!ignores_children(&status)).then_some(stat.cminflt + stat.cmajflt),
    })
}

/// True where a process has asked not to hear of its children's end, by its `/proc/…/status`.
fn ignores_children(status: &str) -> bool {
    let mask = field(status, "SigIgn:").and_then(|mask| u64::from_str_radix(mask, 16).ok());
    mask.is_some_and(|mask| mask >> (Signal::SIGCHLD as u32 - 1) & 1 == 1)
}

/// This process' own niceness, as [`Counters::nice`].
fn own_nice() -> i64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    Stat::from_read(text.as_bytes()).map_or(0, |stat| niceness(&stat))
}

/// Niceness, or a thousand for a policy that is not the ordinary one.
fn niceness(stat: &Stat) -> i64 {
    match stat.policy {
        Some(0) | None => stat.nice,
        Some(_) => 1000,
    }
}

/// `/autogroup-7 nice 0`: groups are made for every session, only the niceness is of interest.
fn nice_of_group(text: &str) -> String {
    text.rsplit(' ').next().unwrap_or_default().to_owned()
}
