//! Where the lines of a bundle were written: file and line of the project.
//!
//! A bundle's line is looked for in the files that its crate was made of, by its words alone, as blanks, `crate::` and the
//! names of crates change on the way. What was translated is found by the longest run of words that it shares with a line
//! of its author, who is shown that one. What a macro made is nowhere; then there is no place to tell.

use super::editions::{Differs, Line, Unread};
use super::inline::Parts;
use super::project::Project;
use std::path::Path;

/// Lines told of one error.
const MOST: usize = 4;

/// Bytes that a line shares at least with the one it is taken to be made of.
const LEAST_SHARED: usize = 20;

/// The error with the places that the compiler's edition lints are about.
pub fn of_lints(error: anyhow::Error, project: &Project, parts: &Parts) -> anyhow::Error {
    if let Some(unread) = error.downcast_ref::<Unread>() {
        let place = place(&unread.line, project, parts);
        return error.context(place);
    }
    let Some(differs) = error.downcast_ref::<Differs>() else {
        return error;
    };
    let lines = differs.lines.iter().take(MOST);
    let of_line = |line| {
        format!(
            "{} means something else in another edition",
            place(line, project, parts)
        )
    };
    let told: Vec<String> = lines.map(of_line).collect();
    if told.is_empty() {
        return error;
    }
    error.context(told.join("\n"))
}

/// Package, file and line, and the line.
fn place(line: &Line, project: &Project, parts: &Parts) -> String {
    let part = parts.list.iter().find(|part| part.module == line.module);
    let krate = part.map(|part| &project.crates[part.krate]);
    let package = krate.map_or("the program", |krate| krate.package.as_str());
    let folder = krate.and_then(|krate| krate.root.parent());
    let files = &parts.files;
    let found = folder.and_then(|folder| {
        let exact = find(&line.line, folder, files).map(|place| (place, line.line.clone()));
        exact.or_else(|| nearest(&line.line, folder, files))
    });
    let (place, own) = found.unwrap_or_else(|| ("out of a macro".to_owned(), line.line.clone()));
    format!("{package}, {place}: `{own}`")
}

/// File and line of the only place, or the first, below `folder` with the words of `line`.
pub fn find(line: &str, folder: &Path, files: &[std::path::PathBuf]) -> Option<String> {
    let wanted = words(line);
    let wanted = wanted.trim_end_matches(['{', '}', ';', ',']);
    if wanted.is_empty() {
        return None;
    }
    for file in files.iter().filter(|file| file.starts_with(folder)) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let found = text.lines().position(|own| words(own).contains(wanted));
        if let Some(n) = found {
            return Some(format!("{}:{}", file.display(), n + 1));
        }
    }
    None
}

/// Place and text of the line below `folder` that shares the longest run of words with `line`: a quarter of it at least.
fn nearest(line: &str, folder: &Path, files: &[std::path::PathBuf]) -> Option<(String, String)> {
    let wanted = words(line);
    let least = (wanted.len() / 4).max(LEAST_SHARED);
    let mut best: Option<(usize, String, String)> = None;
    for file in files.iter().filter(|file| file.starts_with(folder)) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        for (n, own) in text.lines().enumerate() {
            let shared = shared(wanted.as_bytes(), words(own).as_bytes());
            if shared >= least && best.as_ref().is_none_or(|(most, ..)| shared > *most) {
                let place = format!("{}:{}", file.display(), n + 1);
                best = Some((shared, place, own.trim().to_owned()));
            }
        }
    }
    best.map(|(_, place, own)| (place, own))
}

/// Bytes of the longest run that is in both.
fn shared(a: &[u8], b: &[u8]) -> usize {
    let mut most = 0;
    // Of runs that end at this byte of `a`, by the byte of `b` behind their end.
    let mut runs = vec![0; b.len() + 1];
    for x in a {
        for (i, y) in b.iter().enumerate().rev() {
            runs[i + 1] = if x == y { runs[i] + 1 } else { 0 };
            most = most.max(runs[i + 1]);
        }
    }
    most
}

fn words(line: &str) -> String {
    let bare = line.replace("crate::", "").replace("self::", "");
    bare.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_by_its_words() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("lib.rs");
        std::fs::write(&file, "fn a() {}\n    for x  in crate::LIST.into_iter() {\n").unwrap();
        let files = [file.clone()];
        let place = find("for x in LIST.into_iter() {}", dir.path(), &files);
        assert_eq!(place, Some(format!("{}:2", file.display())));
        assert_eq!(find("for y in LIST", dir.path(), &files), None);
    }

    #[test]
    fn a_translated_line_is_found_by_what_it_shares() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("lib.rs");
        let own = "while let Some(n) = queue.borrow_mut().pop() && n > 9 {}";
        std::fs::write(&file, format!("fn pop() {{}}\n  {own}\nlet n = queue.len();\n")).unwrap();
        let files = [file.clone()];
        let translated =
            "loop { if let Some(n) = queue.borrow_mut().pop() { if n > 9 { {} continue; } } break; }";
        let place = format!("{}:2", file.display());
        assert_eq!(
            nearest(translated, dir.path(), &files),
            Some((place, own.to_owned()))
        );
        assert_eq!(
            nearest("loop { if let Some(m) = stack.get() {} }", dir.path(), &files),
            None
        );
    }
}
