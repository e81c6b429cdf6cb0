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
use super::target::Target;
use super::unit::{self, Graph, Selection, Unit, built, flagged};
use anyhow::{Context, Result, bail};
use cargo_metadata::camino::Utf8PathBuf;
use cargo_metadata::{
    CargoOpt, Dependency, DependencyKind, Metadata, MetadataCommand, Package, PackageId, TargetKind,
};
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
        let mut selection = selection.clone();
        let spare = spare(metadata.target_directory.as_std_path())?;
        if let Some(spare) = &spare {
            selection.target_dir = Some(spare.path().to_owned());
        }
        let selection = &selection;
        let graph = Graph::load(package.manifest_path.as_std_path(), &bin, selection)?;
        let built = built(package.manifest_path.as_std_path(), &bin, selection)?;
        let packages: HashMap<&str, &Package> = metadata
            .packages
            .iter()
            .map(|p| (p.id.repr.as_str(), p))
            .collect();
        let mut target = host_cfg()?;
        let flagged = flagged(package.manifest_path.as_std_path(), &bin, selection)?;
        let (features, flagged): (BTreeSet<String>, BTreeSet<String>) = flagged
            .into_iter()
            .partition(|cfg| cfg.starts_with("target_feature"));
        target.extend(flagged);
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
        let profile = &graph.units[root].profile;
        let mut notes = Vec::new();
        if !features.is_empty() {
            notes.push(
                "the project's flags for the compiler name a processor that the judge's compiler is not told of: \
                 cfg(target_feature = …) is answered without it there"
                    .to_owned(),
            );
        }
        if profile.overflow_checks {
            notes.push(
                "overflow-checks = true of the profile is not kept: the judge's compiler wraps \
                 silently"
                    .to_owned(),
            );
        }
        if profile.debug_assertions {
            notes.push("debug-assertions = true of the profile is not kept".to_owned());
        }
        if profile.panic == "abort" {
            notes.push("panic = \"abort\" of the profile is not kept: a panic unwinds".to_owned());
        }
        Ok(Self {
            crates: loader.crates,
            target_dir: (selection.target_dir.clone())
                .unwrap_or_else(|| metadata.target_directory.clone().into_std_path_buf()),
            spare: spare.map(Arc::new),
            workspace: metadata.workspace_root.clone().into_std_path_buf(),
            manifest: package.manifest_path.clone().into_std_path_buf(),
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

/// A folder to be used instead of `target` where nothing can be written.
fn spare(target: &Path) -> Result<Option<TempDir>> {
    let tried = std::fs::create_dir_all(target).and_then(|()| tempfile::tempfile_in(target));
    tried
        .err()
        .map(|_| tempfile::tempdir().context("no temporary directory"))
        .transpose()
}

fn metadata(selection: &Selection) -> Result<(Metadata, HashMap<String, String>)> {
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

fn is_kind(target: &cargo_metadata::Target, kind: &TargetKind) -> bool {
    target.kind.contains(kind)
}

fn find_bin<'m>(metadata: &'m Metadata, selection: &Selection) -> Result<(&'m Package, String)> {
    let name = selection.bin.as_str();
    let mut found = Vec::new();
    let mut names = Vec::new();
    let (kind, what) = if selection.example {
        (TargetKind::Example, "example")
    } else {
        (TargetKind::Bin, "program (bin target)")
    };
    // A manifest that is a member's own means that member first.
    let own = selection
        .manifest_file()
        .map_or_else(
            || std::env::current_dir().map(|d| d.join("Cargo.toml")),
            std::path::absolute,
        )
        .ok();
    let own = own.and_then(|path| path.canonicalize().ok());
    for package in metadata.workspace_packages() {
        if selection
            .package
            .as_ref()
            .is_some_and(|want| *want != package.name)
        {
            continue;
        }
        let is_own = own
            .as_ref()
            .is_some_and(|own| package.manifest_path.as_std_path().canonicalize().ok().as_ref() == Some(own));
        for target in package.targets.iter().filter(|t| is_kind(t, &kind)) {
            names.push(format!("{} (package {})", target.name, package.name));
            if name.is_empty() || target.name == name {
                found.push((is_own, package, target.name.clone()));
            }
        }
    }
    if found.iter().any(|(is_own, ..)| *is_own) {
        found.retain(|(is_own, ..)| *is_own);
    }
    let is_default = |package: &Package, bin: &String| package.default_run.as_ref() == Some(bin);
    if name.is_empty() && !selection.example && found.iter().any(|(_, package, bin)| is_default(package, bin))
    {
        found.retain(|(_, package, bin)| is_default(package, bin));
    }
    match found.as_slice() {
        [(_, package, bin)] => Ok((package, bin.clone())),
        [] if names.is_empty() => bail!("no {what} in {}", asked_of(metadata, selection)?),
        [] => bail!(
            "no {what} named {name} in {}; there is: {}",
            metadata.workspace_root,
            names.join(", ")
        ),
        several => bail!(
            "which program? Name one{}: {}",
            if name.is_empty() { "" } else { " with --package" },
            several
                .iter()
                .map(|(_, package, bin)| format!("{bin} (package {})", package.name))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

/// Where programs were looked for; an error if the workspace has no such package.
fn asked_of(metadata: &Metadata, selection: &Selection) -> Result<String> {
    let root = &metadata.workspace_root;
    let Some(want) = &selection.package else {
        return Ok(root.to_string());
    };
    let packages = metadata.workspace_packages();
    let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    if names.contains(&want.as_str()) {
        return Ok(format!("package {want} of {root}"));
    }
    bail!(
        "no package named {want} in {root}; there is: {}",
        names.join(", ")
    )
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

#[cfg(test)]
mod tests {
    use super::{Selection, find_bin, metadata};
    use std::fs;

    #[test]
    fn without_a_name_the_program_is_the_one_that_cargo_runs() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let package = "[package]\nname = \"many\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        for bin in ["first", "second"] {
            write(&format!("src/bin/{bin}.rs"), "fn main() {}\n");
        }
        let ask = |more: &str, package_name: Option<&str>| {
            write("Cargo.toml", &format!("{package}{more}[workspace]\n"));
            let selection = Selection {
                manifest: Some(dir.path().to_owned()),
                package: package_name.map(str::to_owned),
                ..Selection::default()
            };
            let (found, _) = metadata(&selection).unwrap();
            find_bin(&found, &selection)
                .map(|(_, bin)| bin)
                .map_err(|error| error.to_string())
        };
        assert_eq!(ask("default-run = \"second\"\n", None).unwrap(), "second");
        let both = "which program? Name one: first (package many), second (package many)";
        assert_eq!(ask("", None).unwrap_err(), both);
        let none = ask("", Some("other")).unwrap_err();
        assert!(none.starts_with("no package named other in "), "{none}");
        assert!(none.ends_with("; there is: many"), "{none}");
    }
}
