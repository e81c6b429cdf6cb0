//! What was shown about a submission, kept under Cargo's target folder by all that it speaks of: the file's text, how
//! the judge compiles it, cargo's program, this program, the compiler. Where one of them is another, nothing is
//! known. A cache: what cannot be read is not known, what cannot be written is no error.

use super::{Clock, Shown};
use crate::bundle::alone::Compile;
use crate::bundle::cache::name;
use crate::bundle::write;
use anyhow::{Context, Result};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// This program, as 64 bits.
fn own() -> u64 {
    static OWN: OnceLock<u64> = OnceLock::new();
    *OWN.get_or_init(|| {
        let mut hasher = DefaultHasher::new();
        let own = std::env::current_exe().and_then(fs::read);
        own.ok().hash(&mut hasher);
        hasher.finish()
    })
}

/// The name of what is known about a file compiled as `compile` says, beside cargo's program. Errors: there is no such
/// program.
pub fn key(clock: Clock, text: &str, compile: &Compile, cargo: &Path) -> Result<String> {
    let cargo = fs::read(cargo).with_context(|| format!("{}: cannot be read", cargo.display()))?;
    Ok(name(&(clock, text, cargo, own()), compile))
}

fn file(root: &Path, key: &str) -> PathBuf {
    root.join("target/ship/known").join(format!("{key}.json"))
}

/// What was shown, and how many seconds ago.
pub fn find(root: &Path, key: &str) -> Option<(Shown, u64)> {
    let file = file(root, key);
    let text = fs::read_to_string(&file).ok()?;
    let age = file
        .metadata()
        .ok()?
        .modified()
        .ok()?
        .elapsed()
        .unwrap_or_default();
    Some((serde_json::from_str(&text).ok()?, age.as_secs()))
}

/// Keeps what was shown.
pub fn keep(root: &Path, key: &str, shown: &Shown) {
    if let Ok(text) = serde_json::to_string(shown) {
        let _ = write(&text, &file(root, key));
    }
}

#[cfg(test)]
mod tests {
    use super::{find, keep, key};
    use crate::bundle::alone::Compile;
    use crate::ship::{Clock, Shown};
    use std::fs;

    #[test]
    fn what_was_shown_is_known_until_something_changes() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("bot");
        fs::write(&program, "one").unwrap();
        let compile = Compile::default();
        let of = |clock, text: &str, compile: &Compile| key(clock, text, compile, &program).unwrap();
        let first = of(Clock::Used, "fn main() {}", &compile);
        assert!(find(dir.path(), &first).is_none());
        let shown = Shown {
            reported: Some("late".to_owned()),
            ..Shown::default()
        };
        keep(dir.path(), &first, &shown);
        let (found, seconds) = find(dir.path(), &first).unwrap();
        assert_eq!(found.reported, shown.reported);
        assert!(seconds < 600);
        assert_eq!(of(Clock::Used, "fn main() {}", &compile), first);

        let optimised = Compile {
            flags: vec!["-O".to_owned()],
            ..Compile::default()
        };
        assert_ne!(of(Clock::Reported, "fn main() {}", &compile), first);
        assert_ne!(of(Clock::Used, "fn main() { }", &compile), first);
        assert_ne!(of(Clock::Used, "fn main() {}", &optimised), first);
        fs::write(&program, "two").unwrap();
        assert_ne!(of(Clock::Used, "fn main() {}", &compile), first);
        fs::remove_file(&program).unwrap();
        assert!(key(Clock::Used, "", &compile, &program).is_err());
    }
}
