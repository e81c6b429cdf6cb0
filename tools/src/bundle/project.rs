//! A Cargo project as the bundler sees it: the program, the crates below it, where their sources lie and
//! which features are on. Asked from `cargo metadata` and `cargo tree`; nothing is built.

use super::cfg::Known;
use anyhow::{Context, Result, bail};
use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, Package, PackageId, TargetKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

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
    /// Licence expression as declared.
    pub license: Option<String>,
    /// True if it is not from a registry or repository.
    pub local: bool,
    /// Why it cannot be inlined (procedural macro, build script).
    pub refusal: Option<String>,
    /// `CARGO_*` variables that `env!` may ask for.
    pub env: BTreeMap<String, String>,
}

/// The program and everything below it.
#[derive(Debug)]
pub struct Project {
    /// All crates; the first is the program.
    pub crates: Vec<Crate>,
    /// Cargo's target directory.
    pub target_dir: PathBuf,
    /// Folder of the program's package.
    pub package_dir: PathBuf,
}

/// Which program of which project.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Name of the bin target.
    pub bin: String,
    /// `Cargo.toml`, or the one in or above the current folder.
    pub manifest: Option<PathBuf>,
    /// Features to switch on, as for `cargo build --features`.
    pub features: Vec<String>,
    /// As for `cargo build --no-default-features`.
    pub no_default_features: bool,
}

impl Project {
    /// Asks Cargo for the project of `selection`.
    pub fn load(selection: &Selection) -> Result<Self> {
        let target = host_cfg()?;
        let mut command = MetadataCommand::new();
        if let Some(manifest) = &selection.manifest {
            command.manifest_path(manifest);
        }
        if !selection.features.is_empty() {
            command.features(CargoOpt::SomeFeatures(selection.features.clone()));
        }
        if selection.no_default_features {
            command.features(CargoOpt::NoDefaultFeatures);
        }
        command.other_options(vec!["--filter-platform".to_owned(), target.triple.clone()]);
        let metadata = command.exec().context("cargo metadata")?;
        let (package, bin) = find_bin(&metadata, &selection.bin)?;
        let features = resolved_features(&metadata, package, selection, &target.triple)?;
        let mut builder = Builder {
            metadata: &metadata,
            features,
            target: target.flags,
            crates: Vec::new(),
            by_id: HashMap::new(),
        };
        let root = builder.add_crate(package, bin.src_path.as_std_path(), &bin.name, bin.edition);
        builder.deps(root, package);
        if let Some(lib) = package.targets.iter().find(|t| is_lib(t)) {
            let index = builder.library(package);
            builder.crates[root]
                .deps
                .insert(lib.name.replace('-', "_"), index);
        }
        if package
            .targets
            .iter()
            .any(|t| is_kind(t, &TargetKind::CustomBuild))
        {
            builder.crates[root].refusal = Some("it has a build script".to_owned());
        }
        Ok(Self {
            crates: builder.crates,
            target_dir: metadata.target_directory.clone().into_std_path_buf(),
            package_dir: package
                .manifest_path
                .parent()
                .expect("a manifest lies in a folder")
                .as_std_path()
                .to_owned(),
        })
    }
}

struct Host {
    triple: String,
    flags: BTreeSet<String>,
}

fn host_cfg() -> Result<Host> {
    let run = |args: &[&str]| -> Result<String> {
        let out = Command::new("rustc")
            .args(args)
            .output()
            .context("rustc cannot be started")?;
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    };
    let version = run(&["-vV"])?;
    let triple = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .context("rustc -vV names no host")?
        .to_owned();
    Ok(Host {
        triple,
        flags: Known::from_rustc(&run(&["--print", "cfg"])?),
    })
}

fn is_kind(target: &cargo_metadata::Target, kind: &TargetKind) -> bool {
    target.kind.contains(kind)
}

fn is_lib(target: &cargo_metadata::Target) -> bool {
    target.kind.iter().any(|kind| {
        matches!(
            kind,
            TargetKind::Lib
                | TargetKind::RLib
                | TargetKind::DyLib
                | TargetKind::CDyLib
                | TargetKind::StaticLib
                | TargetKind::ProcMacro
        )
    })
}

fn find_bin<'m>(metadata: &'m Metadata, name: &str) -> Result<(&'m Package, &'m cargo_metadata::Target)> {
    let mut names = Vec::new();
    for package in metadata.workspace_packages() {
        for target in &package.targets {
            if is_kind(target, &TargetKind::Bin) {
                if target.name == name {
                    return Ok((package, target));
                }
                names.push(target.name.clone());
            }
        }
    }
    bail!(
        "no program named {name} in {}; there is: {}",
        metadata.workspace_root,
        names.join(", ")
    )
}

/// Features as the build resolves them (`cargo metadata` mixes in those of tests and other members).
fn resolved_features(
    metadata: &Metadata,
    package: &Package,
    selection: &Selection,
    triple: &str,
) -> Result<HashMap<(String, String), BTreeSet<String>>> {
    let mut command = Command::new("cargo");
    command
        .args([
            "tree",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--no-dedupe",
            "--format",
            "{p}\t{f}",
        ])
        .args(["--target", triple, "--package", &package.id.repr])
        .arg("--manifest-path")
        .arg(metadata.workspace_root.join("Cargo.toml"));
    if !selection.features.is_empty() {
        command.arg("--features").arg(selection.features.join(","));
    }
    if selection.no_default_features {
        command.arg("--no-default-features");
    }
    let out = command.output().context("cargo tree cannot be started")?;
    if !out.status.success() {
        bail!("cargo tree: {}", String::from_utf8_lossy(&out.stderr).trim());
    }
    let mut features: HashMap<_, BTreeSet<String>> = HashMap::new();
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let Some((name, list)) = line.split_once('\t') else {
            continue;
        };
        let mut words = name.split_whitespace();
        let (Some(name), Some(version)) = (words.next(), words.next()) else {
            continue;
        };
        features
            .entry((name.to_owned(), version.trim_start_matches('v').to_owned()))
            .or_default()
            .extend(list.split(',').filter(|f| !f.is_empty()).map(str::to_owned));
    }
    Ok(features)
}

struct Builder<'m> {
    metadata: &'m Metadata,
    features: HashMap<(String, String), BTreeSet<String>>,
    target: BTreeSet<String>,
    crates: Vec<Crate>,
    by_id: HashMap<PackageId, usize>,
}

impl Builder<'_> {
    fn add_crate(
        &mut self,
        package: &Package,
        root: &Path,
        name: &str,
        edition: cargo_metadata::Edition,
    ) -> usize {
        let version = package.version.to_string();
        let features = self
            .features
            .get(&(package.name.clone(), version.clone()))
            .cloned()
            .unwrap_or_default();
        let dir = package.manifest_path.parent().map(ToString::to_string);
        let v = &package.version;
        let env = [
            ("CARGO_PKG_NAME", package.name.clone()),
            ("CARGO_PKG_VERSION", version.clone()),
            ("CARGO_PKG_VERSION_MAJOR", v.major.to_string()),
            ("CARGO_PKG_VERSION_MINOR", v.minor.to_string()),
            ("CARGO_PKG_VERSION_PATCH", v.patch.to_string()),
            ("CARGO_PKG_VERSION_PRE", v.pre.to_string()),
            ("CARGO_PKG_AUTHORS", package.authors.join(":")),
            (
                "CARGO_PKG_DESCRIPTION",
                package.description.clone().unwrap_or_default(),
            ),
            ("CARGO_PKG_HOMEPAGE", package.homepage.clone().unwrap_or_default()),
            (
                "CARGO_PKG_REPOSITORY",
                package.repository.clone().unwrap_or_default(),
            ),
            ("CARGO_PKG_LICENSE", package.license.clone().unwrap_or_default()),
            ("CARGO_MANIFEST_DIR", dir.unwrap_or_default()),
            ("CARGO_CRATE_NAME", name.replace('-', "_")),
            ("CARGO_BIN_NAME", name.to_owned()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into();
        self.crates.push(Crate {
            name: name.replace('-', "_"),
            package: format!("{} {version}", package.name),
            version,
            edition: edition.to_string().parse().unwrap_or(2021),
            root: root.to_owned(),
            deps: BTreeMap::new(),
            known: Known {
                target: self.target.clone(),
                features,
            },
            license: package.license.clone(),
            local: package.source.is_none(),
            refusal: None,
            env,
        });
        self.crates.len() - 1
    }

    /// The library of a package, with all below it.
    fn library(&mut self, package: &Package) -> usize {
        if let Some(index) = self.by_id.get(&package.id) {
            return *index;
        }
        let index = match package.targets.iter().find(|t| is_lib(t)) {
            Some(lib) => {
                let index = self.add_crate(package, lib.src_path.as_std_path(), &lib.name, lib.edition);
                if is_kind(lib, &TargetKind::ProcMacro) {
                    self.crates[index].refusal = Some("it is a procedural macro".to_owned());
                }
                index
            }
            None => self.add_crate(package, Path::new(""), &package.name, package.edition),
        };
        if package
            .targets
            .iter()
            .any(|t| is_kind(t, &TargetKind::CustomBuild))
        {
            self.crates[index].refusal = Some("it has a build script".to_owned());
        }
        self.by_id.insert(package.id.clone(), index);
        self.deps(index, package);
        index
    }

    fn deps(&mut self, index: usize, package: &Package) {
        let metadata = self.metadata;
        let Some(resolve) = &metadata.resolve else {
            return;
        };
        let Some(node) = resolve.nodes.iter().find(|n| n.id == package.id) else {
            return;
        };
        for dep in &node.deps {
            let normal =
                dep.dep_kinds.is_empty() || dep.dep_kinds.iter().any(|k| k.kind == DependencyKind::Normal);
            if !normal {
                continue;
            }
            let below = &metadata[&dep.pkg];
            let target = self.library(below);
            self.crates[index].deps.insert(dep.name.clone(), target);
        }
    }
}
