//! What being watched costs a run: its CPU time, its games a second, and the clocks of its bots. Measured in pairs, watched
//! and not in turn, and printed.
//!
//! The clocks are told by bots that look at the kernel's counters themselves: what an answer ran, what it waited for a core,
//! how far over its time it came back, how much it searched. On a busy machine all of it is noisy; the server's own CPU
//! time is not.

use super::check::Server;
use super::load::{cpu, get};
use crate::arena::store::Store;
use crate::show::think;
use anyhow::{Context, Result, bail};
use fifty::games::wondev::bot::Bot;
use fifty::games::wondev::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::Budget;
use nix::time::{ClockId, clock_gettime};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Milliseconds an answer of the bots whose clocks are looked at.
const CLOCK: u64 = 20;
/// Games of fixed work for one at the clock, which takes about as long as ten.
const SHORTER: usize = 10;

/// What a browser does that has a run's page open: hears the news and fetches the page anew, until told to stop.
fn watch(address: &str, run: i64, over: &AtomicBool) -> Result<usize> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    write!(stream, "GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n")?;
    let mut lines = BufReader::new(stream);
    let (mut looks, mut line) = (0, String::new());
    while !over.load(Ordering::Relaxed) {
        match lines.read_line(&mut line) {
            Ok(0) => break,
            Ok(_) if line.contains("news") => {
                looks += usize::from(get(address, &format!("/run/{run}")).is_ok());
                line.clear();
            }
            Ok(_) => line.clear(),
            Err(e)
                if matches!(
                    e.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) => {}
            Err(e) => return Err(e.into()),
        }
    }
    Ok(looks)
}

/// What one run cost.
struct Cost {
    wall: f64,
    cpu: f64,
}

/// Plays a match into a results file.
fn play(path: &Path, bots: [&str; 2], games: usize) -> Result<Cost> {
    let of_children = || {
        let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN);
        usage.map_or(0.0, |u| {
            let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6;
            seconds(u.user_time()) + seconds(u.system_time())
        })
    };
    let (begun, before) = (Instant::now(), of_children());
    let status = Command::new(std::env::current_exe()?)
        .args(["play", "wondev", "--bot", bots[0], "--bot", bots[1], "--games"])
        .arg(games.to_string())
        .arg("--results")
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if !status.success() {
        bail!("the match could not be played: {status}");
    }
    Ok(Cost {
        wall: begun.elapsed().as_secs_f64(),
        cpu: of_children() - before,
    })
}

/// The same, with somebody at the run's page; the server's CPU seconds and how often the page was fetched.
fn play_watched(path: &Path, bots: [&str; 2], games: usize) -> Result<(Cost, f64, usize)> {
    let server = Server::start(path)?;
    let over = Arc::new(AtomicBool::new(false));
    let watcher = {
        let (address, over) = (server.address.clone(), over.clone());
        std::thread::spawn(move || watch(&address, 1, &over))
    };
    let before = cpu(server.pid());
    let cost = play(path, bots, games);
    let used = cpu(server.pid()) - before;
    over.store(true, Ordering::Relaxed);
    let looks = watcher.join().ok().context("the watcher fell")??;
    Ok((cost?, used, looks))
}

/// CPU time of this thread, and how long it was ready and waited for a core; zero where the kernel does not count it.
fn counted() -> (Duration, Duration) {
    let own = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let waited = text.split_whitespace().nth(1).and_then(|w| w.parse().ok());
    (own, Duration::from_nanos(waited.unwrap_or_default()))
}

/// Sits at a seat of wondev over stdin and stdout, and adds to what it says of an answer what it cost: `own` and `wait`,
/// in milliseconds.
pub fn seat(ms: u64) -> Result<()> {
    let mut bot = Bot::new(Budget::millis(ms, ms), Weights::DEFAULT, 0);
    let (mut input, mut out) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut answer = Vec::new();
    loop {
        answer.clear();
        // Nothing is counted while it sleeps over its input.
        let before = counted();
        let more = bot.turn(&mut input, &mut answer)?;
        let after = counted();
        let millis = |a: Duration, b: Duration| b.saturating_sub(a).as_secs_f64() * 1e3;
        let cost = format!(
            " own={:.3} wait={:.3} pv=",
            millis(before.0, after.0),
            millis(before.1, after.1)
        );
        let said = String::from_utf8_lossy(&bot.said()).replacen(" pv=", &cost, 1);
        std::io::stderr().write_all(said.as_bytes())?;
        out.write_all(&answer)?;
        out.flush()?;
        if !more {
            return Ok(());
        }
    }
}

/// What the answers at a clock came to: each list in milliseconds but the last.
#[derive(Default)]
struct Clocks {
    own: Vec<f64>,
    wait: Vec<f64>,
    over: Vec<f64>,
    nodes: Vec<f64>,
}

/// The value that a share of the sorted list does not exceed.
fn at(list: &[f64], share: f64) -> f64 {
    let rank = (share * list.len() as f64).ceil() as usize;
    list.get(rank.max(1) - 1).copied().unwrap_or_default()
}

impl Clocks {
    /// Reads what the bots of the only run in a file said.
    fn read(path: &Path) -> Result<Self> {
        let store = Store::read(path)?;
        let run = store.runs()?.last().map_or(0, |run| run.id);
        let mut clocks = Self::default();
        for id in store.ids(run)?.values() {
            let trace = store.trace(*id)?;
            for e in trace.answers() {
                let word = |name: &str| {
                    let words = e.stderr.split_whitespace();
                    words
                        .rev()
                        .find_map(|w| w.strip_prefix(name)?.parse::<f64>().ok())
                };
                let (Some(own), Some(wait)) = (word("own="), word("wait=")) else {
                    continue;
                };
                // An answer that was given before its time, the search having found the end, says nothing of clocks.
                if own + wait < CLOCK as f64 * 0.9 {
                    continue;
                }
                clocks.own.push(own);
                clocks.wait.push(wait);
                clocks.over.push(e.micros as f64 / 1e3 - CLOCK as f64);
                let nodes = think::parse(&e.stderr).and_then(|t| t.nodes);
                clocks.nodes.push(nodes.unwrap_or_default() as f64);
            }
        }
        Ok(clocks)
    }

    fn add(&mut self, other: Self) {
        self.own.extend(other.own);
        self.wait.extend(other.wait);
        self.over.extend(other.over);
        self.nodes.extend(other.nodes);
    }

    fn sort(&mut self) {
        for list in [&mut self.own, &mut self.wait, &mut self.over, &mut self.nodes] {
            list.sort_by(f64::total_cmp);
        }
    }

    /// After [`Clocks::sort`].
    fn print(&self, name: &str) {
        println!(
            "{name}: {} answers of {CLOCK} ms; own CPU median {:.2} ms, 1 % under {:.2}, least {:.2}; wait for a core median \
             {:.3} ms, 99 % under {:.2}, highest {:.2}; over its time median {:.2} ms, 99 % under {:.2}, highest {:.2}; \
             nodes median {:.0}",
            self.own.len(),
            at(&self.own, 0.5),
            at(&self.own, 0.01),
            at(&self.own, 0.0),
            at(&self.wait, 0.5),
            at(&self.wait, 0.99),
            at(&self.wait, 1.0),
            at(&self.over, 0.5),
            at(&self.over, 0.99),
            at(&self.over, 1.0),
            at(&self.nodes, 0.5),
        );
    }
}

/// Plays the same matches unwatched and watched in turn, `pairs` times, and prints what each cost.
pub fn run(games: usize, pairs: usize) -> Result<()> {
    let work = tempfile::tempdir()?;
    let file = |name: &str, n: usize| work.path().join(format!("{name}{n}.sqlite"));
    costs(games, pairs, &file)?;
    clocks((games / SHORTER).max(2), pairs, &file)
}

/// Matches of fixed work: CPU time and games a second.
fn costs(games: usize, pairs: usize, file: &dyn Fn(&str, usize) -> std::path::PathBuf) -> Result<()> {
    const BOTS: [&str; 2] = ["engine:2000", "builtin:greedy"];
    let (mut plain, mut seen, mut server) = ((0.0, 0.0), (0.0, 0.0), 0.0);
    for n in 0..pairs {
        let cost = play(&file("plain", n), BOTS, games)?;
        println!("unwatched: {:.1} s, {:.2} s of CPU", cost.wall, cost.cpu);
        plain = (plain.0 + cost.wall, plain.1 + cost.cpu);
        let (cost, used, looks) = play_watched(&file("seen", n), BOTS, games)?;
        println!(
            "watched:   {:.1} s, {:.2} s of CPU; server {used:.2} s of CPU, {looks} looks",
            cost.wall, cost.cpu
        );
        seen = (seen.0 + cost.wall, seen.1 + cost.cpu);
        server += used;
    }
    let cores = crate::arena::load::cores() as f64;
    println!(
        "CPU a game {:+.2} %, server {:.2} % of the machine's {cores} cores while it was watched; games a second {:.2} and {:.2}",
        100.0 * (seen.1 / plain.1 - 1.0),
        100.0 * server / (seen.0 * cores),
        (games * pairs) as f64 / plain.0,
        (games * pairs) as f64 / seen.0
    );
    Ok(())
}

/// Matches at the clock, a game a core: what the bots' answers ran and waited.
fn clocks(games: usize, pairs: usize, file: &dyn Fn(&str, usize) -> std::path::PathBuf) -> Result<()> {
    let program = std::env::current_exe()?;
    let bot = |name: &str| format!("{name}='{}' check-serve --seat {CLOCK}", program.display());
    let (a, b) = (bot("a"), bot("b"));
    let (mut plain, mut seen) = (Clocks::default(), Clocks::default());
    let (mut server, mut wall, mut looks) = (0.0, 0.0, 0);
    for n in 0..pairs {
        let path = file("clocks", n);
        play(&path, [&a, &b], games)?;
        plain.add(Clocks::read(&path)?);
        let path = file("watched-clocks", n);
        let (cost, used, fetched) = play_watched(&path, [&a, &b], games)?;
        seen.add(Clocks::read(&path)?);
        (server, wall, looks) = (server + used, wall + cost.wall, looks + fetched);
    }
    plain.sort();
    seen.sort();
    if plain.own.is_empty() || seen.own.is_empty() {
        bail!("no answer took its time: the kernel counts nothing (schedstat)");
    }
    plain.print("clocks, unwatched");
    seen.print("clocks, watched");
    let ratio = |list: fn(&Clocks) -> &Vec<f64>| 100.0 * (at(list(&seen), 0.5) / at(list(&plain), 0.5) - 1.0);
    println!(
        "watched: own CPU of an answer {:+.2} %, nodes {:+.2} %, wait for a core {:+.3} ms (medians); server {server:.2} s of \
         CPU in {wall:.1} s, {looks} looks",
        ratio(|c| &c.own),
        ratio(|c| &c.nodes),
        at(&seen.wait, 0.5) - at(&plain.wait, 0.5),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Clocks, at, counted};

    #[test]
    fn a_share_of_a_list() {
        let list = [1.0, 2.0, 3.0, 4.0];
        assert_eq!((at(&list, 0.0), at(&list, 0.5), at(&list, 1.0)), (1.0, 2.0, 4.0));
        assert_eq!(at(&[], 0.5), 0.0);
    }

    #[test]
    fn the_kernel_counts_what_a_thread_runs() {
        let before = counted();
        let sum = (0..1_000_000u64).fold(1, |a, b| std::hint::black_box(a ^ b));
        let after = counted();
        assert!(sum != 0 && after.0 > before.0 && after.1 >= before.1);
    }

    #[test]
    fn a_file_without_such_bots_has_no_clocks() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        super::super::load::fill(&path, 10).unwrap();
        assert!(Clocks::read(&path).unwrap().own.is_empty());
    }
}
