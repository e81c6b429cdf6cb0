//! Words that a procedural macro says are its own (`Span::mixed_site`), marked in the text of what it made.
//!
//! The server that runs macros marks them; what expands calls reads the marks and takes them off.

use proc_macro2::Ident;

/// Begins the words that are a procedural macro's own, in what it made; it is taken off again where these are told apart.
pub const MIXED: &str = "fifty_mixed_";

/// A word of a macro's own site.
pub fn mixed(word: &str) -> String {
    let is_word = is_small(word) && word != "macro_rules" && syn::parse_str::<Ident>(word).is_ok();
    format!("{}{word}", if is_word { MIXED } else { "" })
}

/// A text whose variables, if it is a format, begin with [`MIXED`].
pub fn mixed_format(text: &str) -> String {
    captured(text, &is_small, MIXED)
}

/// True of a word that may be a variable.
pub fn is_small(name: &str) -> bool {
    name.starts_with(|c: char| c.is_lowercase() || c == '_') && name != "_"
}

/// A format with other names for the variables that it takes: `{x}`, `{x:3}`, and widths and precisions, `{:x$}`.
pub fn captured(text: &str, is_one: &dyn Fn(&str) -> bool, prefix: &str) -> String {
    if !text.contains('"') {
        return text.to_owned();
    }
    let is_raw = text.starts_with('r');
    let (mut out, mut rest) = (String::new(), text);
    while let Some(open) = rest.find('{') {
        let is_escape = !is_raw && rest[..open].ends_with("\\u");
        out.push_str(&rest[..=open]);
        rest = &rest[open + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            out.push('{');
            rest = after;
        } else if !is_escape {
            let (inside, after) = rest.split_at(rest.find('}').unwrap_or(rest.len()));
            let (name, sizes) = inside.split_at(inside.find(':').unwrap_or(inside.len()));
            let begin = |name: &str| if is_one(name) { prefix } else { "" };
            out.push_str(begin(name));
            out.push_str(name);
            for size in sizes.split_inclusive('$') {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                let bare = size.strip_suffix('$').unwrap_or("");
                let word = &bare[bare.trim_end_matches(is_word).len()..];
                let word = word.trim_start_matches(|c: char| c.is_ascii_digit());
                let before = bare.len() - word.len();
                out.push_str(&size[..before]);
                out.push_str(begin(word));
                out.push_str(word);
                out.push_str(&size[bare.len()..]);
            }
            rest = after;
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::{mixed, mixed_format};

    #[test]
    fn words_and_formats_are_marked() {
        assert_eq!(
            mixed_format("\"{a:w$} {0} {{b}}\""),
            "\"{fifty_mixed_a:fifty_mixed_w$} {0} {{b}}\""
        );
        let marked = ["x", "_y", "let", "Some", "macro_rules"].map(mixed);
        assert_eq!(
            marked,
            ["fifty_mixed_x", "fifty_mixed__y", "let", "Some", "macro_rules"]
        );
    }
}
