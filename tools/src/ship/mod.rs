//! The main job: a submission file, and the proof that it is one.
//!
//! For each game: bundle the bot, write `dist/<game>.rs`, compile that file alone in an empty directory, show that it is
//! the same code in both editions (or that it answers the same), play a whole game with it by the contest's clock, and
//! show that it answers exactly like the cargo build at fixed work. Speed is compared like with like: the file and the
//! cargo build by the same flags, the judge's; and the file by those flags with and without `target-cpu=native`. The ratios are
//! measured and printed, never decide. The game and the ratios depend on the machine's clock;
//! [`Clock::Ignored`] leaves both out, and what remains is true or false on any machine however busy.
//!
//! What the clock has no part in is done for several games side by side, one a core; what it has, for one game
//! after the other with nothing else running. A proof is remembered with all that it speaks of (`known`).

pub mod duel;
pub mod keep;
mod known;
pub mod replay;

use crate::adapter::Adapter;
use crate::bundle::alone::Compile;
use crate::bundle::target::Target;
use crate::bundle::{Bundle, Request, bundle, write};
use crate::paths::project_root;
use anyhow::{Context, Result, bail};
use indicatif::HumanDuration;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Whether what depends on the machine's clock is done as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// A game by the contest's clock, and CPU times.
    Used,
    /// The game, which is told and decides nothing; no CPU times.
    Reported,
    /// Neither.
    Ignored,
}

/// What came of one game.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Game by name.
    pub game: String,
    /// The submission.
    pub file: String,
    /// Files beside it.
    pub extras: Vec<String>,
    /// Size as the judge counts.
    pub characters: usize,
    /// The judge's limit.
    pub limit: Option<usize>,
    /// What was shown about it.
    #[serde(flatten)]
    pub shown: Shown,
    /// Seconds since it was shown, where that was before: nothing has changed since.
    pub seconds_ago: Option<u64>,
}

/// What playing and comparing showed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Shown {
    /// The game by the contest's clock.
    pub duel: Option<duel::Duel>,
    /// What the game fell by, where that is only reported.
    pub reported: Option<String>,
    /// Equal answers and speed at fixed work.
    pub proof: replay::Proof,
}

/// One game on its way: its file is written.
struct Parcel {
    adapter: &'static dyn Adapter,
    bundled: Bundle,
    file: PathBuf,
    extras: Vec<String>,
    /// Cargo's build.
    cargo: PathBuf,
    /// By which what was shown is known.
    key: String,
    /// Nothing where all was shown before.
    programs: Option<(replay::Programs, TempDir)>,
    /// What the answers were compared on.
    scripts: Vec<replay::Script>,
    shown: Shown,
    seconds_ago: Option<u64>,
}

/// How the work goes on: which game, what is being done.
pub type Step<'a> = &'a (dyn Fn(&str, &str) + Sync);

/// What is bundled for a game.
fn request(adapter: &'static dyn Adapter) -> Result<Request> {
    let mut request = Request::new(adapter.name(), Some(project_root()?.join("Cargo.toml")))?;
    request.target = Target::find(adapter.target())?;
    Ok(request)
}

/// Ships every game, even after one has failed; an error says which proof failed. What was shown before and has not
/// changed since is shown again only if told to.
pub fn ship(adapters: &[&'static dyn Adapter], clock: Clock, again: bool, step: Step) -> Vec<Result<Report>> {
    let side_by_side = |parcels: Vec<Result<Parcel>>, each: &(dyn Fn(&mut Parcel) -> Result<()> + Sync)| {
        let done = parcels.into_par_iter().with_max_len(1);
        done.map(|parcel| parcel.and_then(|mut parcel| each(&mut parcel).map(|()| parcel)))
            .collect::<Vec<_>>()
    };
    let one_by_one = |parcels: Vec<Result<Parcel>>, each: &dyn Fn(&mut Parcel) -> Result<()>| {
        let done = parcels.into_iter();
        done.map(|parcel| parcel.and_then(|mut parcel| each(&mut parcel).map(|()| parcel)))
            .collect::<Vec<_>>()
    };
    let bundle = || -> Vec<_> {
        let each = adapters.par_iter().with_max_len(1);
        each.map(|adapter| Parcel::bundle(*adapter, step)).collect()
    };
    let (bundled, cargo) = rayon::join(bundle, || with_cargo(adapters, step));
    let built = bundled.into_iter().zip(cargo).map(|(parcel, cargo)| {
        let mut parcel = parcel?;
        parcel.cargo = cargo?;
        Ok(parcel)
    });
    let built = built.collect();
    let compiled = side_by_side(built, &|parcel| parcel.compile(clock, again, step));
    let played = one_by_one(compiled, &|parcel| parcel.play(clock, step));
    let compared = side_by_side(played, &|parcel| parcel.compare(clock, step));
    let timed = one_by_one(compared, &|parcel| parcel.time(clock, step));
    timed.into_iter().map(|parcel| parcel?.report()).collect()
}

/// Cargo's builds of the bots in turn, made at once where the flags are the same: cargo keeps all cores busy by itself, and
/// others waiting.
fn with_cargo(adapters: &[&'static dyn Adapter], step: Step) -> Vec<Result<PathBuf>> {
    let mut groups: BTreeMap<Vec<String>, Vec<&str>> = BTreeMap::new();
    for adapter in adapters {
        if let Ok(request) = request(*adapter) {
            let names = groups.entry(request.target.flags).or_default();
            names.push(adapter.name());
        }
    }
    let mut built = BTreeMap::new();
    for (flags, names) in &groups {
        step(&names.join(", "), "building with cargo by the same flags");
        // One that does not compile keeps the others from nothing.
        if let Ok(programs) = project_root().and_then(|root| cargo_build(&root, names, flags)) {
            built.extend(names.iter().copied().zip(programs));
        }
    }
    let program = |adapter: &&'static dyn Adapter| {
        let name = adapter.name();
        built.remove(name).map_or_else(
            || {
                cargo_build(&project_root()?, &[name], &request(*adapter)?.target.flags)
                    .map(|mut one| one.remove(0))
            },
            Ok,
        )
    };
    adapters.iter().map(program).collect()
}

impl Parcel {
    /// Bundles and writes the file.
    fn bundle(adapter: &'static dyn Adapter, step: Step) -> Result<Self> {
        let root = &project_root()?;
        let name = adapter.name();
        step(name, "bundling");
        let bundled = bundle(&request(adapter)?)?;
        if let Some(limit) = bundled.limit.filter(|&limit| bundled.characters > limit) {
            bail!("{} characters, the limit is {limit}", bundled.characters);
        }
        let file = root.join("dist").join(format!("{name}.rs"));
        write(&bundled.text, &file)?;
        let mut extras = Vec::new();
        for (extra, content) in &adapter.extras(&bundled.text) {
            write(content, &root.join("dist").join(extra))?;
            extras.push(format!("dist/{extra}"));
        }
        Ok(Self {
            adapter,
            bundled,
            file,
            extras,
            cargo: PathBuf::new(),
            key: String::new(),
            programs: None,
            scripts: Vec::new(),
            shown: Shown::default(),
            seconds_ago: None,
        })
    }

    /// Compiles the file alone, unless all that would follow is known.
    fn compile(&mut self, clock: Clock, again: bool, step: Step) -> Result<()> {
        self.key = known::key(clock, &self.bundled.text, &self.bundled.compile, &self.cargo)?;
        if let Some((shown, seconds)) = known::find(&project_root()?, &self.key).filter(|_| !again) {
            (self.shown, self.seconds_ago) = (shown, Some(seconds));
        } else {
            step(self.adapter.name(), "compiling alone, editions 2021 and 2024");
            self.programs = Some(self.alone()?);
        }
        Ok(())
    }

    /// The file alone, in every way that is compared.
    fn alone(&self) -> Result<(replay::Programs, TempDir)> {
        let dir = tempfile::tempdir().context("no temporary directory")?;
        let alone = |name: &str, compile: Compile| -> Result<PathBuf> {
            let program = dir.path().join(name);
            compile.program(&self.bundled.text, &program).with_context(|| {
                let edition = compile.edition;
                format!(
                    "{} does not compile alone in edition {edition}",
                    self.file.display()
                )
            })?;
            Ok(program)
        };
        let judge = &self.bundled.compile;
        let with = |flags: &[String]| Compile {
            flags: flags.to_vec(),
            ..judge.clone()
        };
        let is_cpu = |flag: &String| flag.contains("target-cpu");
        let plain: Vec<String> = judge.flags.iter().filter(|f| !is_cpu(f)).cloned().collect();
        let native = [&plain[..], &["-Ctarget-cpu=native".to_owned()]].concat();
        // Where it is other code, its answers are compared, not its speed.
        let edition = if judge.edition == 2021 { 2024 } else { 2021 };
        let other = Compile {
            edition,
            ..judge.unoptimised()
        };
        let unless_same = || {
            if self.bundled.is_same_in(edition)? {
                return Ok(None);
            }
            alone("other-edition", other).map(Some)
        };
        let unless_judge = |name: &str, flags: &[String]| {
            if *flags == judge.flags {
                return Ok(None);
            }
            alone(name, with(flags)).map(Some)
        };
        let ((shipped, other), (plain, native)) = rayon::join(
            || rayon::join(|| alone("shipped", judge.clone()), unless_same),
            || {
                rayon::join(
                    || unless_judge("plain", &plain),
                    || unless_judge("native", &native),
                )
            },
        );
        let shipped = shipped?;
        let programs = replay::Programs {
            cargo: self.cargo.clone(),
            plain: plain?.unwrap_or_else(|| shipped.clone()),
            native: native?.unwrap_or_else(|| shipped.clone()),
            other_edition: other?,
            shipped,
        };
        Ok((programs, dir))
    }

    fn play(&mut self, clock: Clock, step: Step) -> Result<()> {
        let (Some((programs, _)), true) = (&self.programs, clock != Clock::Ignored) else {
            return Ok(());
        };
        step(self.adapter.name(), "playing a game by the contest's clock");
        match duel::play(self.adapter, &programs.shipped) {
            Ok(played) => self.shown.duel = Some(played),
            Err(error) if clock == Clock::Used => return Err(error),
            Err(error) => self.shown.reported = Some(format!("{error:#}")),
        }
        Ok(())
    }

    fn compare(&mut self, clock: Clock, step: Step) -> Result<()> {
        if let Some((programs, _)) = &self.programs {
            step(
                self.adapter.name(),
                "comparing answers with the cargo build at fixed work",
            );
            (self.shown.proof, self.scripts) = replay::prove(self.adapter, programs, clock)?;
        }
        Ok(())
    }

    fn time(&mut self, clock: Clock, step: Step) -> Result<()> {
        if let (Some((programs, _)), Clock::Used) = (&self.programs, clock) {
            step(self.adapter.name(), "comparing CPU times");
            self.shown.proof.speed = Some(replay::speed(
                self.adapter,
                programs,
                self.shown.proof.iterations,
                &self.scripts,
            )?);
        }
        Ok(())
    }

    fn report(self) -> Result<Report> {
        let root = project_root()?;
        // A game that fell by the clock may go better the next time.
        if self.programs.is_some() && self.shown.reported.is_none() {
            known::keep(&root, &self.key, &self.shown);
        }
        let file = self.file.strip_prefix(&root).unwrap_or(&self.file);
        Ok(Report {
            game: self.adapter.name().to_owned(),
            file: file.display().to_string(),
            extras: self.extras,
            characters: self.bundled.characters,
            limit: self.bundled.limit,
            shown: self.shown,
            seconds_ago: self.seconds_ago,
        })
    }
}

/// Cargo's builds by the judge's flags, whatever the project's profiles and the environment say, and where the
/// programs lie. What `rustc` does by itself at its full optimisation is what profile `ship` asks of cargo:
/// sixteen units, and link-time optimisation among them only.
pub fn cargo_build(root: &Path, names: &[&str], flags: &[String]) -> Result<Vec<PathBuf>> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--quiet", "--profile", "ship"]);
    command.args(names.iter().flat_map(|name| ["--bin", name]));
    for setting in ["opt-level=3", "lto=false", "codegen-units=16"] {
        command.arg("--config").arg(format!("profile.ship.{setting}"));
    }
    let others: Vec<&str> = flags
        .iter()
        .map(String::as_str)
        .filter(|&flag| flag != "-O" && !flag.starts_with("-Copt-level"))
        .collect();
    let output = command
        .args(["--message-format", "json-render-diagnostics"])
        .current_dir(root)
        .env("CARGO_ENCODED_RUSTFLAGS", others.join("\x1f"))
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .context("cargo cannot be started")?;
    if !output.status.success() {
        bail!(
            "cargo build --profile ship of {}:\n{}",
            names.join(", "),
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<serde_json::Value> = said
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let program = |name: &&str| {
        let mut own = messages
            .iter()
            .filter(|message| message["target"]["name"] == *name);
        own.find_map(|message| message["executable"].as_str().map(PathBuf::from))
            .with_context(|| format!("cargo built no program named {name}"))
    };
    names.iter().map(program).collect()
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:<10} {}", self.game, self.characters)?;
        if let Some(limit) = self.limit {
            write!(f, " of {limit}")?;
        }
        write!(f, " characters; ")?;
        if let Some(duel) = &self.shown.duel {
            write!(f, "{duel}; ")?;
        }
        if let Some(why) = &self.shown.reported {
            write!(f, "REPORTED, by the clock: {why}; ")?;
        }
        write!(f, "{}", self.shown.proof)?;
        if let Some(seconds) = self.seconds_ago {
            let ago = HumanDuration(Duration::from_secs(seconds));
            write!(f, "; shown {ago} ago, unchanged since (`--again` shows it anew)")?;
        }
        Ok(())
    }
}
