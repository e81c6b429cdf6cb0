//! What Cargo would compile, and what came of its build scripts.
//!
//! The unit graph is an unstable output of a stable Cargo (`RUSTC_BOOTSTRAP` for that one call; nothing is
//! compiled with it); it has had the same form since 2020.

use super::budget::{rustc, said};
use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::TargetKind;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Which program of which project.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Name of the program; empty if there is only one.
    pub bin: String,
    /// It is an example, not a bin target.
    pub example: bool,
    /// Profile it is built with; empty for `release`.
    pub profile: String,
    /// Package, where several have a program of that name.
    pub package: Option<String>,
    /// `Cargo.toml` or its folder, or the one in or above the current folder.
    pub manifest: Option<PathBuf>,
    /// Features to switch on, as for `cargo build --features`.
    pub features: Vec<String>,
    /// As for `cargo build --no-default-features`.
    pub no_default_features: bool,
    /// As for `cargo build --all-features`.
    pub all_features: bool,
    /// Where Cargo keeps what it makes, if not where it would by itself.
    pub target_dir: Option<PathBuf>,
}

impl Selection {
    /// `Cargo.toml` of the project; a folder stands for the one inside.
    pub fn manifest_file(&self) -> Option<PathBuf> {
        let path = self.manifest.as_ref()?;
        Some(if path.is_dir() {
            path.join("Cargo.toml")
        } else {
            path.clone()
        })
    }

    /// Where Cargo is to ask, if a place was named, and with which variables: what the project's own configuration says
    /// (`.cargo/config.toml`) holds there, while the compiler and the target folder remain this folder's.
    pub fn place(&self) -> (Option<PathBuf>, Vec<(&'static str, PathBuf)>) {
        let file = self
            .manifest_file()
            .and_then(|file| std::path::absolute(file).ok());
        let folder = file.as_deref().and_then(Path::parent).map(Path::to_owned);
        let mut variables = Vec::new();
        let told = std::env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty());
        if let Some(target) = self.target_dir.clone().or(told.map(PathBuf::from)) {
            variables.push(("CARGO_TARGET_DIR", std::path::absolute(&target).unwrap_or(target)));
        }
        let root = rustc().parent().and_then(Path::parent);
        let root = root.filter(|root| root.is_absolute() && folder.is_some());
        if let (None, Some(root)) = (std::env::var_os("RUSTUP_TOOLCHAIN"), root) {
            variables.push(("RUSTUP_TOOLCHAIN", root.to_owned()));
        }
        (folder, variables)
    }

    /// Has a command of Cargo ask there.
    fn there(&self, command: &mut Command) {
        let (folder, variables) = self.place();
        command.envs(variables);
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
    }

    /// Adds the features to a cargo command.
    pub fn features_for(&self, command: &mut Command) {
        if !self.features.is_empty() {
            command.arg("--features").arg(self.features.join(","));
        }
        if self.no_default_features {
            command.arg("--no-default-features");
        }
        if self.all_features {
            command.arg("--all-features");
        }
    }

    /// The kind of target that the program is.
    pub fn target_kind(&self) -> TargetKind {
        if self.example {
            TargetKind::Example
        } else {
            TargetKind::Bin
        }
    }

    /// The same as cargo's messages call it.
    pub fn kind(&self) -> &'static str {
        if self.example { "example" } else { "bin" }
    }
}

/// Crates and what they depend on.
#[derive(Debug, Deserialize)]
pub struct Graph {
    /// All of them.
    pub units: Vec<Unit>,
    /// What was asked for.
    pub roots: Vec<usize>,
}

/// One run of the compiler or of a build script.
#[derive(Debug, Deserialize)]
pub struct Unit {
    /// Package id.
    pub pkg_id: String,
    /// What is compiled.
    pub target: UnitTarget,
    /// How.
    pub profile: Profile,
    /// Features of the package that are on.
    pub features: Vec<String>,
    /// What it may name.
    pub dependencies: Vec<Dependency>,
}

/// A target of a package.
#[derive(Debug, Deserialize)]
pub struct UnitTarget {
    /// `lib`, `bin`, `proc-macro`, `custom-build`.
    pub kind: Vec<String>,
    /// Name.
    pub name: String,
    /// Root file.
    pub src_path: PathBuf,
    /// Edition.
    pub edition: String,
}

/// What a profile says that a bundle may not keep.
#[derive(Debug, Deserialize)]
pub struct Profile {
    /// `overflow-checks`.
    #[serde(default)]
    pub overflow_checks: bool,
    /// `debug-assertions`.
    #[serde(default)]
    pub debug_assertions: bool,
    /// `unwind` or `abort`.
    #[serde(default)]
    pub panic: String,
}

/// An edge of the graph.
#[derive(Debug, Deserialize)]
pub struct Dependency {
    /// Index of the unit.
    pub index: usize,
    /// Its name in paths.
    pub extern_crate_name: String,
}

/// A command of Cargo about the program, as it is released.
pub fn cargo(verb: &str, manifest: &Path, bin: &str, selection: &Selection) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let profile = Some(selection.profile.as_str()).filter(|name| !name.is_empty());
    command
        .args([verb, "--profile", profile.unwrap_or("release")])
        .args([&format!("--{}", selection.kind()), bin, "--manifest-path"])
        .arg(manifest);
    selection.there(&mut command);
    selection.features_for(&mut command);
    command
}

/// What the project's own configuration has the compiler find in the environment (`[env]` of `.cargo/config.toml`), but for
/// paths below that file.
pub fn environment(selection: &Selection) -> Vec<(String, String)> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args([
        "-Zunstable-options",
        "config",
        "get",
        "--format",
        "json-value",
        "env",
    ]);
    selection.there(&mut command);
    // Without any, and where Cargo is too old to tell, it fails.
    let out = command.env("RUSTC_BOOTSTRAP", "1").output();
    let said = out
        .ok()
        .and_then(|out| serde_json::from_slice::<Value>(&out.stdout).ok());
    let mut found = Vec::new();
    for (name, value) in said.iter().filter_map(Value::as_object).flatten() {
        let text = value.as_str().or_else(|| value["value"].as_str());
        let is_forced = value["force"].as_bool() == Some(true);
        let outer = std::env::var(name).ok().filter(|_| !is_forced);
        if let Some(text) = text.filter(|_| value["relative"].as_bool() != Some(true)) {
            found.push((name.clone(), outer.unwrap_or_else(|| text.to_owned())));
        }
    }
    found
}

impl Graph {
    /// Asks Cargo.
    pub fn load(manifest: &Path, bin: &str, selection: &Selection) -> Result<Self> {
        let out = cargo("build", manifest, bin, selection)
            .args(["--unit-graph", "-Zunstable-options"])
            .env("RUSTC_BOOTSTRAP", "1")
            .output()
            .context("cargo cannot be started")?;
        if !out.status.success() {
            bail!("cargo build: {}", said(out.status, &out.stderr));
        }
        serde_json::from_slice(&out.stdout).context("cargo's unit graph cannot be read")
    }

    /// The unit of the program.
    pub fn root(&self, selection: &Selection) -> Result<usize> {
        let is_kind = |kind: &String| kind == selection.kind();
        let is_bin = |index: &&usize| self.units[**index].target.kind.iter().any(is_kind);
        self.roots
            .iter()
            .find(is_bin)
            .copied()
            .context("cargo's unit graph has no program")
    }
}

/// What a build script told Cargo.
#[derive(Debug, Default)]
pub struct Script {
    /// `cargo::rustc-cfg`, as rustc prints them.
    pub cfgs: Vec<String>,
    /// `cargo::rustc-env`, and `OUT_DIR`.
    pub env: Vec<(String, String)>,
    /// `cargo::rustc-link-lib`.
    pub libraries: Vec<String>,
}

/// What a check of the program left behind.
#[derive(Debug, Default)]
pub struct Built {
    /// Build scripts by package id.
    pub scripts: HashMap<String, Script>,
    /// Libraries of procedural macros by package id.
    pub macros: HashMap<String, PathBuf>,
}

/// Checks the program with Cargo. Its errors are shown as rustc prints them.
pub fn built(manifest: &Path, bin: &str, selection: &Selection) -> Result<Built> {
    let (built, is_certain) = check(cargo("check", manifest, bin, selection), &|_| true)?;
    if is_certain {
        return Ok(built);
    }
    // A package that other build scripts need as well, with other features, ran its own twice, and messages do not say for
    // whom. For a named target what the program uses lies in a folder of that name.
    let triple = host()?;
    let mut command = cargo("check", manifest, bin, selection);
    command.args(["--target", &triple]);
    let is_there = |dir: &str| {
        let mut parts = Path::new(dir).components();
        parts.any(|part| part.as_os_str() == triple.as_str())
    };
    let (mut apart, _) = check(command, &is_there)?;
    // Of procedural macros, which are the host's alone, the first time tells.
    for (id, script) in built.scripts {
        apart.scripts.entry(id).or_insert(script);
    }
    Ok(apart)
}

/// What holds under `cfg` only because the project's own flags for the compiler say so (`RUSTFLAGS`, `.cargo/config.toml`),
/// `debug_assertions` and `overflow_checks` among it.
pub fn flagged(manifest: &Path, bin: &str, selection: &Selection) -> Result<BTreeSet<String>> {
    let lines = |command: &mut Command| -> Result<BTreeSet<String>> {
        let out = command
            .env("RUSTC_BOOTSTRAP", "1")
            .output()
            .context("the compiler cannot be started")?;
        // An older cargo cannot tell: then there are none.
        let text = String::from_utf8_lossy(&out.stdout);
        Ok(text.lines().map(|line| line.trim().to_owned()).collect())
    };
    let asked = || {
        let mut command = cargo("rustc", manifest, bin, selection);
        command.args(["--print", "cfg", "-Zunstable-options"]);
        command
    };
    let plain = lines(Command::new(rustc()).args(["-O", "--print", "cfg"]))?;
    // Cargo asks without the profile: what optimised code leaves out is told by a flag more, which holds beside others only
    // where these are.
    let mut all = BTreeSet::new();
    for (name, between) in [("CARGO_ENCODED_RUSTFLAGS", "\u{1f}"), ("RUSTFLAGS", " ")] {
        if let (true, Ok(flags)) = (all.is_empty(), std::env::var(name)) {
            let more = MORE.join(between);
            let flags = if flags.is_empty() {
                more
            } else {
                flags + between + &more
            };
            all = lines(asked().env(name, flags))?;
        }
    }
    for place in ["build", "target.'cfg(all())'"] {
        if !all.contains(MARK) {
            let more = format!("{place}.rustflags = {MORE:?}");
            all = lines(asked().args(["--config", &more]))?;
        }
    }
    if !all.remove(MARK) {
        all = &lines(&mut asked())? - &BTreeSet::from(OPTIMISED.map(str::to_owned));
    }
    Ok(&all - &plain)
}

/// Holds where the flags are in force that are asked with.
const MARK: &str = "fifty_asks";

/// The flags that are asked with.
const MORE: [&str; 2] = ["-Copt-level=3", "--cfg=fifty_asks"];

/// What an optimised program is without, if no flag says otherwise.
const OPTIMISED: [&str; 2] = ["debug_assertions", "overflow_checks"];

/// The triple that the compiler is made for.
fn host() -> Result<String> {
    let out = Command::new("rustc")
        .arg("-vV")
        .output()
        .context("rustc cannot be started")?;
    let text = String::from_utf8_lossy(&out.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc -vV names no host")?.to_owned())
}

/// What a check left behind, of build scripts those with a fitting `OUT_DIR`; `false` if one of these has two answers.
fn check(mut command: Command, fits: &dyn Fn(&str) -> bool) -> Result<(Built, bool)> {
    let child = command
        .args(["--message-format", "json", "--quiet"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cargo cannot be started")?;
    let out = child.wait_with_output().context("cargo check")?;
    let text = String::from_utf8_lossy(&out.stdout);
    let messages = || {
        text.lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
    };
    if !out.status.success() {
        let is_ended = out.status.code().is_none();
        let said = said(out.status, &out.stderr);
        // A signal says nothing about the program.
        ensure!(!is_ended, "cargo check: {said}");
        // Of a program that has errors its warnings are of no use.
        let errors: String = messages()
            .map(|line| line["message"].clone())
            .filter(|message| {
                message["level"]
                    .as_str()
                    .is_some_and(|level| level.starts_with("error"))
            })
            .filter_map(|message| message["rendered"].as_str().map(str::to_owned))
            .collect();
        bail!("the program itself does not compile:\n{errors}{said}");
    }
    let mut built = Built::default();
    let mut is_certain = true;
    for message in messages() {
        let id = message["package_id"].as_str().unwrap_or_default().to_owned();
        match message["reason"].as_str() {
            Some("build-script-executed") if fits(message["out_dir"].as_str().unwrap_or_default()) => {
                is_certain &= built.scripts.insert(id, script(&message)).is_none();
            }
            Some("compiler-artifact") if message["target"]["kind"][0] == "proc-macro" => {
                let file = message["filenames"].as_array().and_then(|files| files.first());
                if let Some(file) = file.and_then(Value::as_str) {
                    built.macros.insert(id, PathBuf::from(file));
                }
            }
            _ => {}
        }
    }
    Ok((built, is_certain))
}

fn script(message: &Value) -> Script {
    let texts = |key: &str| -> Vec<String> {
        let list = message[key].as_array().into_iter().flatten();
        list.filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let mut env: Vec<(String, String)> = Vec::new();
    for pair in message["env"].as_array().into_iter().flatten() {
        if let (Some(key), Some(value)) = (pair[0].as_str(), pair[1].as_str()) {
            env.push((key.to_owned(), value.to_owned()));
        }
    }
    if let Some(dir) = message["out_dir"].as_str() {
        env.push(("OUT_DIR".to_owned(), dir.to_owned()));
    }
    Script {
        cfgs: texts("cfgs"),
        env,
        libraries: texts("linked_libs"),
    }
}
