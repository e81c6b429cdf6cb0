//! The main job: a submission file, and the proof that it is one.
//!
//! For one game: bundle the bot, write `dist/<game>.rs`, compile that file alone in an empty directory in
//! both editions, play a whole game with it by the contest's clock, and show that it answers exactly like
//! the cargo build at fixed work. Speed is compared like with like: the file and the cargo build by the same
//! flags, the judge's; and the file by those flags with and without `target-cpu=native`. The ratios are
//! measured and printed, never decide. The game and the ratios depend on the machine's clock;
//! [`Clock::Ignored`] leaves both out, and what remains is true or false on any machine however busy.

pub mod duel;
pub mod keep;
pub mod replay;

use crate::adapter::Adapter;
use crate::bundle::alone::Compile;
use crate::bundle::target::Target;
use crate::bundle::{Request, bundle, write};
use crate::paths::project_root;
use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether what depends on the machine's clock is done as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The game by the contest's clock.
    pub duel: Option<duel::Duel>,
    /// What the game fell by, where that is only reported.
    pub reported: Option<String>,
    /// Equal answers and speed at fixed work.
    pub proof: replay::Proof,
}

/// What is bundled for a game.
fn request(adapter: &'static dyn Adapter) -> Result<Request> {
    let mut request = Request::new(adapter.name(), Some(project_root()?.join("Cargo.toml")))?;
    request.target = Target::find(adapter.target())?;
    Ok(request)
}

/// Bundles several games side by side, one a core, for [`ship`] to find: the compiler is asked one question after the
/// other, so one bundle keeps one core busy. `step` is told what is done; what fails here is told there.
pub fn prepare(adapters: &[&'static dyn Adapter], step: &(dyn Fn(&str) + Sync)) {
    adapters.par_iter().for_each(|adapter| {
        step(&format!("{}: bundling", adapter.name()));
        let _ = request(*adapter).and_then(|request| bundle(&request));
    });
}

/// Ships one game. `step` is told what is being done. Errors say which proof failed.
pub fn ship(adapter: &'static dyn Adapter, clock: Clock, step: &mut dyn FnMut(&str)) -> Result<Report> {
    let root = &project_root()?;
    let name = adapter.name();

    step("bundling");
    let bundled = bundle(&request(adapter)?)?;
    if let Some(limit) = bundled.limit.filter(|&limit| bundled.characters > limit) {
        bail!("{} characters, the limit is {limit}", bundled.characters);
    }
    let extras = adapter.extras(&bundled.text);
    let file = root.join("dist").join(format!("{name}.rs"));
    write(&bundled.text, &file)?;
    for (extra, content) in &extras {
        write(content, &root.join("dist").join(extra))?;
    }

    step("compiling alone, editions 2021 and 2024");
    let dir = tempfile::tempdir().context("no temporary directory")?;
    let alone = |name: &str, compile: &Compile| -> Result<PathBuf> {
        let program = dir.path().join(name);
        compile.program(&bundled.text, &program).with_context(|| {
            let edition = compile.edition;
            format!("{} does not compile alone in edition {edition}", file.display())
        })?;
        Ok(program)
    };
    let judge = &bundled.compile;
    let with = |flags: Vec<String>| Compile {
        flags,
        ..judge.clone()
    };
    let shipped = alone("shipped", judge)?;
    let other_edition = alone(
        "other-edition",
        &Compile {
            edition: if judge.edition == 2021 { 2024 } else { 2021 },
            ..judge.clone()
        },
    )?;

    step("building with cargo by the same flags");
    let cargo = cargo_build(root, name, &judge.flags)?;

    let (mut duel, mut reported) = (None, None);
    if clock != Clock::Ignored {
        step("playing a game by the contest's clock");
        match duel::play(adapter, &shipped) {
            Ok(played) => duel = Some(played),
            Err(error) if clock == Clock::Used => return Err(error),
            Err(error) => reported = Some(format!("{error:#}")),
        }
    }

    step("comparing answers with the cargo build at fixed work");
    let is_cpu = |flag: &String| flag.contains("target-cpu");
    let plain_flags: Vec<String> = judge.flags.iter().filter(|f| !is_cpu(f)).cloned().collect();
    let native_flags = [&plain_flags[..], &["-Ctarget-cpu=native".to_owned()]].concat();
    let plain = if plain_flags == judge.flags {
        shipped.clone()
    } else {
        alone("plain", &with(plain_flags))?
    };
    let native = if native_flags == judge.flags {
        shipped.clone()
    } else {
        alone("native", &with(native_flags))?
    };
    let proof = replay::prove(
        adapter,
        &replay::Programs {
            cargo,
            shipped,
            plain,
            native,
            other_edition,
        },
        clock,
    )?;
    let shown = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    Ok(Report {
        game: name.to_owned(),
        file: shown(&file),
        extras: extras
            .into_iter()
            .map(|(extra, _)| format!("dist/{extra}"))
            .collect(),
        characters: bundled.characters,
        limit: bundled.limit,
        duel,
        reported,
        proof,
    })
}

/// Cargo's build by the judge's flags, whatever the project's profiles and the environment say, and where the
/// program lies. What `rustc` does by itself at its full optimisation is what profile `ship` asks of cargo:
/// sixteen units, and link-time optimisation among them only.
pub fn cargo_build(root: &Path, name: &str, flags: &[String]) -> Result<PathBuf> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--quiet", "--profile", "ship", "--bin", name]);
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
            "cargo build --profile ship --bin {name}:\n{}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .with_context(|| format!("cargo built no program named {name}"))
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:<10} {}", self.game, self.characters)?;
        if let Some(limit) = self.limit {
            write!(f, " of {limit}")?;
        }
        write!(f, " characters; ")?;
        if let Some(duel) = &self.duel {
            write!(f, "{duel}; ")?;
        }
        if let Some(why) = &self.reported {
            write!(f, "REPORTED, by the clock: {why}; ")?;
        }
        write!(f, "{}", self.proof)
    }
}
