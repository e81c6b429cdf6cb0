//! A bot that is late in a way of its choice: `clock WAY MS`. It answers each number with that number and
//! tells whether its core was taken from it just before its time was over. Also a helper that takes a core away: `clock hog CORE MS`.
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

#[repr(C)]
struct Time(i64, i64);

unsafe extern "C" {
    fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    fn sched_yield() -> i32;
    fn nice(by: i32) -> i32;
    fn raise(signal: i32) -> i32;
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, flags: i32) -> i32;
    fn kill(pid: i32, signal: i32) -> i32;
    fn getpid() -> i32;
    fn getppid() -> i32;
    fn _exit(code: i32) -> !;
    fn signal(number: i32, handler: usize) -> usize;
    fn sched_setaffinity(pid: i32, size: usize, set: *const u64) -> i32;
    fn sched_setscheduler(pid: i32, policy: i32, priority: *const i32) -> i32;
}

/// CPU time of this thread.
fn worked() -> Duration {
    let mut time = Time(0, 0);
    unsafe { clock_gettime(3, &mut time) };
    Duration::new(time.0 as u64, time.1 as u32)
}

/// Goes on for `ms` by the clock, and tells whether its core was taken from it just before it would have ended.
fn until(ms: u64, mut step: impl FnMut()) -> bool {
    let start = Instant::now();
    let (mut last, mut back) = (Duration::ZERO, Duration::ZERO);
    while last < Duration::from_millis(ms) {
        step();
        let now = start.elapsed();
        if now - last > Duration::from_millis(1) {
            back = now;
        }
        last = now;
    }
    !back.is_zero() && last - back < Duration::from_millis(3)
}

fn spin(ms: u64) -> bool {
    until(ms, || {})
}

fn work(ms: u64) {
    let start = worked();
    while worked() - start < Duration::from_millis(ms) {}
}

fn sleep(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

fn pin(core: u64) {
    let set = [1u64 << core, 0];
    unsafe { sched_setaffinity(0, 16, set.as_ptr()) };
}

/// Tells what [`until`] tells.
fn think(way: &str, ms: u64) -> bool {
    match way {
        // By the clock, as contest bots do, or by work.
        "spin" => return spin(ms),
        "work" => work(ms),
        "sleep" => sleep(ms),
        // One thread computes, and so do two others, for which it and they must wait.
        "threads" => {
            return std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| spin(ms));
                }
                spin(ms)
            });
        }
        // One thread sleeps, the others collect waiting.
        "decoy" => std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| spin(ms));
            }
            sleep(ms);
        }),
        "child" => {
            let me = std::env::current_exe().unwrap();
            std::process::Command::new(me).arg("burn").arg(ms.to_string()).status().unwrap();
        }
        // The same, and nobody is told of the child's end.
        "ignored" => unsafe {
            signal(17, 1);
            let child = fork();
            if child == 0 {
                spin(ms);
                _exit(0);
            }
            waitpid(child, std::ptr::null_mut(), 0);
        },
        "yield" => {
            return until(ms, || {
                unsafe { sched_yield() };
            });
        }
        "naps" => return until(ms, || std::thread::sleep(Duration::from_micros(100))),
        "nice" => {
            unsafe { nice(19) };
            return spin(ms);
        }
        "pinned" => {
            pin(0);
            spin(ms);
        }
        // Stops itself and has a child wake it up again.
        "stops" => unsafe {
            let me = getpid();
            let child = fork();
            if child == 0 {
                sleep(ms);
                kill(me, 18);
                _exit(0);
            }
            if raise(19) != 0 {
                sleep(ms);
            }
            waitpid(child, std::ptr::null_mut(), 0);
        },
        _ => panic!("no way {way}"),
    }
    false
}

fn answer(line: &str, taken: bool) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line} {taken}").unwrap();
    out.flush().unwrap();
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let ms: u64 = args[2].parse().unwrap();
    match args[1].as_str() {
        "burn" => {
            spin(ms);
            return;
        }
        // Spins on a core for ever, or with real-time priority for a while.
        "hog" => {
            pin(ms);
            match args.get(3) {
                // Until whoever began it is gone.
                None => {
                    let parent = unsafe { getppid() };
                    while unsafe { getppid() } == parent {
                        (0..10_000).for_each(|_| std::hint::spin_loop());
                    }
                    return;
                }
                Some(ms) => {
                    if unsafe { sched_setscheduler(0, 1, &50) } != 0 {
                        std::process::exit(3);
                    }
                    spin(ms.parse().unwrap());
                    return;
                }
            }
        }
        _ => {}
    }
    // A child that waits all the time and answers for its parent.
    let (reader, mut writer) = std::io::pipe().unwrap();
    let relays = args[1] == "relay";
    if relays {
        let mut lines = std::io::BufReader::new(reader);
        if unsafe { fork() } == 0 {
            let mut line = String::new();
            while lines.read_line(&mut line).unwrap() > 0 {
                answer(line.trim(), false);
                line.clear();
            }
            return;
        }
    }
    let quick = |n: usize| n == 0;
    for (n, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.unwrap();
        let way = args[1].as_str();
        match way {
            _ if quick(n) && !relays => answer(&line, false),
            "relay" => {
                sleep(if quick(n) { 0 } else { ms });
                writeln!(writer, "{line}").unwrap();
            }
            "forks" => unsafe {
                sleep(ms);
                let child = fork();
                if child == 0 {
                    answer(&line, false);
                    _exit(0);
                }
                waitpid(child, std::ptr::null_mut(), 0);
            },
            _ => {
                let taken = think(way, ms);
                answer(&line, taken);
            }
        }
    }
}
