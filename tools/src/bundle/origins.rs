//! Where the lines of a bundle were written: file and line of the project.
//!
//! A bundle's line is looked for in the files that its crate was made of, by its words alone, as blanks, `crate::` and the
//! names of crates change on the way. What a macro made is nowhere; then there is no place to tell.

use super::editions::{Differs, Line, Unread};
use super::inline::Parts;
use super::project::Project;
use std::path::Path;

/// Lines told of one error.
const MOST: usize = 4;

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
    let place = krate.and_then(|krate| find(&line.line, krate.root.parent()?, &parts.files));
    let place = place.unwrap_or_else(|| "out of a macro".to_owned());
    format!("{package}, {place}: `{}`", line.line)
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
}
