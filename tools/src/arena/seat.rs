//! One seat of a running game, whoever sits there: a process for the game, a process for each move, or a
//! player in this process.

use super::command::CommandLine;
use super::guard::Mark;
use super::process::{Process, Stderr, describe};
use super::sys::{self, Rlimits};
use crate::adapter::Player;
use crate::referee::{Ask, Fault};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How a seat is held to the clock.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What its process may use.
    pub limits: Rlimits,
    /// Time beyond the limit in which an answer is still taken (and reported as late).
    pub grace: Duration,
    /// How much longer to wait for an answer, which is then judged by what the machine did meanwhile.
    pub patience: Duration,
}

impl Rules {
    /// How long after its limit an answer is waited for.
    fn wait(&self) -> Duration {
        self.grace + self.patience
    }
}

impl Default for Rules {
    /// 1 GiB of memory, files up to 64 MiB, no grace, no patience.
    fn default() -> Self {
        Self {
            limits: Rlimits {
                memory: Some(1 << 30),
                file: 64 << 20,
            },
            grace: Duration::ZERO,
            patience: Duration::ZERO,
        }
    }
}

/// What one message brought.
#[derive(Debug)]
pub struct Answer {
    /// The bytes, as `referee::Reply` wants them, however late; empty where none were asked for.
    pub output: Result<Vec<u8>, Fault>,
    /// When its clock began to run.
    pub started: Instant,
    /// Wall time as the contest measures it; what the referee is told.
    pub elapsed: Duration,
    /// Wall time it really took; shown in tables.
    pub took: Duration,
    /// CPU time the bot itself used meanwhile, and time it waited for a core, where the machine tells.
    pub schedule: Option<(Duration, Duration)>,
    /// What it wrote on stderr meanwhile.
    pub stderr: String,
    /// What came on stderr after its answer before: that answer's.
    pub late_stderr: String,
}

/// How a seat ended.
#[derive(Clone, Debug, Default)]
pub struct End {
    /// Exit code or signal, or what the panic said; none where we had to kill it or it never was a process.
    pub exit: Option<String>,
    /// The last lines on stderr.
    pub stderr: Vec<String>,
    /// What came on stderr after the last answer.
    pub late_stderr: String,
    /// Its unread output had grown to a flood.
    pub flooded: bool,
}

/// A seat of one game.
pub trait Seat {
    /// Delivers one message and takes its answer.
    fn ask(&mut self, ask: &Ask) -> Answer;

    /// After the game. `faulty`: no need to be patient.
    fn end(&mut self, faulty: bool) -> End;
}

/// What came on stderr; a message that wants no answer leaves it to the next one that does.
fn said_for(ask: &Ask, log: &mut Stderr) -> String {
    if ask.want > 0 {
        log.take_turn()
    } else {
        String::new()
    }
}

/// One process for the whole game.
pub struct Piped {
    process: Process,
    mark: Mark,
    log: Stderr,
    wait: Duration,
}

impl Piped {
    /// Starts the bot.
    pub fn start(line: &CommandLine, rules: Rules) -> std::io::Result<Self> {
        let mark = Mark::new();
        Ok(Self {
            process: Process::start(line, &mark, rules.limits, true)?,
            mark,
            log: Stderr::default(),
            wait: rules.wait(),
        })
    }
}

impl Seat for Piped {
    fn ask(&mut self, ask: &Ask) -> Answer {
        self.process.drain(&mut self.log);
        let late_stderr = said_for(ask, &mut self.log);
        let before = sys::schedule(self.process.id());
        let told = Instant::now();
        let sent = self
            .process
            .tell(ask.send.as_bytes(), &mut self.log, told + ask.limit + self.wait);
        let started = Instant::now();
        let output = match sent {
            // A bot that stopped listening may still have answered.
            Ok(_) if ask.want > 0 => {
                self.process
                    .lines(ask.want, &mut self.log, started + ask.limit + self.wait)
            }
            Ok(_) => Ok(Vec::new()),
            Err(fault) => Err(fault),
        };
        let elapsed = started.elapsed();
        let output = if output.is_ok() && self.process.drain(&mut self.log) {
            Err(Fault::Flood)
        } else {
            output
        };
        let schedule = before
            .zip(sys::schedule(self.process.id()))
            .map(|(a, b)| (b.0.saturating_sub(a.0), b.1.saturating_sub(a.1)));
        Answer {
            output,
            started,
            elapsed,
            took: elapsed,
            schedule,
            stderr: said_for(ask, &mut self.log),
            late_stderr,
        }
    }

    fn end(&mut self, faulty: bool) -> End {
        let mut flooded = self.process.drain(&mut self.log);
        // Was the bad answer only the first of very many? The rest is on its way.
        let until = Instant::now() + Duration::from_millis(30);
        while faulty && !flooded && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
            flooded = self.process.drain(&mut self.log);
        }
        let exit = self.process.end(&mut self.log, !faulty);
        self.mark.sweep(&[self.process.id()]);
        End {
            exit: exit.map(describe),
            stderr: self.log.last_lines(10),
            late_stderr: self.log.take_turn(),
            flooded,
        }
    }
}

/// One process for each move, through a shell as its contest does it.
pub struct OneShot {
    command: String,
    rules: Rules,
    mark: Mark,
    log: Stderr,
    groups: Vec<u32>,
    exit: Option<String>,
    flooded: bool,
}

impl OneShot {
    /// `command` as the contest has it; the argument follows after a blank.
    pub fn new(command: &str, rules: Rules) -> Self {
        Self {
            command: command.to_owned(),
            rules,
            mark: Mark::new(),
            log: Stderr::default(),
            groups: Vec::new(),
            exit: None,
            flooded: false,
        }
    }
}

impl Seat for OneShot {
    fn ask(&mut self, ask: &Ask) -> Answer {
        let line = CommandLine {
            env: Vec::new(),
            dir: None,
            words: vec!["sh".into(), "-c".into(), format!("{} {}", self.command, ask.send)],
        };
        let started = Instant::now();
        let until = started + ask.limit + self.rules.wait();
        let (output, elapsed, schedule) = match Process::start(&line, &self.mark, self.rules.limits, false) {
            Err(_) => (Err(Fault::Crash), started.elapsed(), None),
            Ok(mut process) => {
                let output = process.whole(&mut self.log, until);
                let elapsed = started.elapsed();
                // A shell stands between: what was not its children's work was waiting.
                let schedule = process.cpu_time().map(|own| (own, elapsed.saturating_sub(own)));
                let exit = process.end(&mut self.log, false);
                // Only what another group may still hold needs the sweep at the end.
                self.groups.push(process.id());
                if self.groups.len() > 64 {
                    self.groups.remove(0);
                }
                self.flooded |= output == Err(Fault::Flood);
                self.exit = exit.filter(|e| !e.success()).map(describe);
                (output, elapsed, schedule)
            }
        };
        Answer {
            // An early end with nothing said is a crash; with an answer, the exit status does not matter.
            output: match output {
                Ok(bytes) if bytes.is_empty() && self.exit.is_some() => Err(Fault::Crash),
                other => other,
            },
            started,
            elapsed,
            took: elapsed,
            schedule,
            stderr: self.log.take_turn(),
            late_stderr: String::new(),
        }
    }

    fn end(&mut self, _faulty: bool) -> End {
        self.mark.sweep(&self.groups);
        End {
            exit: self.exit.clone(),
            stderr: self.log.last_lines(10),
            late_stderr: String::new(),
            flooded: self.flooded,
        }
    }
}

/// A player in this process.
pub struct Inside {
    player: Box<dyn Player>,
    /// Fixed work has no clock: the referee is told zero, so that equal work gives equal games.
    clocked: bool,
    whole: bool,
    fresh: Option<Fresh>,
    panic: Option<String>,
    log: Stderr,
}

/// Makes the same player again.
pub type Fresh = Box<dyn Fn() -> Result<Box<dyn Player>, String>>;

impl Inside {
    /// `clocked`: it plays by the clock. `whole`: one answer is all output (one process a move).
    pub fn new(player: Box<dyn Player>, clocked: bool, whole: bool) -> Self {
        Self {
            player,
            clocked,
            whole,
            fresh: None,
            panic: None,
            log: Stderr::default(),
        }
    }

    /// The player forgets everything after each answer, as one process a move does.
    #[must_use]
    pub fn forgetful(mut self, fresh: Fresh) -> Self {
        self.fresh = Some(fresh);
        self
    }
}

impl Seat for Inside {
    fn ask(&mut self, ask: &Ask) -> Answer {
        let late_stderr = said_for(ask, &mut self.log);
        let started = Instant::now();
        let bytes = if self.panic.is_some() {
            Vec::new()
        } else {
            catch_unwind(AssertUnwindSafe(|| self.player.respond(&ask.send, ask.want))).unwrap_or_else(|e| {
                let text = e
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| e.downcast_ref::<&str>().map(|s| (*s).to_owned()));
                self.panic = Some(format!("panic: {}", text.unwrap_or_default()));
                Vec::new()
            })
        };
        let elapsed = started.elapsed();
        if self.panic.is_none() {
            self.log.push(&self.player.said());
        }
        if let Some(Ok(player)) = self.fresh.as_ref().map(|fresh| fresh()) {
            self.player = player;
        }
        let complete = self.whole || bytes.iter().filter(|&&b| b == b'\n').count() >= ask.want;
        Answer {
            output: if self.panic.is_some() || !complete {
                Err(Fault::Crash)
            } else {
                Ok(bytes)
            },
            started,
            elapsed: if self.clocked { elapsed } else { Duration::ZERO },
            took: elapsed,
            schedule: None,
            stderr: said_for(ask, &mut self.log),
            late_stderr,
        }
    }

    fn end(&mut self, _faulty: bool) -> End {
        End {
            exit: self.panic.clone(),
            stderr: self.log.last_lines(10),
            late_stderr: self.log.take_turn(),
            flooded: false,
        }
    }
}
