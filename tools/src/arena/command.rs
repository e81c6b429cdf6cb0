//! A bot's command line, split as a shell would, but run without one.

use anyhow::{Context, bail};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Program, arguments and environment of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// `NAME=value` words before the program.
    pub env: Vec<(String, String)>,
    /// Program and arguments; never empty.
    pub words: Vec<String>,
    /// Where it starts; none: where we are.
    pub dir: Option<PathBuf>,
}

impl CommandLine {
    /// Splits at blanks; `'…'`, `"…"` and `\` quote as in a shell. Nothing is expanded.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mut words = shell_words::split(text).with_context(|| format!("{text:?}"))?;
        let mut env = Vec::new();
        while let Some((name, value)) = words.first().and_then(|w| w.split_once('=')) {
            if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                break;
            }
            env.push((name.to_owned(), value.to_owned()));
            words.remove(0);
        }
        if words.is_empty() {
            bail!("{text:?}: expected a command");
        }
        Ok(Self {
            env,
            words,
            dir: None,
        })
    }

    /// As a shell reads it.
    pub fn shell(&self) -> String {
        let quote = |word: &String| shell_words::quote(word).into_owned();
        let env = self
            .env
            .iter()
            .map(|(name, value)| format!("{name}={}", quote(value)));
        env.chain(self.words.iter().map(quote))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// True where the command itself binds what it starts to cores.
    pub fn pins(&self) -> bool {
        let name = std::path::Path::new(&self.words[0]).file_name();
        name.is_some_and(|name| name == "taskset" || name == "numactl")
    }

    /// Ready to be started.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).envs(self.env.iter().cloned());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }
}

/// The program must exist before the first game, not fail in each.
pub fn find(program: &str, place: &Path) -> anyhow::Result<()> {
    if program.contains('/') {
        if !place.exists() {
            bail!("{program}: no such file");
        }
        if place.is_dir() {
            bail!("{program}: a folder, expected a program");
        }
        if !can_run(place) {
            bail!(
                "{program}: may not be executed, expected a program (chmod +x, or name what runs it before it)"
            );
        }
        return Ok(());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&path).any(|dir| can_run(&dir.join(program))) {
        Ok(())
    } else {
        bail!("{program}: not found in PATH (a file here needs ./)")
    }
}

fn can_run(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::{CommandLine, find};
    use std::path::Path;

    #[test]
    fn what_cannot_be_started_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let plain = dir.path().join("plain");
        std::fs::write(&plain, "x").unwrap();
        for (place, why) in [
            (dir.path(), "a folder"),
            (&plain, "may not be executed"),
            (Path::new("/no/such"), "no such file"),
        ] {
            let error = find("./bot", place).unwrap_err().to_string();
            assert!(error.starts_with("./bot: ") && error.contains(why), "{error}");
        }
        assert!(find("/bin/sh", Path::new("/bin/sh")).is_ok() && find("sh", Path::new("sh")).is_ok());
    }

    fn words(text: &str) -> Vec<String> {
        CommandLine::parse(text).unwrap().words
    }

    #[test]
    fn splits_like_a_shell() {
        assert_eq!(words("./bot a  b"), ["./bot", "a", "b"]);
        assert_eq!(
            words(r#"sh -c 'read x; echo "$x"' """#),
            ["sh", "-c", r#"read x; echo "$x""#, ""]
        );
        assert_eq!(
            words(r#"a\ b "c \"d\" \n" e'f g'h"#),
            ["a b", r#"c "d" \n"#, "ef gh"]
        );
        let line = CommandLine::parse("FIFTY_ITERATIONS=5 A='x y' ./bot k=v").unwrap();
        assert_eq!(line.words, ["./bot", "k=v"]);
        assert_eq!(
            line.env,
            [
                ("FIFTY_ITERATIONS".into(), "5".into()),
                ("A".into(), "x y".into())
            ]
        );
    }

    #[test]
    fn says_what_is_missing() {
        for (text, missing) in [
            ("", "a command"),
            ("A=1", "a command"),
            ("a 'b", "closing quote"),
            ("a \"b", "closing quote"),
        ] {
            let error = format!("{:#}", CommandLine::parse(text).unwrap_err());
            assert!(error.contains(missing), "{text}: {error}");
        }
    }
}
