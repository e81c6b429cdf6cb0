//! The main job: a submission file, and the proof that it is one.
//!
//! For one game: bundle the bot, write `dist/<game>.rs`, compile that file alone in an empty directory in
//! both editions, play a whole game with it by the contest's clock, and show that it answers exactly like
//! the cargo build at fixed work. Speed ratios are measured and printed, never judged.

pub mod duel;
pub mod replay;

use crate::bundle::target::Target;
use crate::bundle::{Request, bundle, write};
use crate::paths::project_root;
use crate::room::Room;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    pub duel: duel::Duel,
    /// Equal answers and speed at fixed work.
    pub proof: replay::Proof,
}

/// Ships one game. `step` is told what is being done. Errors say which proof failed.
pub fn ship(room: &'static dyn Room, step: &mut dyn FnMut(&str)) -> Result<Report> {
    let root = project_root();
    let name = room.name();
    let mut request = Request::new(name, Some(root.join("Cargo.toml")))?;
    request.target = Target::find(room.judge())?;

    step("bundling");
    let bundled = bundle(&request)?;
    if let Some(limit) = bundled.limit.filter(|&limit| bundled.characters > limit) {
        bail!("{} characters, the limit is {limit}", bundled.characters);
    }
    let extras = room.extras(&bundled.text);
    let file = root.join("dist").join(format!("{name}.rs"));
    write(&bundled.text, &file)?;
    for (extra, content) in &extras {
        write(content, &root.join("dist").join(extra))?;
    }

    step("compiling alone, editions 2021 and 2024");
    let dir = tempfile::tempdir().context("no temporary directory")?;
    let alone = |edition: u16, native: bool| -> Result<PathBuf> {
        let mut compile = bundled.compile.clone();
        compile.edition = edition;
        if native {
            compile
                .flags
                .extend(["-C".to_owned(), "target-cpu=native".to_owned()]);
        }
        let suffix = if native { "-native" } else { "" };
        let program = dir.path().join(format!("{name}-{edition}{suffix}"));
        compile
            .program(&bundled.text, &program)
            .with_context(|| format!("{} does not compile alone in edition {edition}", file.display()))?;
        Ok(program)
    };
    let other = if bundled.compile.edition == 2021 {
        2024
    } else {
        2021
    };
    let shipped = alone(bundled.compile.edition, false)?;
    let other_edition = alone(other, false)?;

    step("building with cargo, profile ship");
    let cargo = cargo_build(root, name)?;

    step("playing a game by the contest's clock");
    let duel = duel::play(room, &shipped)?;

    step("comparing answers with the cargo build at fixed work");
    let native = alone(bundled.compile.edition, true)?;
    let proof = replay::prove(
        room,
        &replay::Programs {
            shipped,
            other_edition,
            cargo,
            native,
        },
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
        proof,
    })
}

/// `cargo build --profile ship --bin NAME`, and where the program lies.
fn cargo_build(root: &Path, name: &str) -> Result<PathBuf> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet", "--profile", "ship", "--bin", name])
        .args(["--message-format", "json-render-diagnostics"])
        .current_dir(root)
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
        write!(f, " characters; {}; {}", self.duel, self.proof)
    }
}
