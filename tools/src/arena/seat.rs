//! One seat of a running game, whoever sits there: a process for the game, a process for each move, or a
//! player in this process.

use super::command::CommandLine;
use super::excuse::Account;
use super::freeze::Freeze;
use super::guard::Mark;
use super::launch::Rlimits;
use super::process::{Process, Spec, Stderr, describe};
use super::sandbox::{Place, Sandbox};
use crate::adapter::Player;
use crate::referee::{Ask, Fault};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// How one seat is held to the clock. Each seat has its own.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What its process may use.
    pub limits: Rlimits,
    /// Its limit for each answer instead of the game's; a longer one that the game gives the first answer stays.
    pub clock: Option<Duration>,
    /// Time beyond the limit in which an answer is still taken (and reported as late).
    pub grace: Duration,
    /// How much longer to wait for an answer, which is then ruled on by whose doing it was; none where nothing excuses.
    pub patience: Duration,
    /// Look at the bot while its clock runs, so that it can be told whose doing a late answer was.
    pub watch: bool,
    /// How it is kept from harming others.
    pub sandbox: Sandbox,
    /// How it is kept from running while another seat is asked.
    pub freeze: Freeze,
}

impl Rules {
    /// How long after its limit an answer is waited for.
    fn wait(&self) -> Duration {
        self.grace + self.patience
    }

    /// The limit of an answer for which the game allows `game`.
    pub fn limit(&self, game: Duration, first: bool) -> Duration {
        match self.clock {
            Some(clock) if first => clock.max(game),
            Some(clock) => clock,
            None => game,
        }
    }

    /// Its place for one game; none where none is wanted.
    fn place(&self, fleeting: bool) -> std::io::Result<Option<Place>> {
        (self.sandbox != Sandbox::None)
            .then(|| Place::new(fleeting))
            .transpose()
    }

    fn spec<'a>(&self, talk: bool, place: Option<&'a Place>) -> Spec<'a> {
        Spec {
            place,
            limits: self.limits,
            talk,
            watch: self.watch,
            freeze: if talk { self.freeze } else { Freeze::Off },
        }
    }
}

impl Default for Rules {
    /// 1 GiB of memory, files up to 64 MiB, the game's clock, no grace, no patience; watched, not frozen.
    fn default() -> Self {
        Self {
            limits: Rlimits {
                memory: Some(1 << 30),
                file: 64 << 20,
            },
            clock: None,
            grace: Duration::ZERO,
            patience: Duration::ZERO,
            watch: true,
            freeze: Freeze::Off,
            sandbox: Sandbox::None,
        }
    }
}

/// What one message brought.
#[derive(Debug)]
pub struct Answer {
    /// The bytes, as `referee::Reply` wants them, however late; empty where none were asked for.
    pub output: Result<Vec<u8>, Fault>,
    /// Wall time as the contest measures it; what the referee is told.
    pub elapsed: Duration,
    /// Wall time it really took; shown in tables.
    pub took: Duration,
    /// Of an answer over its limit: what of its time was whose, where the machine tells.
    pub account: Option<Account>,
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
    /// It wrote more lines than it was asked for; what was left over was the answer to the next message.
    pub ahead: bool,
}

/// A seat of one game.
pub trait Seat {
    /// Delivers one message and takes its answer.
    fn ask(&mut self, ask: &Ask) -> Answer;

    /// How it is held to the clock.
    fn rules(&self) -> Rules {
        Rules::default()
    }

    /// Before the first message: waits a little until it has started.
    fn settle(&mut self) {}

    /// Another seat is asked next: nothing runs here until this one is.
    fn pause(&mut self) {}

    /// After the game, before anybody's [`Seat::end`]: where it deserves no patience, nothing runs here any more.
    fn strike(&mut self) {}

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
    /// Goes after its process.
    _place: Option<Place>,
    mark: Mark,
    log: Stderr,
    rules: Rules,
    ahead: bool,
}

/// How long a bot may take to start before others are asked.
const START: Duration = Duration::from_millis(100);
/// How long it may go on after an answer, to finish what it says on stderr.
const AFTERWORD: Duration = Duration::from_millis(2);

impl Piped {
    /// Starts the bot.
    pub fn start(line: &CommandLine, rules: Rules) -> std::io::Result<Self> {
        let mark = Mark::new();
        let place = rules.place(true)?;
        Ok(Self {
            process: Process::start(line, &mark, rules.spec(true, place.as_ref()))?,
            _place: place,
            mark,
            log: Stderr::default(),
            rules,
            ahead: false,
        })
    }
}

impl Seat for Piped {
    fn ask(&mut self, ask: &Ask) -> Answer {
        self.process.drain(&mut self.log);
        let late_stderr = said_for(ask, &mut self.log);
        if ask.want > 0 {
            self.ahead |= self.process.is_ahead();
            self.process.begin(ask.limit);
        }
        let started = Instant::now();
        let until = started + ask.limit + self.rules.wait();
        let output = match self.process.tell(ask.send.as_bytes(), &mut self.log, until) {
            // A bot that stopped listening may still have answered.
            Ok(_) if ask.want > 0 => self.process.lines(ask.want, &mut self.log, until),
            Ok(_) => Ok(Vec::new()),
            Err(fault) => Err(fault),
        };
        let elapsed = started.elapsed();
        let account = (ask.want > 0)
            .then(|| self.process.account(started, elapsed, ask.limit))
            .flatten();
        let output = if output.is_ok() && self.process.drain(&mut self.log) {
            Err(Fault::Flood)
        } else {
            output
        };
        Answer {
            output,
            elapsed,
            took: elapsed,
            account,
            stderr: said_for(ask, &mut self.log),
            late_stderr,
        }
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn settle(&mut self) {
        if self.rules.freeze != Freeze::Off {
            self.process.settle(START);
        }
    }

    fn pause(&mut self) {
        if self.rules.freeze != Freeze::Off && !self.process.frozen() {
            self.process.settle(AFTERWORD);
            self.process.freeze();
        }
    }

    fn strike(&mut self) {
        self.process.strike();
    }

    fn end(&mut self, faulty: bool) -> End {
        let mut flooded = self.process.drain(&mut self.log);
        // Was the bad answer only the first of very many? The rest is on its way.
        let until = Instant::now() + Duration::from_millis(30);
        while faulty && !flooded && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
            flooded = self.process.drain(&mut self.log);
        }
        let ahead = self.ahead || self.process.is_ahead();
        let exit = self.process.end(&mut self.log, !faulty);
        self.mark.sweep(&[self.process.id()]);
        End {
            exit: exit.map(describe),
            stderr: self.log.last_lines(10),
            late_stderr: self.log.take_turn(),
            flooded,
            ahead,
        }
    }
}

/// One process for each move, through a shell as its contest does it.
pub struct OneShot {
    command: String,
    place: Option<Place>,
    rules: Rules,
    mark: Mark,
    log: Stderr,
    groups: Vec<u32>,
    exit: Option<String>,
    flooded: bool,
}

impl OneShot {
    /// `command` as the contest has it; the argument follows after a blank. `alone`: the same, where its program needs
    /// nothing beside it. What that keeps there for its next move stays with this seat and this game.
    pub fn new(command: &str, alone: Option<&CommandLine>, rules: Rules) -> Self {
        // Without a place of its own it could not remember anything.
        let place = rules.place(false).ok().flatten();
        let moved = alone.zip(place.as_ref()).and_then(|(line, place)| {
            let mut line = line.clone();
            line.words[0] = place.bring(Path::new(&line.words[0]))?.display().to_string();
            Some(line.shell())
        });
        Self {
            command: moved.unwrap_or_else(|| command.to_owned()),
            place,
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
        let spec = self.rules.spec(false, self.place.as_ref());
        let (output, elapsed, account) = match Process::start(&line, &self.mark, spec) {
            Err(_) => (Err(Fault::Crash), started.elapsed(), None),
            Ok(mut process) => {
                process.begin(ask.limit);
                let output = process.whole(&mut self.log, until);
                let elapsed = started.elapsed();
                let account = process.account(started, elapsed, ask.limit);
                let exit = process.end(&mut self.log, false);
                // Only what another group may still hold needs the sweep at the end.
                self.groups.push(process.id());
                if self.groups.len() > 64 {
                    self.groups.remove(0);
                }
                self.flooded |= output == Err(Fault::Flood);
                self.exit = exit.filter(|e| !e.success()).map(describe);
                (output, elapsed, account)
            }
        };
        Answer {
            // An early end with nothing said is a crash; with an answer, the exit status does not matter.
            output: match output {
                Ok(bytes) if bytes.is_empty() && self.exit.is_some() => Err(Fault::Crash),
                other => other,
            },
            elapsed,
            took: elapsed,
            account,
            stderr: self.log.take_turn(),
            late_stderr: String::new(),
        }
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn end(&mut self, _faulty: bool) -> End {
        self.mark.sweep(&self.groups);
        End {
            exit: self.exit.clone(),
            stderr: self.log.last_lines(10),
            late_stderr: String::new(),
            flooded: self.flooded,
            ahead: false,
        }
    }
}

/// A player in this process.
pub struct Inside {
    player: Box<dyn Player>,
    /// Fixed work has no clock: the referee is told zero, so that equal work gives equal games.
    clocked: bool,
    /// See [`Rules::clock`].
    clock: Option<Duration>,
    whole: bool,
    fresh: Option<Fresh>,
    panic: Option<String>,
    log: Stderr,
}

/// Makes the same player again.
pub type Fresh = Box<dyn Fn() -> anyhow::Result<Box<dyn Player>>>;

impl Inside {
    /// `clocked`: it plays by the clock. `whole`: one answer is all output (one process a move).
    pub fn new(player: Box<dyn Player>, clocked: bool, whole: bool) -> Self {
        Self {
            player,
            clocked,
            clock: None,
            whole,
            fresh: None,
            panic: None,
            log: Stderr::default(),
        }
    }

    /// The player has this for each answer instead of the game's limit.
    #[must_use]
    pub fn at_clock(mut self, clock: Option<Duration>) -> Self {
        self.clock = clock;
        self
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
            elapsed: if self.clocked { elapsed } else { Duration::ZERO },
            took: elapsed,
            account: None,
            stderr: said_for(ask, &mut self.log),
            late_stderr,
        }
    }

    fn rules(&self) -> Rules {
        Rules {
            clock: self.clock,
            ..Rules::default()
        }
    }

    fn end(&mut self, _faulty: bool) -> End {
        End {
            exit: self.panic.clone(),
            stderr: self.log.last_lines(10),
            late_stderr: self.log.take_turn(),
            flooded: false,
            ahead: false,
        }
    }
}
