//! Writes tuned values back into the code: the value of a `tunables!` line, nothing else.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// One changed line.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// File it stands in.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Number's name.
    pub name: String,
    /// Value text before.
    pub before: String,
    /// Value text after.
    pub after: String,
}

/// Changes the values in every `.rs` file below `dir`. Errors name the number that no line declares or
/// that two lines declare; then no file is touched.
pub fn apply(dir: &Path, values: &[(String, f64)]) -> Result<Vec<Change>> {
    let mut files = Vec::new();
    collect(dir, &mut files)?;
    let mut texts: Vec<(PathBuf, String)> = Vec::new();
    for file in files {
        let text =
            fs::read_to_string(&file).with_context(|| format!("{}: cannot be read", file.display()))?;
        texts.push((file, text));
    }
    let mut changes = Vec::new();
    for (name, value) in values {
        let mut found = 0;
        for (file, text) in &mut texts {
            let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
            for (n, line) in lines.iter_mut().enumerate() {
                let Some((start, end, whole)) = value_span(line, name) else {
                    continue;
                };
                found += 1;
                let before = line[start..end].to_owned();
                let after = number(*value, whole);
                if before != after {
                    line.replace_range(start..end, &after);
                    changes.push(Change {
                        file: file.clone(),
                        line: n + 1,
                        name: name.clone(),
                        before,
                        after,
                    });
                }
            }
            *text = lines.concat();
        }
        if found != 1 {
            bail!(
                "{}: expected one tunables line for {name}, found {found}",
                dir.display()
            );
        }
    }
    for (file, text) in &texts {
        if changes.iter().any(|c| &c.file == file) {
            let fresh = file.with_extension("rs.new");
            fs::write(&fresh, text).with_context(|| format!("{}: cannot be written", fresh.display()))?;
            fs::rename(&fresh, file).with_context(|| format!("{}: cannot be replaced", file.display()))?;
        }
    }
    Ok(changes)
}

fn collect(dir: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(dir).with_context(|| format!("{}: cannot be listed", dir.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
    out.sort();
    Ok(())
}

/// Byte span of the value in a line `name: type = value, min, max, step;` (`, hand value` may follow the step),
/// and whether the type is whole.
fn value_span(line: &str, name: &str) -> Option<(usize, usize, bool)> {
    let body = line.trim();
    let rest = body.strip_prefix(name)?.strip_prefix(':')?;
    let (kind, numbers) = rest.split_once(" = ")?;
    let columns = numbers.split(", hand ").next()?;
    if !numbers.ends_with(';') || columns.matches(',').count() != 3 {
        return None;
    }
    let start = line.find(" = ")? + 3;
    let end = start + line[start..].find(',')?;
    Some((start, end, !kind.trim().starts_with('f')))
}

/// Four significant digits; whole numbers without a point, others with one.
fn number(value: f64, whole: bool) -> String {
    if whole {
        return format!("{}", value.round());
    }
    if value == 0.0 {
        return "0.0".into();
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(1, 9) as usize;
    let text = format!("{value:.digits$}");
    let text = text.trim_end_matches('0');
    if text.ends_with('.') {
        format!("{text}0")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{apply, number};
    use std::fs;

    const CODE: &str = "fifty::tunables! {\n    /// Weights.\n    pub struct Weights {\n        /// Reach.\n        \
                        reach: f32 = 1.5, 0.0, 10.0, 0.1; // per cell\n        reach_far: i32 = 3, 1, 9, 1, hand 2;\n    }\n}\n";

    #[test]
    fn only_the_value_changes() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("weights.rs");
        // A trailing comment is not the declared form: the line must end with `;`.
        fs::write(&file, CODE.replace(" // per cell", "")).unwrap();
        let changes = apply(
            dir.path(),
            &[("reach".into(), 2.123_456), ("reach_far".into(), 4.0)],
        )
        .unwrap();
        assert_eq!(changes.len(), 2);
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            text.contains("reach: f32 = 2.123, 0.0, 10.0, 0.1;\n")
                && text.contains("reach_far: i32 = 4, 1, 9, 1, hand 2;")
        );
        assert_eq!(
            text.replace("2.123", "1.5").replace("= 4,", "= 3,"),
            CODE.replace(" // per cell", "")
        );
    }

    #[test]
    fn an_unknown_number_is_named_and_nothing_is_touched() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("weights.rs");
        fs::write(&file, CODE.replace(" // per cell", "")).unwrap();
        let error = apply(dir.path(), &[("reach".into(), 9.0), ("depth".into(), 4.0)])
            .unwrap_err()
            .to_string();
        assert!(error.contains("depth"), "{error}");
        assert!(fs::read_to_string(&file).unwrap().contains("= 1.5,"));
    }

    #[test]
    fn numbers_keep_four_digits() {
        let texts: Vec<String> = [0.0, 1234.56, 0.001_234_56, -2.0, 17.25]
            .iter()
            .map(|&v| number(v, false))
            .collect();
        assert_eq!(texts, ["0.0", "1234.6", "0.001235", "-2.0", "17.25"]);
        assert_eq!(number(3.7, true), "4");
    }
}
