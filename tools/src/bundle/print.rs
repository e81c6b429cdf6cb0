//! Putting the parts together, and the three degrees of squeezing the text.

use super::inline::{Part, Parts};
use super::layout::layout;
use super::lex::{Edits, Kind, Tokens};
use super::project::Project;
use super::quoted::quoted;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// How far the text is squeezed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Minify {
    /// Readable: the author's lines, indented by tabs, joined where they fit.
    #[default]
    None,
    /// No comments, blank lines or indentation.
    Light,
    /// As few characters as the tokens allow; names of the program's own are short, and so are whole numbers.
    Full,
}

/// One text: attributes, licences, the program, then a module for each crate. A macro of the program is known in all
/// that follows it: where a crate calls one of that name, which is another there, the crates stand first.
pub fn assemble(parts: &Parts) -> Result<String> {
    let mut text = String::new();
    for line in &parts.attributes {
        let _ = writeln!(text, "{line}");
    }
    let mut list: Vec<&Part> = parts.list.iter().collect();
    // Inner attributes of the program stand before any item.
    let root = list.iter().find(|part| part.module.is_empty());
    let own = root.map_or("", |part| part.text.trim());
    let tokens = Tokens::new(own, Path::new("bundle"))?;
    let next = tokens.list.get(tokens.behind_attributes(0));
    let (first, own) = own.split_at(next.map_or(own.len(), |next| next.range.start));
    if !first.is_empty() {
        let _ = writeln!(text, "{}", first.trim_end());
    }
    for line in &parts.externs {
        let _ = writeln!(text, "{line}");
    }
    if reaches_crates(parts)? {
        list.sort_by_key(|part| part.module.is_empty());
    }
    for part in list {
        if part.module.is_empty() {
            text += own;
            text += "\n";
        } else {
            let _ = write!(text, "\nmod {} {{\n{}\n}}\n", part.module, part.text.trim());
        }
    }
    Ok(text)
}

/// True if a crate calls a macro that has the name of one of the program's own.
fn reaches_crates(parts: &Parts) -> Result<bool> {
    let (program, crates): (Vec<_>, Vec<_>) = parts.list.iter().partition(|part| part.module.is_empty());
    let mut own = BTreeSet::new();
    for part in program.iter().filter(|part| part.text.contains("macro_rules")) {
        let tokens = Tokens::new(&part.text, Path::new("bundle"))?;
        for at in 2..tokens.list.len() as isize {
            if tokens.at(at - 2) == "macro_rules" && tokens.at(at - 1) == "!" {
                own.insert(tokens.at(at).to_owned());
            }
        }
    }
    for part in crates {
        if !own.iter().any(|name| part.text.contains(name.as_str())) {
            continue;
        }
        let tokens = Tokens::new(&part.text, Path::new("bundle"))?;
        let calls =
            |at: isize| tokens.at(at + 1) == "!" && tokens.at(at - 1) != "::" && own.contains(tokens.at(at));
        if (0..tokens.list.len() as isize).any(calls) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Licences of inlined crates that are not the project's own and of which something is left in `text`.
pub fn licences(project: &Project, parts: &Parts, text: &str) -> Vec<String> {
    let foreign = parts
        .list
        .iter()
        .filter(|part| text.contains(&format!("\nmod {} {{", part.module)))
        .map(|part| &project.crates[part.krate])
        .filter(|krate| !krate.local);
    foreign
        .map(|krate| {
            let license = krate.license.as_deref().unwrap_or("no licence declared");
            format!("{}: {license}", krate.package)
        })
        .collect()
}

/// Cleans up gaps between tokens as `minify` says. Tokens themselves, and so strings, stay as they are:
/// that is checked on the result.
pub fn tidy(text: &str, minify: Minify, comments: bool) -> Result<String> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let between = |new: &dyn Fn(&Tokens, usize, &str) -> String| -> String {
        let mut edits = Edits::default();
        let mut end = 0;
        for i in 0..=tokens.list.len() {
            let start = tokens.list.get(i).map_or(text.len(), |t| t.range.start);
            edits.replace(end..start, new(&tokens, i, &text[end..start]));
            end = tokens.list.get(i).map_or(text.len(), |t| t.range.end);
        }
        edits.apply(text)
    };
    let tidied = match minify {
        Minify::None if comments => layout(text, &tokens),
        Minify::None => {
            let bare = between(&|_, _, gap| uncommented(gap));
            layout(&bare, &Tokens::new(&bare, Path::new("bundle"))?)
        }
        Minify::Light => between(&|_, _, gap| light(gap)),
        Minify::Full => {
            let quoted = quoted(&tokens);
            between(&|tokens, i, gap| {
                // Printed with its spaces.
                if quoted.iter().any(|range| range.contains(&i)) {
                    return if gap.is_empty() { "" } else { " " }.to_owned();
                }
                full(tokens, i).to_owned()
            })
        }
    };
    let tidied = tidied.trim().to_owned() + "\n";
    let again = Tokens::new(&tidied, Path::new("bundle"))?;
    ensure!(
        words(&tokens) == words(&again),
        "squeezing the text changed a token: please report this"
    );
    Ok(tidied)
}

/// All tokens but commas that close a list.
fn words<'a>(tokens: &Tokens<'a>) -> Vec<&'a str> {
    let list = &tokens.list;
    (0..list.len())
        .filter(|i| {
            let closes = list.get(i + 1).is_some_and(|t| t.kind == Kind::Close);
            !(closes && tokens.at(*i as isize) == ",")
        })
        .map(|i| tokens.at(i as isize))
        .collect()
}

/// The gap without its comments; lines that held nothing else are gone.
fn uncommented(gap: &str) -> String {
    let mut out = String::new();
    let mut rest = gap;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        out += rest[..at].trim_end_matches([' ', '\t']);
        let end = if rest[at..].starts_with("//") {
            rest[at..].find('\n').map_or(rest.len(), |n| at + n)
        } else {
            block_end(rest, at)
        };
        rest = &rest[end..];
        if out.ends_with('\n') && rest.starts_with('\n') {
            rest = &rest[1..];
        } else if !out.ends_with(char::is_whitespace) && !rest.starts_with('\n') {
            out.push(' ');
        }
    }
    out + rest
}

/// End of the block comment at `at`; they nest.
fn block_end(text: &str, at: usize) -> usize {
    let (mut depth, mut i) = (0, at);
    while i < text.len() {
        if text[i..].starts_with("/*") {
            depth += 1;
            i += 2;
        } else if text[i..].starts_with("*/") {
            depth -= 1;
            i += 2;
            if depth == 0 {
                break;
            }
        } else {
            i += text[i..].chars().next().map_or(1, char::len_utf8);
        }
    }
    i
}

/// One line end where there was one, no comments, no indentation.
fn light(gap: &str) -> String {
    if gap.contains('\n') {
        "\n".to_owned()
    } else if gap.is_empty() {
        String::new()
    } else {
        " ".to_owned()
    }
}

/// True if two operators side by side could be read as a longer one.
fn could_join(a: &str, b: &str) -> bool {
    let pair = (a.chars().last(), b.chars().next());
    let (Some(a), Some(b)) = pair else {
        return false;
    };
    a == b
        || b == '\''
        || a == '$'
        || matches!(
            (a, b),
            (_, '=') | ('-' | '=', '>') | ('<', '-') | ('/', '*') | ('.', _)
        )
}

/// A blank only where two tokens would run together.
fn full(tokens: &Tokens, i: usize) -> &'static str {
    let (Some(before), Some(after)) = (
        i.checked_sub(1).and_then(|i| tokens.list.get(i)),
        tokens.list.get(i),
    ) else {
        return "";
    };
    let gap = &tokens.text[before.range.end..after.range.start];
    if before.range.end == after.range.start {
        return "";
    }
    let word = |kind| matches!(kind, Kind::Ident | Kind::Lit);
    let (a, b) = (
        &tokens.text[before.range.clone()],
        &tokens.text[after.range.clone()],
    );
    // `'a b`, `1 .max`, `& &`, `< -`, `= =`, `# ""`: what the lexer could take for one token keeps its blank.
    let glue = match (before.kind, after.kind) {
        (x, y) if word(x) && word(y) => true,
        (Kind::Punct, Kind::Punct) => could_join(a, b),
        (Kind::Lit, Kind::Punct) => b == "." || b == "#" || b == "'",
        (Kind::Ident, Kind::Punct) => b == "#" || b == "'" || (b == "!" && gap.contains(' ')),
        (Kind::Punct, Kind::Lit) => matches!(a, "." | "'" | "#"),
        (Kind::Punct, Kind::Ident) => a == "'" || a == "#",
        _ => false,
    };
    if glue { " " } else { "" }
}

#[cfg(test)]
mod tests {
    use super::{Minify, tidy};

    const TEXT: &str = "fn f() -> &'static str {\n    // why\n    let x = 1 - -2; // because\n\n\n    /* a /* b */ c */\n    let _ = (x, r\"  // kept  \");\n    \"a\n    b\"\n}\n";

    #[test]
    fn squeezing_keeps_tokens_and_strings() {
        let readable = tidy(TEXT, Minify::None, true).unwrap();
        assert!(
            readable.contains("// because") && !readable.contains("\n\n\n"),
            "{readable}"
        );
        let bare = tidy(TEXT, Minify::None, false).unwrap();
        assert!(
            !bare.contains("because") && bare.contains("r\"  // kept  \""),
            "{bare}"
        );
        assert!(bare.contains("\tlet x = 1 - -2;\n"), "{bare}");
        let full = tidy(TEXT, Minify::Full, true).unwrap();
        assert_eq!(
            full.trim(),
            "fn f()->&'static str{let x=1- -2;let _=(x,r\"  // kept  \");\"a\n    b\"}"
        );
    }

    #[test]
    fn fields_by_number_keep_their_blank() {
        let text = "fn f(x: T) -> u8 { x.0 .0 .1 }\nfn g(x: T) -> u8 {\n    x.0\n        .len()\n}\n";
        let readable = tidy(text, Minify::None, true).unwrap();
        assert!(
            readable.contains("x.0 .0 .1") && readable.contains("x.0.len()"),
            "{readable}"
        );
        let readable = tidy("fn f() { self . 0 . eq (1 . max (x . y)) }", Minify::None, true).unwrap();
        assert!(readable.contains("self. 0 . eq"), "{readable}");
    }

    #[test]
    fn short_statements_share_a_line_and_long_ones_keep_theirs() {
        let text = "mod m {\nfn f(\n    a: u8,\n    b: u8,\n) -> u8 {\n    if a > b {\n        return a;\n    }\n\n    let t = (\n        a,\n    );\n    g!(\n        a,\n    );\n    b\n}\n}\n";
        assert_eq!(
            tidy(text, Minify::None, true).unwrap(),
            "mod m {\nfn f(a: u8, b: u8) -> u8 {\n\tif a > b { return a; }\n\n\tlet t = (a,);\n\tg!(\n\t\ta,\n\t);\n\tb\n}\n}\n"
        );
        let numbers: Vec<String> = (-40..40).map(|n| n.to_string()).collect();
        let table = format!("const T: [i8; 80] = [\n    {},\n];\n", numbers.join(",\n    "));
        let packed = tidy(&table, Minify::None, true).unwrap();
        assert!(packed.contains("[\n\t-40,-39,-38,"), "{packed}");
        assert!(packed.lines().all(|l| l.len() <= 110), "{packed}");
    }
}
