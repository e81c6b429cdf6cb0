//! What the tools need to know of a game: its referee, its bots, its recordings, its picture.

use crate::elsewhere::Recorded;
use crate::recorded::{Checked, Difference, replay};
use crate::referee::{Referee, Reply};
use crate::show::fields::fields;
use crate::show::trace::Trace;
use fifty::kit::agent::Agent;
use fifty::kit::clock::Budget;
use fifty::kit::tunables::Tunable;
use nix::time::{ClockId, clock_gettime};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// The seats' colours, on boards as beside them.
pub const SEAT_COLOURS: [&str; 4] = ["#d1495b", "#2e86ab", "#5b8e3a", "#c98a12"];

/// How a contest talks to its bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// One process a game, lines over stdin and stdout.
    Lines,
    /// One process a move: `sh -c "COMMAND ARGUMENT"`, the answer on stdout.
    Argument,
}

/// What one game is started from.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Decides map, deck, bags: everything random.
    pub seed: u64,
    /// Options by name (`league` = `3`, `variant` = `utg-ink4`, …). Unknown names are errors.
    pub options: BTreeMap<String, String>,
}

/// A seat played inside this process.
pub trait Player: Send {
    /// Answers one message with exactly `want` lines (each with `\n`); with one process a move the whole
    /// output. Fewer lines count as a crash.
    fn respond(&mut self, send: &str, want: usize) -> Vec<u8>;

    /// Takes what it has to say since the last call: what a program writes on stderr.
    fn said(&mut self) -> Vec<u8> {
        Vec::new()
    }

    /// Lives through a message of the past, to which `answer` was given. Returns what it would have said itself;
    /// it goes on as if it had given `answer`, where the judge does not repeat answers.
    fn relive(&mut self, send: &str, want: usize, answer: &str) -> Vec<u8> {
        let _ = answer;
        self.respond(send, want)
    }

    /// From the next answer on another budget; nothing where there is none to set.
    fn set_budget(&mut self, _budget: Budget) {}
}

/// Takes a message and the answer that was given to it instead of its own; returns that answer.
pub type Relive<A> = fn(&mut A, &str, &str) -> Vec<u8>;

/// A library bot in process whose budget can be changed, and that can be told what it answered.
pub struct Engine<A> {
    player: AgentPlayer<A>,
    set_budget: fn(&mut A, Budget),
    relive: Option<Relive<A>>,
}

impl<A> Engine<A> {
    /// A bot of a game whose judge shows the whole position.
    pub fn new(agent: A, set_budget: fn(&mut A, Budget)) -> Self {
        Self {
            player: AgentPlayer(agent),
            set_budget,
            relive: None,
        }
    }

    /// A bot that has to remember its own answers.
    #[must_use]
    pub fn reliving(mut self, relive: Relive<A>) -> Self {
        self.relive = Some(relive);
        self
    }
}

impl<A: Agent + Send> Player for Engine<A> {
    fn respond(&mut self, send: &str, want: usize) -> Vec<u8> {
        self.player.respond(send, want)
    }

    fn said(&mut self) -> Vec<u8> {
        self.player.said()
    }

    fn relive(&mut self, send: &str, want: usize, answer: &str) -> Vec<u8> {
        match self.relive {
            Some(relive) => relive(&mut self.player.0, send, answer),
            None => self.player.respond(send, want),
        }
    }

    fn set_budget(&mut self, budget: Budget) {
        (self.set_budget)(&mut self.player.0, budget);
    }
}

/// Lets a library bot play in process, through the same text as over pipes.
pub struct AgentPlayer<A>(pub A);

impl<A: Agent + Send> Player for AgentPlayer<A> {
    fn respond(&mut self, send: &str, _want: usize) -> Vec<u8> {
        let mut input = send.as_bytes();
        let mut out = Vec::new();
        while !input.is_empty() {
            match self.0.turn(&mut input, &mut out) {
                Ok(true) => {}
                Ok(false) | Err(_) => break,
            }
        }
        out
    }

    fn said(&mut self) -> Vec<u8> {
        self.0.said()
    }
}

/// One fixed-work measurement of a game's search.
#[derive(Clone, Debug, serde::Serialize)]
pub struct BenchLine {
    /// What was run.
    pub name: String,
    /// Nodes, iterations or playouts done, as named by `unit`.
    pub work: u64,
    /// Unit of `work`.
    pub unit: &'static str,
    /// Process CPU seconds it took.
    pub seconds: f64,
    /// Hash of chosen moves and counts: the same on every machine.
    pub signature: u64,
}

impl BenchLine {
    /// Runs `work`, which returns how much it did and its signature, and takes its CPU time.
    pub fn measured(name: impl Into<String>, unit: &'static str, work: impl FnOnce() -> (u64, u64)) -> Self {
        let begun = cpu_seconds();
        let (work, signature) = work();
        Self {
            name: name.into(),
            work,
            unit,
            seconds: cpu_seconds() - begun,
            signature,
        }
    }
}

/// CPU seconds of this process so far; 0 where the system does not tell.
pub fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID);
    time.map_or(0.0, |time| Duration::from(time).as_secs_f64())
}

/// Mixes a number into a signature.
pub fn mix(signature: u64, more: u64) -> u64 {
    (signature ^ more).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// As [`mix`]; what came before is turned, so that order counts.
pub fn mix_turned(signature: u64, more: u64) -> u64 {
    mix(signature, more).rotate_left(29)
}

/// One game of the bot against itself at `work` an answer: every answer is in the signature.
fn self_play<A: Adapter + ?Sized>(adapter: &A, work: u64) -> anyhow::Result<BenchLine> {
    let mut referee = adapter.referee(&Setup {
        seed: 1,
        ..Setup::default()
    })?;
    let mut players = (0..adapter.seats(&BTreeMap::new()))
        .map(|_| adapter.engine(Budget::Work(work), &[]))
        .collect::<Result<Vec<_>, _>>()?;
    let begun = cpu_seconds();
    let (mut answers, mut signature) = (0, 0);
    loop {
        let asks = referee.asks();
        if asks.is_empty() {
            break;
        }
        let mut replies = Vec::new();
        for ask in &asks {
            let output = players[ask.seat].respond(&ask.send, ask.want);
            if ask.want > 0 {
                answers += 1;
                signature = output.iter().fold(signature, |s, &byte| mix(s, byte.into()));
                replies.push(Reply {
                    seat: ask.seat,
                    output: Ok(output),
                    elapsed: Duration::ZERO,
                });
            }
        }
        referee.reply(&replies);
    }
    Ok(BenchLine {
        name: format!("one game, {work} iterations an answer"),
        work: answers,
        unit: "answers",
        seconds: cpu_seconds() - begun,
        signature,
    })
}

/// One game, as the tools see it.
pub trait Adapter: Sync {
    /// Name on the command line and of `dist/<name>.rs`.
    fn name(&self) -> &'static str;

    /// Players in one game of these options; anything where the options are wrong.
    fn seats(&self, _options: &BTreeMap<String, String>) -> usize {
        2
    }

    /// The outside referee that plays it; none for games of ours.
    fn outside(&self) -> Option<&crate::outside::settings::Settings> {
        None
    }

    /// How its judge talks to bots.
    fn transport(&self) -> Transport {
        Transport::Lines
    }

    /// The bundler's target that `ship` makes the file for.
    fn target(&self) -> &'static str {
        "codingame"
    }

    /// Contest limits shown in tables: first answer, later answers (or the whole game's for a total clock).
    fn limits(&self) -> (Duration, Duration) {
        (Duration::from_secs(1), Duration::from_millis(50))
    }

    /// Options `Setup` understands: name, default, allowed values in words.
    fn options(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        &[]
    }

    /// A new game. Errors name the option and what was expected.
    fn referee(&self, setup: &Setup) -> anyhow::Result<Box<dyn Referee>>;

    /// Names after `builtin:`; at least `random` and `greedy`.
    fn builtins(&self) -> &'static [&'static str] {
        &["random", "greedy"]
    }

    /// A builtin opponent, or `None` if there is none of that name.
    fn builtin(&self, name: &str, seed: u64) -> Option<Box<dyn Player>>;

    /// Our bot in this process. `params` override tunables by name; unknown names are errors.
    fn engine(&self, budget: Budget, params: &[(String, f64)]) -> anyhow::Result<Box<dyn Player>>;

    /// The bot keeps a file between the processes it is started as, so that its engine need not forget either.
    fn remembers(&self) -> bool {
        false
    }

    /// All tunables of the bot.
    fn tunables(&self) -> &'static [Tunable] {
        &[]
    }

    /// The value of a tunable that the bot ships with.
    fn shipped(&self, name: &str) -> Option<f64> {
        self.tunables().iter().find(|t| t.name == name).map(|t| t.value)
    }

    /// The evaluation as it was set by hand before anything was tuned, as `engine` takes it; empty where nothing
    /// was.
    fn hand(&self) -> Vec<(String, f64)> {
        let set = |t: &Tunable| Some((t.name.to_owned(), t.hand?));
        self.tunables().iter().filter_map(set).collect()
    }

    /// Games in a form of the contest's own tools; none where the text is no such form.
    fn recorded(&self, text: &str) -> Option<Vec<anyhow::Result<Recorded>>> {
        let _ = text;
        None
    }

    /// True where a game of these options starts alike whatever its seed.
    fn open_start(&self, options: &BTreeMap<String, String>) -> bool {
        let _ = options;
        false
    }

    /// Numbers of a game's first position that games are looked up by: sizes, towns.
    fn facts(&self, view: &Value) -> Vec<(&'static str, f64)> {
        let _ = view;
        Vec::new()
    }

    /// True where a bot's input repeats its own answers or shows the whole position, so that a fresh process can
    /// join in the middle whatever it would have answered before.
    fn shows_all(&self) -> bool {
        true
    }

    /// Milliseconds a seat has for all its answers, and how many those are at most, where the judge holds one clock for
    /// a game; the option `clock_ms` sets the former. `None` where each answer has a limit of its own.
    fn game_clock(&self, options: &BTreeMap<String, String>) -> Option<(u64, u64)> {
        let _ = options;
        None
    }

    /// A message that grants `ms` for this answer, with `left` answers to come; only where the message tells time.
    fn grant(&self, send: &str, ms: u64, left: usize) -> String {
        let _ = (ms, left);
        send.to_owned()
    }

    /// What the judge's clock took from `seat` between two positions; `None` where positions hold no clock.
    fn elapsed(&self, before: &Value, after: &Value, seat: usize) -> Option<Duration> {
        let _ = (before, after, seat);
        None
    }

    /// Replays one recorded object. `file` is the file's stem, which tells what kind of record it is. By default a
    /// game that the tools recorded themselves.
    fn verify(&self, file: &str, record: &Value) -> Result<Checked, Difference> {
        let _ = file;
        replay(|seed, options| self.referee(&Setup { seed, options }), record)
    }

    /// Fixed positions, fixed work, fixed seeds. By default one game of the bot against itself; empty where it
    /// cannot be started.
    fn bench(&self) -> Vec<BenchLine> {
        self_play(self, 2_000).into_iter().collect()
    }

    /// Files that `ship` writes into `dist/` beside the bundle, as (file name, content): what a contest
    /// asks for besides the source. `bundle` is the finished source text.
    fn extras(&self, bundle: &str) -> Vec<(String, String)> {
        let _ = bundle;
        Vec::new()
    }

    /// A finished game in the form of the contest's own tools, where it has one; else as JSON.
    fn log(&self, trace: &Trace) -> anyhow::Result<String> {
        Ok(serde_json::to_string(trace)?)
    }

    /// A principal variation in the bot's own words as answers of this protocol, the bot's own first; a candidate's
    /// words likewise.
    fn course(&self, pv: &str) -> Vec<String> {
        let plain = |word: &str| word.replace([',', '_'], " ");
        pv.split_whitespace().map(plain).collect()
    }

    /// The position of a `Referee::view` for a terminal: whole lines.
    fn text(&self, view: &Value) -> String {
        fields(view)
    }

    /// Colours of the picture beside the seats', and what they stand for.
    fn legend(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The position of a `Referee::view` as one SVG element.
    fn svg(&self, view: &Value) -> String;
}
