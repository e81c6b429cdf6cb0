//! A Cargo project as the bundler sees it: the program, the crates below it, where their sources lie and
//! which features are on.
//!
//! Three questions to Cargo: `metadata` (which packages), the unit graph (which crates a release build of
//! this program compiles, with which features, under which names: renamed and target-specific dependencies
//! and both versions of a crate come out as Cargo means them), and `check` (is it a program at all, what
//! did the build scripts say, where are the procedural macros). What the compiler says about the program
//! goes to stderr as it is.

use super::cfg::Known;
use super::lex::unraw;
use super::program::{asked, find_bin};
use super::target::Target;
use super::unit::{self, Graph, Profile, Selection, Unit, built, flagged};
use anyhow::{Context, Result, bail};
use cargo_metadata::camino::Utf8PathBuf;
use cargo_metadata::{CargoOpt, Dependency, DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

/// One crate that may end up in the bundle.
#[derive(Debug)]
pub struct Crate {
    /// Name in paths (`-` is `_`).
    pub name: String,
    /// Package name and version, for messages.
    pub package: String,
    /// Version alone.
    pub version: String,
    /// 2015, 2018, 2021 or 2024.
    pub edition: u16,
    /// Its root file.
    pub root: PathBuf,
    /// Crates it may name: name in its paths, index in [`Project::crates`].
    pub deps: BTreeMap<String, usize>,
    /// Answers for its `cfg`.
    pub known: Known,
    /// What its manifest declares.
    pub declared: Declared,
    /// Licence expression as declared.
    pub license: Option<String>,
    /// True if it is not from a registry or repository.
    pub local: bool,
    /// Why it cannot be inlined (a C library, a build script that did not run).
    pub refusal: Option<String>,
    /// The built library of a procedural macro.
    pub macros: Option<PathBuf>,
    /// Variables that `env!` may ask for.
    pub env: BTreeMap<String, String>,
}

/// What a manifest says of features.
#[derive(Debug, Default)]
pub struct Declared {
    /// What each feature turns on.
    pub features: BTreeMap<String, Vec<String>>,
    /// The dependencies that are not for tests or build scripts alone.
    pub needs: Vec<Dependency>,
}

impl Declared {
    fn of(package: &Package) -> Self {
        let needs = package.dependencies.iter();
        let needs = needs.filter(|need| need.kind == DependencyKind::Normal);
        Self {
            features: package.features.clone().into_iter().collect(),
            needs: needs.cloned().collect(),
        }
    }
}

/// Begins a name for a crate that is called by its number.
pub const NUMBERED: &str = "fifty_crate_";

/// The program and everything below it.
#[derive(Debug)]
pub struct Project {
    /// All crates; the first is the program.
    pub crates: Vec<Crate>,
    /// Cargo's target directory.
    pub target_dir: PathBuf,
    /// Folder of the workspace.
    pub workspace: PathBuf,
    /// The manifest of the program's package.
    pub manifest: PathBuf,
    /// The manifest that Cargo is asked to build the program of: the workspace's, or its own.
    pub asked: PathBuf,
    /// What the release profile asks for that a judge does not give, in words.
    pub notes: Vec<String>,
    /// Instead of Cargo's target directory, where that cannot be written; it goes with the last of these.
    pub spare: Option<Arc<TempDir>>,
}

impl Project {
    /// Asks Cargo for the project of `selection`.
    pub fn load(selection: &Selection) -> Result<Self> {
        let (metadata, rust_versions) = metadata(selection)?;
        let (package, bin) = find_bin(&metadata, selection)?;
        let asked = asked(&metadata, selection, package, &bin);
        let mut selection = selection.clone();
        let spare = spare(metadata.target_directory.as_std_path())?;
        if let Some(spare) = &spare {
            selection.target_dir = Some(spare.path().to_owned());
        }
        let selection = &selection;
        let graph = Graph::load(&asked, &bin, selection)?;
        let built = built(&asked, &bin, selection)?;
        let packages: HashMap<&str, &Package> = metadata
            .packages
            .iter()
            .map(|p| (p.id.repr.as_str(), p))
            .collect();
        let mut target = host_cfg()?;
        // What Cargo is asked of one package alone.
        let flagged = flagged(package.manifest_path.as_std_path(), &bin, selection)?;
        let others = flagged.iter().filter(|cfg| !is_feature(cfg));
        target.extend(others.cloned());
        let mut loader = Loader {
            graph: &graph,
            built: &built,
            packages,
            target,
            rust_versions,
            primary: &package.id,
            crates: Vec::new(),
            by_unit: HashMap::new(),
        };
        let root = graph.root(selection)?;
        loader.add(root)?;
        for (name, value) in unit::environment(selection) {
            for krate in &mut loader.crates {
                krate.env.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        let notes = notes(&graph, root, &loader.by_unit, &flagged);
        Ok(Self {
            crates: loader.crates,
            target_dir: (selection.target_dir.clone())
                .unwrap_or_else(|| metadata.target_directory.clone().into_std_path_buf()),
            spare: spare.map(Arc::new),
            workspace: metadata.workspace_root.clone().into_std_path_buf(),
            manifest: package.manifest_path.clone().into_std_path_buf(),
            asked,
            notes,
        })
    }

    /// All crates are compiled for a judge: by its flags. Where these name no CPU other people's crates are written for the
    /// baseline: what they have for others is several times what a program needs, and it means the same on all.
    pub fn compiled_for(&mut self, target: &Target) {
        for krate in &mut self.crates {
            krate.known.target.extend(target.cfgs().cloned());
            krate.known.is_baseline = target.baseline || !krate.local && !target.names_cpu();
        }
    }

    /// The crate that paths of `from` call `name`.
    pub fn below(&self, from: usize, name: &str) -> Option<usize> {
        let name = unraw(name);
        let numbered = || name.strip_prefix(NUMBERED)?.parse().ok();
        let deps = &self.crates[from].deps;
        deps.get(name).copied().or_else(numbered)
    }

    /// Name of the program.
    pub fn bin(&self) -> &str {
        &self.crates[0].env["CARGO_BIN_NAME"]
    }
}

fn is_feature(cfg: &str) -> bool {
    cfg.starts_with("target_feature")
}

/// What the profile and the flags of a project ask for that no bundle keeps; `units` are the crates' in the graph, and
/// `flagged` is what holds by the flags.
fn notes(
    graph: &Graph,
    root: usize,
    units: &HashMap<usize, usize>,
    flagged: &BTreeSet<String>,
) -> Vec<String> {
    let mut notes = Vec::new();
    if flagged.iter().any(|cfg| is_feature(cfg)) {
        notes.push(
            "the project's flags for the compiler name a processor that the judge's compiler is not told of: \
             cfg(target_feature = …) is answered without it there"
                .to_owned(),
        );
    }
    let profile = &graph.units[root].profile;
    // Flags say it of all, and a profile may say it of single packages.
    let of_some = |name: &str, asks: &dyn Fn(&Profile) -> bool| {
        if flagged.contains(name) {
            return Some("by the project's flags".to_owned());
        }
        if asks(profile) {
            return Some("of the profile".to_owned());
        }
        let asked = units.keys().map(|unit| &graph.units[*unit]);
        let asked = asked.filter(|unit| asks(&unit.profile));
        let names: BTreeSet<&str> = asked.map(|unit| unit.target.name.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        (!names.is_empty()).then(|| format!("of the profile for {}", names.join(", ")))
    };
    if let Some(of) = of_some("overflow_checks", &|profile| profile.overflow_checks) {
        notes.push(format!(
            "overflow-checks = true {of} is not kept: the judge's compiler wraps silently"
        ));
    }
    if let Some(of) = of_some("debug_assertions", &|profile| profile.debug_assertions) {
        notes.push(format!("debug-assertions = true {of} is not kept"));
    }
    if profile.panic == "abort" {
        notes.push("panic = \"abort\" of the profile is not kept: a panic unwinds".to_owned());
    }
    notes
}

/// A folder to be used instead of `target` where nothing can be written.
fn spare(target: &Path) -> Result<Option<TempDir>> {
    let tried = std::fs::create_dir_all(target).and_then(|()| tempfile::tempfile_in(target));
    tried
        .err()
        .map(|_| tempfile::tempdir().context("no temporary directory"))
        .transpose()
}

/// What Cargo says of the workspace, and the `rust-version` of packages.
pub fn metadata(selection: &Selection) -> Result<(Metadata, HashMap<String, String>)> {
    let mut command = MetadataCommand::new();
    if let Some(manifest) = selection.manifest_file() {
        command.manifest_path(std::path::absolute(&manifest).unwrap_or(manifest));
    }
    let (folder, variables) = selection.place();
    for (name, value) in variables {
        command.env(name, value);
    }
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    if !selection.features.is_empty() {
        command.features(CargoOpt::SomeFeatures(selection.features.clone()));
    }
    if selection.no_default_features {
        command.features(CargoOpt::NoDefaultFeatures);
    }
    if selection.all_features {
        command.features(CargoOpt::AllFeatures);
    }
    let out = command
        .cargo_command()
        .output()
        .context("cargo cannot be started")?;
    if !out.status.success() {
        bail!("{}", String::from_utf8_lossy(&out.stderr).trim());
    }
    let text = String::from_utf8_lossy(&out.stdout);
    let line = text.lines().find(|line| line.starts_with('{'));
    let line = line.context("cargo metadata says nothing")?;
    let metadata = MetadataCommand::parse(line).context("cargo metadata")?;
    Ok((metadata, rust_versions(line)?))
}

/// The `rust-version` of packages by their identity, as they are written: [`Metadata`] makes `1.80.0` of `1.80`.
fn rust_versions(metadata: &str) -> Result<HashMap<String, String>> {
    let metadata: Value = serde_json::from_str(metadata)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    Ok(packages
        .filter_map(|package| Some((text(&package["id"])?, text(&package["rust_version"])?)))
        .collect())
}

fn host_cfg() -> Result<BTreeSet<String>> {
    let out = Command::new("rustc")
        .args(["--print", "cfg"])
        .output()
        .context("rustc cannot be started")?;
    Ok(Known::from_rustc(&String::from_utf8_lossy(&out.stdout)))
}

struct Loader<'m> {
    graph: &'m Graph,
    built: &'m super::unit::Built,
    packages: HashMap<&'m str, &'m Package>,
    target: BTreeSet<String>,
    rust_versions: HashMap<String, String>,
    /// The package that cargo is asked to build.
    primary: &'m PackageId,
    crates: Vec<Crate>,
    by_unit: HashMap<usize, usize>,
}

impl Loader<'_> {
    /// The crate of a unit, with all below it.
    fn add(&mut self, index: usize) -> Result<usize> {
        if let Some(known) = self.by_unit.get(&index) {
            return Ok(*known);
        }
        let unit = &self.graph.units[index];
        let package = self
            .packages
            .get(unit.pkg_id.as_str())
            .with_context(|| format!("cargo names {} in one place only", unit.pkg_id))?;
        let at = self.crates.len();
        self.by_unit.insert(index, at);
        let mut krate = new_crate(package, unit, &self.target);
        if package.id == *self.primary {
            krate
                .env
                .insert("CARGO_PRIMARY_PACKAGE".to_owned(), "1".to_owned());
        }
        if let Some(version) = self.rust_versions.get(&package.id.repr) {
            let key = "CARGO_PKG_RUST_VERSION".to_owned();
            krate.env.insert(key, version.clone());
        }
        if let Some(script) = self.built.scripts.get(&unit.pkg_id) {
            if !script.libraries.is_empty() {
                krate.refusal = Some(format!("it links the library {}", script.libraries.join(", ")));
            }
            krate.known.target.extend(script.cfgs.iter().cloned());
            krate.known.scripted.extend(script.cfgs.iter().cloned());
            krate.env.extend(script.env.iter().cloned());
        }
        let is_macro = unit.target.kind.iter().any(|kind| kind == "proc-macro");
        if is_macro {
            krate.macros = self.built.macros.get(&unit.pkg_id).cloned();
            if krate.macros.is_none() {
                krate.refusal = Some("it is a procedural macro that cargo did not build".to_owned());
            }
        }
        self.crates.push(krate);
        if is_macro {
            return Ok(at);
        }
        for dep in &unit.dependencies {
            let below = &self.graph.units[dep.index].target.kind;
            if below.iter().any(|kind| kind == "custom-build" || kind == "bin") {
                continue;
            }
            let below = self.add(dep.index)?;
            self.crates[at].deps.insert(dep.extern_crate_name.clone(), below);
        }
        Ok(at)
    }
}

fn new_crate(package: &Package, unit: &Unit, target: &BTreeSet<String>) -> Crate {
    let version = package.version.to_string();
    let name = &unit.target.name;
    Crate {
        name: name.replace('-', "_"),
        package: format!("{} {version}", package.name),
        edition: unit.target.edition.parse().unwrap_or(2015),
        root: unit.target.src_path.clone(),
        deps: BTreeMap::new(),
        known: Known {
            target: target.clone(),
            features: unit.features.iter().cloned().collect(),
            scripted: BTreeSet::new(),
            is_baseline: false,
        },
        declared: Declared::of(package),
        license: package.license.clone(),
        local: package.source.is_none(),
        refusal: None,
        macros: None,
        env: environment(package, unit),
        version,
    }
}

/// What cargo has the compiler find in the environment, but for what is known only of the whole project.
fn environment(package: &Package, unit: &Unit) -> BTreeMap<String, String> {
    let name = &unit.target.name;
    let v = &package.version;
    let dir = package.manifest_path.parent().unwrap_or(&package.manifest_path);
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let path = |path: &Option<Utf8PathBuf>| path.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut found: BTreeMap<String, String> = [
        ("CARGO_PKG_NAME", package.name.clone()),
        ("CARGO_PKG_VERSION", v.to_string()),
        ("CARGO_PKG_VERSION_MAJOR", v.major.to_string()),
        ("CARGO_PKG_VERSION_MINOR", v.minor.to_string()),
        ("CARGO_PKG_VERSION_PATCH", v.patch.to_string()),
        ("CARGO_PKG_VERSION_PRE", v.pre.to_string()),
        ("CARGO_PKG_AUTHORS", package.authors.join(":")),
        ("CARGO_PKG_DESCRIPTION", text(&package.description)),
        ("CARGO_PKG_HOMEPAGE", text(&package.homepage)),
        ("CARGO_PKG_REPOSITORY", text(&package.repository)),
        ("CARGO_PKG_LICENSE", text(&package.license)),
        ("CARGO_PKG_README", path(&package.readme)),
        ("CARGO_PKG_LICENSE_FILE", path(&package.license_file)),
        ("CARGO_PKG_RUST_VERSION", String::new()),
        ("CARGO_MANIFEST_DIR", dir.to_string()),
        ("CARGO_MANIFEST_PATH", package.manifest_path.to_string()),
        ("CARGO_CRATE_NAME", name.replace('-', "_")),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    // A library is told no program's name.
    if unit
        .target
        .kind
        .iter()
        .any(|kind| kind == "bin" || kind == "example")
    {
        found.insert("CARGO_BIN_NAME".to_owned(), name.clone());
    }
    found
}

/// `path` as the compiler is given it: from the workspace's folder.
pub fn shown(path: &Path, workspace: &Path) -> String {
    path.strip_prefix(workspace).unwrap_or(path).display().to_string()
}
