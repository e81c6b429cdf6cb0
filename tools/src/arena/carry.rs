//! Files that go along with a plan, by the hash of their content, and bots whose programs lie there.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Stands for the plan's folder in every word of a plan.
const PLAN: &str = "{plan}";
/// Files that keep their own place below this folder; slices are played in it, if it is there.
pub const WITH: &str = "with";

/// A bot as a plan names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Carried {
    /// What tables call it.
    pub name: String,
    /// One of ours, as on the command line; empty for a program.
    #[serde(default)]
    pub ours: String,
    /// Variables of a program.
    #[serde(default)]
    pub env: Vec<(String, String)>,
    /// A program and its arguments.
    #[serde(default)]
    pub words: Vec<String>,
    /// That program was made of a single file and needs nothing beside it.
    #[serde(default)]
    pub alone: bool,
    /// Its limit for every answer instead of the game's.
    #[serde(default)]
    pub clock: Option<Duration>,
    /// Time beyond its limit in which an answer is still taken.
    #[serde(default)]
    pub grace: Option<Duration>,
}

impl Carried {
    /// The same with the plan's folder in its words.
    #[must_use]
    pub fn at(&self, plan: &Path) -> Self {
        let mut bot = self.clone();
        let values = bot.env.iter_mut().map(|(_, value)| value);
        for word in bot.words.iter_mut().chain(values) {
            *word = at(word, plan);
        }
        bot
    }
}

/// A word with the plan's folder in its place.
pub fn at(word: &str, plan: &Path) -> String {
    word.replace(PLAN, &plan.display().to_string())
}

/// The hash of some content, in hexadecimal.
pub fn hash(content: &[u8]) -> String {
    Sha256::digest(content)
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// Copies files into a plan's folder.
pub struct Carrier<'a> {
    folder: &'a Path,
    with: &'a [PathBuf],
}

impl<'a> Carrier<'a> {
    /// For a plan that is being made in `folder`; files of `with` (files or folders) keep their place.
    pub fn new(folder: &'a Path, with: &'a [PathBuf]) -> Result<Self> {
        let carrier = Self { folder, with };
        for path in with {
            if path.is_absolute() || path.components().any(|c| c.as_os_str() == "..") {
                bail!("--with {}: expected a path below this folder", path.display());
            }
            carrier.copy(path, &folder.join(WITH).join(path))?;
        }
        Ok(carrier)
    }

    fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        let wrong = || format!("{}: cannot be copied", from.display());
        if from.is_dir() {
            for entry in fs::read_dir(from).with_context(wrong)? {
                let entry = entry.with_context(wrong)?;
                self.copy(&entry.path(), &to.join(entry.file_name()))?;
            }
            return Ok(());
        }
        fs::create_dir_all(to.parent().unwrap_or(self.folder)).with_context(wrong)?;
        fs::copy(from, to).with_context(wrong)?;
        Ok(())
    }

    /// A word of a command line as it is written in the plan: a file that it names, alone or behind its first `=`, is
    /// copied. A name without a slash or a point is a program of the machine, looked for in PATH.
    pub fn word(&self, word: &str) -> Result<String> {
        let (before, path) = match word.split_once('=') {
            Some((before, path)) if !Path::new(word).is_file() => (format!("{before}="), path),
            _ => (String::new(), word),
        };
        let file = Path::new(path);
        let below = |with: &PathBuf| file.strip_prefix(".").unwrap_or(file).starts_with(with);
        if !path.contains(['/', '.']) || !file.is_file() || self.with.iter().any(below) || of_the_system(file)
        {
            return Ok(word.to_owned());
        }
        Ok(before + &self.file(file)?)
    }

    fn file(&self, file: &Path) -> Result<String> {
        let content = fs::read(file).with_context(|| format!("{}: cannot be read", file.display()))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let place = format!("files/{}/{name}", &hash(&content)[..16]);
        self.copy(file, &self.folder.join(&place))?;
        Ok(format!("{PLAN}/{place}"))
    }

    /// A command line that a shell would split, with its files copied.
    pub fn line(&self, text: &str) -> Result<String> {
        let words = shell_words::split(text).with_context(|| text.to_owned())?;
        let mut out = text.to_owned();
        for word in &words {
            let carried = self.word(word)?;
            if carried != *word && out.contains(word.as_str()) {
                out = out.replacen(word.as_str(), &carried, 1);
            }
        }
        Ok(out)
    }
}

/// What every machine has for itself.
fn of_the_system(file: &Path) -> bool {
    ["/bin", "/usr", "/lib", "/lib64", "/opt", "/dev", "/proc", "/etc"]
        .iter()
        .any(|dir| file.starts_with(dir))
}

#[cfg(test)]
mod tests {
    use super::{Carrier, hash};
    use std::fs;

    #[test]
    fn files_are_copied_by_content_and_programs_of_the_machine_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let (plan, bot) = (dir.path().join("plan"), dir.path().join("my bot.sh"));
        fs::write(&bot, "echo 1\n").unwrap();
        let carrier = Carrier::new(&plan, &[]).unwrap();
        let place = format!("{{plan}}/files/{}/my bot.sh", &hash(b"echo 1\n")[..16]);
        let text = bot.display().to_string();
        assert_eq!(carrier.word(&text).unwrap(), place);
        assert_eq!(
            carrier.word(&format!("--file={text}")).unwrap(),
            format!("--file={place}")
        );
        for plain in ["python3", "/bin/sh", "--fast", "a=b", "./not-there"] {
            assert_eq!(carrier.word(plain).unwrap(), plain);
        }
        assert!(plan.join(&place["{plan}/".len()..]).is_file());
        assert!(Carrier::new(&plan, &["/etc/passwd".into()]).is_err());
    }
}
