//! What a judge takes: one data file each under `targets/`.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// How a judge counts the size of a source.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// UTF-16 code units (JavaScript's string length).
    Utf16,
    /// Bytes of UTF-8.
    #[default]
    Bytes,
}

/// A judge. In a file of one's own only the name has to be there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Name on the command line.
    pub name: String,
    /// One line on where the numbers come from.
    #[serde(default)]
    pub about: String,
    /// Edition it compiles with; the program's own where that does not matter.
    pub edition: Option<u16>,
    /// Largest source, in units.
    pub limit: Option<usize>,
    /// Units of the limit.
    #[serde(default)]
    pub unit: Unit,
    /// Flags for `rustc` beside the edition.
    #[serde(default = "optimised")]
    pub flags: Vec<String>,
    /// It compiles for the baseline of the architecture, whatever runs it: what `cfg(target_feature = "…")` asks is known.
    #[serde(default)]
    pub baseline: bool,
    /// Crates it offers: name in paths and version. Kept as `use` when compatible.
    #[serde(default)]
    pub crates: BTreeMap<String, String>,
    /// Features that it builds them with beside their default ones, by crate.
    #[serde(default)]
    pub features: BTreeMap<String, Vec<String>>,
    /// Keep the project's own comments (docs, tests and comments of other people's crates always go).
    #[serde(default = "kept")]
    pub comments: bool,
    /// First lines of every bundle.
    #[serde(default)]
    pub header: Vec<String>,
}

fn optimised() -> Vec<String> {
    vec!["-O".to_owned()]
}

fn kept() -> bool {
    true
}

const BUILT_IN: [&str; 4] = [
    include_str!("targets/codingame.json"),
    include_str!("targets/nypc.json"),
    include_str!("targets/atcoder.json"),
    include_str!("targets/plain.json"),
];

impl Target {
    /// True if its flags say for which CPU it compiles, or with what of it.
    pub fn names_cpu(&self) -> bool {
        let says = |flag: &String| flag.contains("target-cpu") || flag.contains("target-feature");
        self.flags.iter().any(says)
    }

    /// A built-in target by name, or one from a `.json` file.
    pub fn find(name: &str) -> Result<Self> {
        if Path::new(name).extension().is_some_and(|e| e == "json") {
            let text = std::fs::read_to_string(name).with_context(|| format!("{name}: cannot be read"))?;
            let target: Self =
                serde_json::from_str(&text).with_context(|| format!("{name}: not a target"))?;
            if let Some(edition) = target.edition.filter(|edition| ![2021, 2024].contains(edition)) {
                bail!("{name}: edition {edition}; expected 2021 or 2024");
            }
            return Ok(target);
        }
        let mut names = Vec::new();
        for text in BUILT_IN {
            let target: Self = serde_json::from_str(text).context("a built-in target")?;
            if target.name == name {
                return Ok(target);
            }
            names.push(target.name);
        }
        bail!(
            "no target {name}; there is {}, or a .json file like theirs",
            names.join(", ")
        )
    }

    /// Size of `text` as this judge counts it.
    pub fn count(&self, text: &str) -> usize {
        match self.unit {
            Unit::Utf16 => text.encode_utf16().count(),
            Unit::Bytes => text.len(),
        }
    }

    /// Names of `--cfg` among the flags.
    pub fn cfgs(&self) -> impl Iterator<Item = &String> {
        let pairs = self.flags.iter().zip(self.flags.iter().skip(1));
        pairs.filter(|(flag, _)| *flag == "--cfg").map(|(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn every_built_in_target_is_well_formed() {
        for name in ["codingame", "nypc", "atcoder", "plain"] {
            let target = Target::find(name).unwrap();
            assert_eq!(target.name, name);
            assert_eq!(target.names_cpu(), name == "nypc");
        }
        let error = Target::find("nowhere").unwrap_err().to_string();
        assert!(error.contains("codingame"), "{error}");
    }

    #[test]
    fn a_file_of_ones_own_says_what_differs() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("mine.json");
        let name = file.to_str().unwrap();
        std::fs::write(&file, r#"{ "name": "mine", "limit": 65536 }"#).unwrap();
        let target = Target::find(name).unwrap();
        assert_eq!((target.limit, target.flags), (Some(65536), vec!["-O".to_owned()]));
        assert!(target.comments && target.crates.is_empty() && target.edition.is_none());
        for (text, expected) in [
            (r#"{ "limit": 65536 }"#, "missing field `name`"),
            ("{ \"name\": \"mine\",\n\"limt\": 1 }", "line 2"),
            (r#"{ "name": "mine", "edition": 2019 }"#, "expected 2021 or 2024"),
        ] {
            std::fs::write(&file, text).unwrap();
            let error = format!("{:#}", Target::find(name).unwrap_err());
            assert!(error.contains("mine.json") && error.contains(expected), "{error}");
        }
        let error = format!("{:#}", Target::find("nowhere.json").unwrap_err());
        assert!(error.contains("nowhere.json: cannot be read"), "{error}");
    }

    #[test]
    fn sizes_are_counted_as_the_judge_does() {
        assert_eq!(Target::find("codingame").unwrap().count("é𝄞"), 3);
        assert_eq!(Target::find("nypc").unwrap().count("é𝄞"), 6);
    }
}
