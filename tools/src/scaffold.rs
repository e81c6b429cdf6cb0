//! A new game: the files of `tools/template` under another name, and a line in each list of games.
//!
//! The template is a small game that works at once (rules, evaluation, bot, adapter, oracle, a recorded game).
//! Its sources end in `.in`, since they belong to no crate. Undoing is the same list backwards, and only while every file is still as it was written. Nothing here compiles or
//! runs the game: cargo does that next.

use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the template's own name stands, small and as a type.
const NAMES: [&str; 2] = ["newgame", "Newgame"];

/// Words that Rust, the workspace or the bundler has taken.
const TAKEN: [&str; 16] = [
    "core",
    "std",
    "alloc",
    "test",
    "fifty",
    "suite",
    "conformance",
    "recorded",
    "tidy",
    "connect4",
    "newgame",
    "unshipped",
    // What cargo keeps beside the programs.
    "build",
    "deps",
    "examples",
    "incremental",
];

/// A list of games and the line of one in it.
struct Entry {
    file: &'static str,
    /// The line (or lines) of the game, `newgame` its name.
    line: &'static str,
    /// Where it belongs: before the first of these.
    before: &'static str,
}

const LISTS: [Entry; 4] = [
    Entry {
        file: "src/games/mod.rs",
        line: "pub mod newgame;\n",
        before: "",
    },
    Entry {
        file: "tests/suite/main.rs",
        line: "mod newgame;\n",
        before: "",
    },
    Entry {
        file: "tools/src/games/mod.rs",
        line: "    newgame\n",
        before: "}\n\n/// A game of ours by name.",
    },
    Entry {
        file: "Cargo.toml",
        line: "[[bin]]\nname = \"newgame\"\npath = \"bots/newgame.rs\"\n\n",
        before: "# One integration binary",
    },
];

impl Entry {
    /// `text` with the line of `name` added.
    fn add(&self, text: &str, name: &str) -> Result<String> {
        let line = named(self.line, name);
        if !self.before.is_empty() {
            let at = text.find(self.before).with_context(|| {
                format!(
                    "{}: expected {:?}, before which games stand",
                    self.file, self.before
                )
            })?;
            return Ok(format!("{}{line}{}", &text[..at], &text[at..]));
        }
        // A list of modules, in order of their names as rustfmt has them.
        let mut start = 0;
        let mut at = None;
        for other in text.split_inclusive('\n') {
            let module = other.starts_with("mod ") || other.starts_with("pub mod ");
            if module {
                if other > line.as_str() {
                    at = Some(start);
                    break;
                }
                at = Some(start + other.len());
            }
            start += other.len();
        }
        let at = at.with_context(|| format!("{}: expected a list of modules", self.file))?;
        Ok(format!("{}{line}{}", &text[..at], &text[at..]))
    }

    /// `text` without it.
    fn remove(&self, text: &str, name: &str) -> Result<String> {
        let line = named(self.line, name);
        let at = text
            .find(&line)
            .with_context(|| format!("{}: has no line of {name}", self.file))?;
        Ok(format!("{}{}", &text[..at], &text[at + line.len()..]))
    }
}

/// The template's text for a game of this name.
fn named(text: &str, name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    let title: String = first.chain(chars).collect();
    text.replace(NAMES[0], name).replace(NAMES[1], &title)
}

/// A name that can be a module, a program and a type.
fn check(root: &Path, name: &str) -> Result<()> {
    let mut chars = name.chars();
    ensure!(
        chars.next().is_some_and(|c| c.is_ascii_lowercase())
            && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
            && (3..=20).contains(&name.len()),
        "{name:?}: expected 3 to 20 small letters and digits, a letter first"
    );
    if syn::parse_str::<syn::Ident>(name).is_err() || TAKEN.contains(&name) || depends_on(root, name)? {
        bail!("{name:?}: the name is taken by the language, by us or by a crate we use");
    }
    ensure!(
        root.join("tools/template").is_dir(),
        "{}: has no tools/template",
        root.display()
    );
    let title = named(NAMES[1], name);
    for (path, text) in template(root)? {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let mut words = code.flat_map(|line| line.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()));
        ensure!(
            path.extension().is_none_or(|e| e != "in") || !words.any(|word| word == name || word == title),
            "{name:?}: a new game's own code uses that word; take another"
        );
    }
    Ok(())
}

/// True where a manifest of ours names a crate so.
fn depends_on(root: &Path, name: &str) -> Result<bool> {
    for manifest in ["Cargo.toml", "tools/Cargo.toml"] {
        let path = root.join(manifest);
        let text =
            fs::read_to_string(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
        if text.lines().any(|line| line.starts_with(&format!("{name} = "))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The template's files: path below its folder, and text.
fn template(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let template = root.join("tools/template");
    let mut found = Vec::new();
    let mut open = vec![template.clone()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).with_context(|| format!("{}: cannot be listed", dir.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let text =
                fs::read_to_string(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
            found.push((path.strip_prefix(&template)?.to_path_buf(), text));
        }
    }
    found.sort();
    Ok(found)
}

/// The files of a game: path below the root and text, both under its name.
fn files(root: &Path, name: &str) -> Result<Vec<(PathBuf, String)>> {
    let game = template(root)?.into_iter().map(|(place, text)| {
        let place = place.to_string_lossy();
        let place = PathBuf::from(named(place.trim_end_matches(".in"), name));
        let text = formatted(root, &place, named(&text, name))?;
        Ok((place, text))
    });
    game.collect()
}

/// As rustfmt has it, which depends on the length of the name; without rustfmt as it is.
fn formatted(root: &Path, place: &Path, text: String) -> Result<String> {
    if place.extension().is_none_or(|e| e != "rs") {
        return Ok(text);
    }
    let edition = if place.starts_with("tools") {
        "2024"
    } else {
        "2021"
    };
    let rustfmt = Command::new("rustfmt")
        .args(["--edition", edition, "--emit", "stdout"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut rustfmt) = rustfmt else {
        return Ok(text);
    };
    rustfmt
        .stdin
        .take()
        .context("no pipe to rustfmt")?
        .write_all(text.as_bytes())?;
    let output = rustfmt.wait_with_output()?;
    if !output.status.success() {
        return Ok(text);
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Lists changed by `edit`, read before anything is written.
fn lists(root: &Path, edit: impl Fn(&Entry, &str) -> Result<String>) -> Result<Vec<(PathBuf, String)>> {
    let changed = LISTS.iter().map(|entry| {
        let path = root.join(entry.file);
        let text =
            fs::read_to_string(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
        Ok((path, edit(entry, &text)?))
    });
    changed.collect()
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))
}

/// Writes the game `name` into the project at `root`; returns the files written, below the root.
pub fn create(root: &Path, name: &str) -> Result<Vec<PathBuf>> {
    check(root, name)?;
    ensure!(
        !root.join("src/games").join(name).exists(),
        "{name:?}: there is a game of that name; `cargo fifty new {name} --remove` takes out an untouched new one"
    );
    let files = files(root, name)?;
    for (path, _) in &files {
        ensure!(!root.join(path).exists(), "{}: is there already", path.display());
    }
    let lists = lists(root, |entry, text| entry.add(text, name))?;
    for (path, text) in files.iter().map(|(path, text)| (root.join(path), text)) {
        write(&path, text)?;
    }
    for (path, text) in &lists {
        write(path, text)?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

/// Takes the game `name` out again. Refuses where a file is no longer as [`create`] wrote it.
pub fn remove(root: &Path, name: &str) -> Result<Vec<PathBuf>> {
    check(root, name)?;
    let files = files(root, name)?;
    for (path, text) in &files {
        let now = fs::read_to_string(root.join(path));
        let now =
            now.with_context(|| format!("{}: cannot be read; is {name} a new game?", path.display()))?;
        ensure!(
            now == *text,
            "{}: was changed since; a game with work in it is removed by hand",
            path.display()
        );
    }
    let lists = lists(root, |entry, text| entry.remove(text, name))?;
    for (path, text) in &lists {
        write(path, text)?;
    }
    for (path, _) in &files {
        let path = root.join(path);
        fs::remove_file(&path)?;
        // The folders that were only this game's.
        let mut dir = path.parent();
        while let Some(empty) = dir.filter(|dir| fs::remove_dir(dir).is_ok()) {
            dir = empty.parent();
        }
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

#[cfg(test)]
mod tests {
    use super::{LISTS, check, create, remove};
    use crate::paths::project_root;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_game_is_made_and_removed_without_a_trace() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for file in LISTS.iter().map(|entry| entry.file).chain(["tools/Cargo.toml"]) {
            let to = root.join(file);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(project_root().unwrap().join(file), to).unwrap();
        }
        symlink(
            project_root().unwrap().join("tools/template"),
            root.join("tools/template"),
        )
        .unwrap();
        let before = LISTS
            .each_ref()
            .map(|entry| fs::read_to_string(root.join(entry.file)).unwrap());
        let made = create(root, "hexa").unwrap();
        assert!(made.len() > 10 && made.iter().all(|path| root.join(path).exists()));
        let state = fs::read_to_string(root.join("tools/src/games/hexa/adapter.rs")).unwrap();
        assert!(state.contains("pub struct Hexa;") && !state.to_lowercase().contains("newgame"));
        assert!(
            create(root, "hexa")
                .unwrap_err()
                .to_string()
                .contains("of that name")
        );
        let changed = root.join(&made[0]);
        let text = fs::read_to_string(&changed).unwrap();
        fs::write(&changed, format!("{text}// work\n")).unwrap();
        assert!(remove(root, "hexa").unwrap_err().to_string().contains("changed"));
        fs::write(&changed, text).unwrap();
        remove(root, "hexa").unwrap();
        assert_eq!(
            before,
            LISTS
                .each_ref()
                .map(|entry| fs::read_to_string(root.join(entry.file)).unwrap())
        );
        assert!(made.iter().all(|path| !root.join(path).exists()));
        assert!(!root.join("src/games/hexa").exists());
    }

    #[test]
    fn names_that_cannot_be_are_refused() {
        for name in [
            "", "Hexa", "he", "fn", "std", "match", "he-xa", "9hexa", "newgame", "../x", "serde", "state",
            "u64",
        ] {
            assert!(check(&project_root().unwrap(), name).is_err(), "{name}");
        }
        for name in ["hexa", "hexa2", "gomoku", "tron"] {
            check(&project_root().unwrap(), name).unwrap();
        }
    }
}
