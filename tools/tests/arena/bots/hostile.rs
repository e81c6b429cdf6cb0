//! A bot that tries one kind of harm and then answers `done` where it got through, else `refused`: `hostile KIND`.
//! Whom it harms is told by FIFTY_VICTIM and FIFTY_ARENA (process ids) and FIFTY_FILE; nobody else is touched.
use std::fs;
use std::io::BufRead;

unsafe extern "C" {
    fn kill(pid: i32, signal: i32) -> i32;
    fn ptrace(request: i64, pid: i64, address: i64, data: i64) -> i64;
    fn fork() -> i32;
    fn pause() -> i32;
    fn setsid() -> i32;
    fn setpriority(which: i32, who: i32, to: i32) -> i32;
    fn sched_setscheduler(pid: i32, policy: i32, priority: *const i32) -> i32;
    fn socket(family: i32, kind: i32, protocol: i32) -> i32;
    fn shmget(key: i32, size: usize, flags: i32) -> i32;
}

fn number(name: &str) -> i32 {
    std::env::var(name).unwrap().parse().unwrap()
}

/// A process that outlives its parents, in a session of its own, with nothing in its environment.
fn orphan() -> bool {
    unsafe {
        if fork() == 0 {
            setsid();
            if fork() == 0 {
                use std::os::unix::process::CommandExt;
                let name = format!("fifty-orphan-{}", std::env::var("FIFTY_MARK").unwrap());
                let null = || fs::File::open("/dev/null").unwrap();
                let mut sleep = std::process::Command::new("sleep");
                sleep.arg0(name).arg("60").env_clear().stdin(null()).stdout(null()).stderr(null());
                let _ = sleep.exec();
            }
            std::process::exit(0);
        }
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    true
}

fn harm(kind: &str) -> bool {
    let victim = number("FIFTY_VICTIM");
    let file = std::env::var("FIFTY_FILE").unwrap();
    unsafe {
        match kind {
            "kills its opponent" => kill(victim, 9) == 0,
            "stops its opponent" => kill(victim, 19) == 0,
            "traces its opponent" => ptrace(0x4206, victim.into(), 0, 0) == 0,
            "reads its opponent's memory" => fs::File::open(format!("/proc/{victim}/mem")).is_ok(),
            "reads its opponent's environment" => fs::read(format!("/proc/{victim}/environ")).is_ok(),
            "forges its opponent's output" => {
                fs::OpenOptions::new().write(true).open(format!("/proc/{victim}/fd/1")).is_ok()
            }
            "steals its opponent's input" => fs::File::open(format!("/proc/{victim}/fd/0")).is_ok(),
            // A signal that is ignored: whoever may send it may send others.
            "signals the arena" => kill(number("FIFTY_ARENA"), 23) == 0,
            "leaves an orphan" => orphan(),
            "deletes a file of the arena" => fs::remove_file(&file).is_ok(),
            "overwrites a file of the arena" => fs::write(&file, "forged").is_ok(),
            "leaves files" => {
                let beside = format!("{file}.left");
                fs::write(&beside, vec![0; 1 << 20]).is_ok()
            }
            "fills the disk with many files" => {
                let dir = std::env::temp_dir().join(format!("fifty-many-{}", std::env::var("FIFTY_MARK").unwrap()));
                let _ = fs::create_dir(&dir);
                (0..100).all(|n| fs::write(dir.join(n.to_string()), vec![1; 1 << 20]).is_ok())
            }
            "raises its priority" => setpriority(0, 0, -20) == 0,
            "takes a real-time priority" => sched_setscheduler(0, 1, &10) == 0,
            "opens the network" => socket(2, 1, 0) >= 0,
            "leaves shared memory" => fs::write(format!("/dev/shm/fifty-{}", std::env::var("FIFTY_MARK").unwrap()), "x").is_ok(),
            "leaves a System V segment" => shmget(number("FIFTY_ARENA"), 4096, 0o1600) >= 0,
            "writes a file beyond its limit" => {
                fs::write(format!("{file}.left"), vec![0; 128 << 20]).is_ok()
            }
            "takes memory beyond its limit" => std::hint::black_box(vec![1u8; 2 << 30]).len() > 0,
            "starts 1,500 processes" => {
                let mut all = Vec::new();
                while all.len() < 1500 {
                    match fork() {
                        0 => loop {
                            pause();
                        },
                        pid if pid > 0 => all.push(pid),
                        _ => break,
                    }
                }
                for pid in &all {
                    kill(*pid, 9);
                }
                all.len() == 1500
            }
            _ => panic!("no kind {kind}"),
        }
    }
}

fn main() {
    let kind = std::env::args().nth(1).unwrap();
    let mut done = None;
    for line in std::io::stdin().lock().lines() {
        line.unwrap();
        let done = *done.get_or_insert_with(|| harm(&kind));
        println!("{}", if done { "done" } else { "refused" });
    }
}
