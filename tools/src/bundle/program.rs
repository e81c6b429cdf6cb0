//! Which program of a workspace is meant, and by which manifest Cargo builds it.

use super::unit::Selection;
use anyhow::{Result, bail};
use cargo_metadata::{Metadata, Package, TargetKind};
use std::path::{Path, PathBuf};

fn is_kind(target: &cargo_metadata::Target, kind: &TargetKind) -> bool {
    target.kind.contains(kind)
}

/// The package of `selection`'s program, and its name.
pub fn find_bin<'m>(metadata: &'m Metadata, selection: &Selection) -> Result<(&'m Package, String)> {
    let name = selection.bin.as_str();
    let mut found = Vec::new();
    let mut names = Vec::new();
    let kind = selection.target_kind();
    let what = if selection.example {
        "example"
    } else {
        "program (bin target)"
    };
    // A manifest that is a member's own means that member first.
    let own = nearest(selection);
    for package in metadata.workspace_packages() {
        if selection
            .package
            .as_ref()
            .is_some_and(|want| *want != package.name)
        {
            continue;
        }
        let is_own = is_file(own.as_deref(), package.manifest_path.as_std_path());
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

/// The manifest that Cargo finds for `selection`: the one named, or that of the folder or of one above it.
fn nearest(selection: &Selection) -> Option<PathBuf> {
    if let Some(named) = selection.manifest_file() {
        return named.canonicalize().ok();
    }
    let folder = std::env::current_dir().ok()?;
    let mut files = folder.ancestors().map(|folder| folder.join("Cargo.toml"));
    files.find_map(|file| file.canonicalize().ok())
}

fn is_file(found: Option<&Path>, other: &Path) -> bool {
    found.is_some() && other.canonicalize().ok().as_deref() == found
}

/// The manifest that Cargo builds the program by. Where no package is named and the manifest is that of a workspace Cargo
/// has the features on that any of its default members needs; of a member that is built alone, only its own.
pub fn asked(metadata: &Metadata, selection: &Selection, package: &Package, bin: &str) -> PathBuf {
    let own = package.manifest_path.as_std_path();
    let root = metadata.workspace_root.join("Cargo.toml").into_std_path_buf();
    let (nearest, members) = (nearest(selection), &metadata.workspace_default_members);
    let is_named = selection.package.is_some() || !is_file(nearest.as_deref(), &root);
    if is_named || is_file(nearest.as_deref(), own) || !members.is_available() {
        return own.to_owned();
    }
    // Of several of that name Cargo would build all.
    let kind = selection.target_kind();
    let has_it = |p: &&Package| p.targets.iter().any(|t| t.name == bin && is_kind(t, &kind));
    let defaults = metadata.workspace_default_packages();
    let mut with_it = defaults.into_iter().filter(has_it);
    let is_it = with_it.next().is_some_and(|first| first.id == package.id) && with_it.next().is_none();
    if is_it { root } else { own.to_owned() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::project::metadata;
    use std::fs;

    fn written(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn without_a_name_the_program_is_the_one_that_cargo_runs() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| written(&dir.path().join(path), text);
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

    #[test]
    fn of_a_workspace_cargo_builds_with_the_features_of_all_default_members() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| written(&dir.path().join(path), text);
        for name in ["one", "two"] {
            let package = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
            write(&format!("{name}/Cargo.toml"), &package);
            write(&format!("{name}/src/bin/{name}.rs"), "fn main() {}\n");
            write(&format!("{name}/src/bin/both.rs"), "fn main() {}\n");
        }
        let ask = |more: &str, at: &str, package: Option<&str>, bin: &str| {
            write(
                "Cargo.toml",
                &format!("[workspace]\nresolver = \"2\"\nmembers = [\"one\", \"two\"]\n{more}"),
            );
            let selection = Selection {
                manifest: Some(dir.path().join(at)),
                package: package.map(str::to_owned),
                bin: bin.to_owned(),
                ..Selection::default()
            };
            let (found, _) = metadata(&selection).unwrap();
            let (package, bin) = find_bin(&found, &selection).unwrap();
            let asked = asked(&found, &selection, package, &bin);
            let root = found.workspace_root.as_std_path();
            asked.strip_prefix(root).unwrap().display().to_string()
        };
        assert_eq!(ask("", "", None, "two"), "Cargo.toml");
        assert_eq!(ask("", "two", None, "two"), "two/Cargo.toml");
        assert_eq!(ask("", "", Some("two"), "two"), "two/Cargo.toml");
        assert_eq!(ask("", "", Some("one"), "both"), "one/Cargo.toml");
        let default = "default-members = [\"one\"]\n";
        assert_eq!(ask(default, "", None, "two"), "two/Cargo.toml");
        assert_eq!(ask(default, "", None, "one"), "Cargo.toml");
    }
}
