//! What shaking found, kept by content under Cargo's target folder: an unchanged input is instant.

use super::alone::Compile;
use super::shake::Shaken;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The shaking code itself is part of the key: another bundler finds nothing of this one's.
const SELF: [&str; 4] = [
    include_str!("shake/mod.rs"),
    include_str!("shake/nodes.rs"),
    include_str!("shake/compiler.rs"),
    include_str!("shake/code.rs"),
];

/// A place for one input's result.
pub struct Slot(PathBuf);

impl Slot {
    /// The place for `text` compiled as `compile` says by the present `rustc`.
    pub fn of(text: &str, compile: &Compile, target_dir: &Path) -> Self {
        let version = Command::new("rustc")
            .arg("-vV")
            .output()
            .map(|o| o.stdout)
            .unwrap_or_default();
        let mut name = String::new();
        for half in 0..2 {
            let mut hasher = DefaultHasher::new();
            (
                half,
                SELF,
                text,
                &version,
                compile.edition,
                &compile.flags,
                &compile.offered,
            )
                .hash(&mut hasher);
            let _ = write!(name, "{:016x}", hasher.finish());
        }
        Self(target_dir.join("fifty-bundle").join(name + ".json"))
    }

    /// What was kept there; `None` if nothing (readable) is.
    pub fn get(&self) -> Option<Shaken> {
        serde_json::from_str(&std::fs::read_to_string(&self.0).ok()?).ok()
    }

    /// Keeps a result. A cache that cannot be written is no error.
    pub fn put(&self, shaken: &Shaken) {
        if let Ok(text) = serde_json::to_string(shaken) {
            let _ = super::write(&text, &self.0);
        }
    }
}
