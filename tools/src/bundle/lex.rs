//! Source text as a flat list of tokens with byte ranges, and edits of that text.
//!
//! The bundler never prints a syntax tree: it cuts, replaces and inserts pieces of the author's own text,
//! so layout, comments and macro bodies stay as they were written.

use super::rejected::unparsed;
use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Identifier or keyword.
    Ident,
    /// One punctuation character, or `::`.
    Punct,
    /// Literal.
    Lit,
    /// `(`, `[` or `{`; `pair` is the index of its end.
    Open,
    /// `)`, `]` or `}`; `pair` is the index of its start.
    Close,
    /// A doc comment.
    Doc,
}

/// One token.
#[derive(Clone, Debug)]
pub struct Tok {
    /// What it is.
    pub kind: Kind,
    /// Bytes in the text.
    pub range: Range<usize>,
    /// Index of the other delimiter, or of itself.
    pub pair: usize,
}

/// Keywords that a path may follow.
pub const BEFORE_A_PATH: [&str; 20] = [
    "use", "return", "in", "as", "dyn", "mut", "else", "for", "impl", "match", "where", "const", "if",
    "while", "break", "move", "ref", "unsafe", "yield", "let",
];

/// A name without `r#`: the same name to the compiler.
pub fn unraw(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// A name as it is written in an edition: raw where it is a keyword there.
pub fn raw_in(edition: u16, name: &str) -> String {
    let is_word = syn::parse_str::<syn::Ident>(unraw(name)).is_ok();
    if is_word && (unraw(name) != "gen" || edition < 2024) {
        name.to_owned()
    } else {
        format!("r#{}", unraw(name))
    }
}

/// The signs around a group; blanks where it has none.
pub fn brackets(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => (" ", " "),
    }
}

/// Where spans lie in the text that they are of: by lines, as a span takes far longer to tell its bytes.
struct Places {
    /// The first character of each line.
    lines: Vec<usize>,
    /// The byte at which each character begins, and where the last one ends; of plain text nothing.
    bytes: Vec<usize>,
}

impl Places {
    fn of(text: &str) -> Self {
        let mut lines = vec![0];
        let ends = text.chars().enumerate().filter(|(_, sign)| *sign == '\n');
        lines.extend(ends.map(|(n, _)| n + 1));
        let mut bytes = Vec::new();
        if !text.is_ascii() {
            bytes.extend(text.char_indices().map(|(at, _)| at));
            bytes.push(text.len());
        }
        Self { lines, bytes }
    }

    fn byte(&self, at: LineColumn) -> usize {
        let n = self.lines[at.line - 1] + at.column;
        self.bytes.get(n).copied().unwrap_or(n)
    }

    fn range(&self, span: Span) -> Range<usize> {
        self.byte(span.start())..self.byte(span.end())
    }
}

/// A lexed text.
pub struct Tokens<'a> {
    /// The text.
    pub text: &'a str,
    /// Its tokens in order.
    pub list: Vec<Tok>,
    stream: TokenStream,
}

impl<'a> Tokens<'a> {
    /// Lexes `text`; errors name the line.
    pub fn new(text: &'a str, path: &Path) -> Result<Self> {
        let stream: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| {
            anyhow!(
                "{}:{}: cannot be read as Rust: {error}",
                path.display(),
                error.span().start().line
            )
        })?;
        let mut tokens = Self {
            text,
            list: Vec::new(),
            stream: stream.clone(),
        };
        tokens.add(stream, &Places::of(text));
        Ok(tokens)
    }

    /// The text's items, of the same tokens.
    pub fn file(&self) -> Result<syn::File> {
        syn::parse2(self.stream.clone()).map_err(|error| unparsed(self.text, &error))
    }

    /// Tokens that begin macros by rules, `macro_rules! name` with a group behind it.
    pub fn macros(&self) -> Vec<usize> {
        let is_one = |i: &usize| {
            let at = *i as isize;
            let opens = self.list.get(i + 3).is_some_and(|token| token.kind == Kind::Open);
            self.at(at) == "macro_rules" && self.at(at + 1) == "!" && opens
        };
        (0..self.list.len()).filter(is_one).collect()
    }

    /// The name of the macro whose arguments token `open` opens; `$` where a parameter says it.
    pub fn called(&self, open: usize) -> Option<&'a str> {
        let at = open as isize;
        let is_call = self.list[open].kind == Kind::Open && self.at(at - 1) == "!" && self.is_word(at - 2);
        is_call.then(|| self.at(at - 2 - isize::from(self.at(at - 3) == "$")))
    }

    /// The bytes of the macro by rules that token `at` begins.
    pub fn definition(&self, at: usize) -> Range<usize> {
        self.list[at].range.start..self.list[self.list[at + 3].pair].range.end
    }

    /// Where the matchers of a macro's rules open and what they make: `open` opens the group around all. Up to what reads
    /// otherwise.
    pub fn rules_in(&self, open: usize) -> Vec<(usize, usize)> {
        let mut rules = Vec::new();
        let end = self.list[open].pair;
        let mut matcher = open + 1;
        while matcher < end && self.list[matcher].kind == Kind::Open {
            // Behind `=>`.
            let made = self.list[matcher].pair + 3;
            if made >= end || self.at(made as isize - 1) != ">" || self.list[made].kind != Kind::Open {
                break;
            }
            rules.push((matcher, made));
            let close = self.list[made].pair;
            matcher = close + 1 + usize::from(self.at(close as isize + 1) == ";");
        }
        rules
    }

    /// True for the `>` of an arrow and for one that closes the parameters of an `impl` or `for`: no path ends there.
    pub fn is_head(&self, at: isize) -> bool {
        let is_arrow = |at: isize| matches!(self.at(at - 1), "-" | "=");
        if self.at(at) != ">" || is_arrow(at) {
            return self.at(at) == ">";
        }
        let (mut depth, mut at) = (1, at);
        while depth > 0 && at > 0 {
            at -= 1;
            match self.at(at) {
                ">" if !is_arrow(at) => depth += 1,
                "<" => depth -= 1,
                _ => {}
            }
        }
        matches!(self.at(at - 1), "impl" | "for")
    }

    fn add(&mut self, stream: TokenStream, places: &Places) {
        let mut doc_end = 0;
        for tree in stream {
            let range = places.range(tree.span());
            match tree {
                TokenTree::Group(group) if group.delimiter() != Delimiter::None => {
                    let open = places.range(group.span_open());
                    if range.end <= doc_end {
                        continue;
                    }
                    let start = self.list.len();
                    self.push(Kind::Open, open);
                    self.add(group.stream(), places);
                    let end = self.list.len();
                    self.push(Kind::Close, places.range(group.span_close()));
                    self.list[start].pair = end;
                    self.list[end].pair = start;
                }
                TokenTree::Group(group) => self.add(group.stream(), places),
                TokenTree::Ident(_) => self.push(Kind::Ident, range),
                TokenTree::Literal(_) => self.push(Kind::Lit, range),
                TokenTree::Punct(_) => {
                    if range.end <= doc_end {
                        continue;
                    }
                    let text = &self.text[range.clone()];
                    if text.starts_with("//") || text.starts_with("/*") {
                        doc_end = range.end;
                        self.push(Kind::Doc, range);
                        continue;
                    }
                    if text == ":" {
                        if let Some(last) = self.list.last_mut() {
                            if last.kind == Kind::Punct
                                && last.range.end == range.start
                                && &self.text[last.range.clone()] == ":"
                            {
                                last.range.end = range.end;
                                continue;
                            }
                        }
                    }
                    self.push(Kind::Punct, range);
                }
            }
        }
    }

    fn push(&mut self, kind: Kind, range: Range<usize>) {
        let pair = self.list.len();
        self.list.push(Tok { kind, range, pair });
    }

    /// The token before this one; `..` behind both of its dots: what follows a range is no field.
    pub fn before(&self, i: isize) -> &str {
        match (self.at(i - 2), self.at(i - 1)) {
            (".", ".") => "..",
            (_, before) => before,
        }
    }

    /// Text of token `i`; empty past either end.
    pub fn at(&self, i: isize) -> &'a str {
        usize::try_from(i)
            .ok()
            .and_then(|i| self.list.get(i))
            .map_or("", |t| &self.text[t.range.clone()])
    }

    /// The token behind what is in angles, if `at` is where they open.
    pub fn behind_angles(&self, at: usize) -> usize {
        let (mut k, mut depth) = (at, 0);
        while k < self.list.len() && (depth > 0 || self.at(k as isize) == "<") {
            depth += match self.at(k as isize) {
                "<" => 1,
                ">" => -1,
                _ => 0,
            };
            k += 1;
        }
        k
    }

    /// The first token from `i` on that is in no inner attribute: where items begin.
    pub fn behind_attributes(&self, mut i: usize) -> usize {
        while self.at(i as isize) == "#" && self.at(i as isize + 1) == "!" {
            i = self.list[i + 2].pair + 1;
        }
        i
    }

    /// Where the first part of the group ends that token `open` opens: at a comma, or where the group ends.
    pub fn first_ends(&self, open: usize) -> usize {
        let close = self.list[open].pair;
        let mut k = open + 1;
        while k < close && self.at(k as isize) != "," {
            k = self.list[k].pair.max(k) + 1;
        }
        k
    }

    /// True if token `i` is a word (identifier or keyword).
    pub fn is_word(&self, i: isize) -> bool {
        usize::try_from(i)
            .ok()
            .and_then(|i| self.list.get(i))
            .is_some_and(|t| t.kind == Kind::Ident)
    }

    /// Index of the first token that starts at `byte` or later.
    pub fn from(&self, byte: usize) -> usize {
        self.list.partition_point(|t| t.range.start < byte)
    }

    /// Line of a byte, from 1.
    pub fn line(&self, byte: usize) -> usize {
        line_of(self.text, byte)
    }
}

/// Line of a byte, from 1.
pub fn line_of(text: &str, byte: usize) -> usize {
    text.as_bytes()[..byte.min(text.len())]
        .iter()
        .filter(|b| **b == b'\n')
        .count()
        + 1
}

/// Replacements to be made in one text.
#[derive(Clone, Default)]
pub struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Puts `with` in the place of `range`.
    pub fn replace(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.0.push((range, with.into()));
    }

    /// The same with those of another.
    pub fn add(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Removes `range`.
    pub fn remove(&mut self, range: Range<usize>) {
        self.replace(range, "");
    }

    /// Applies everything; an edit inside an earlier, larger one is dropped.
    pub fn apply(self, text: &str) -> String {
        self.shifting(text).0
    }

    /// The same, with the places behind what is put in, and how far those behind are from where they were.
    pub fn shifting(mut self, text: &str) -> (String, Vec<(usize, isize)>) {
        self.0
            .sort_by_key(|(range, _)| (range.start, !range.is_empty(), std::cmp::Reverse(range.end)));
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        let mut shifts = Vec::new();
        for (range, with) in &self.0 {
            if range.start < at {
                continue;
            }
            out.push_str(&text[at..range.start]);
            out.push_str(with);
            at = range.end;
            shifts.push((out.len(), out.len() as isize - at as isize));
        }
        out.push_str(&text[at..]);
        (out, shifts)
    }
}

/// A string literal, raw where that is readable.
pub fn raw_string(text: &str) -> String {
    // Signs that turn the direction of writing are an error in a literal.
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_plain = |c: char| matches!(c, '\n' | '\t') || !c.is_control() && !turns(c);
    if !text.chars().all(is_plain) {
        let mut out = String::from("\"");
        for c in text.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\0' => out += "\\0",
                c if is_plain(c) => out.push(c),
                c => out.extend(c.escape_default()),
            }
        }
        out.push('"');
        return out;
    }
    let mut hashes = String::new();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    if hashes.is_empty() && !text.contains(['\\', '"']) {
        return format!("\"{text}\"");
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// A byte string literal.
pub fn byte_string(bytes: &[u8]) -> String {
    let mut out = String::from("b\"");
    for byte in bytes {
        match byte {
            b'\n' => out += "\\n",
            b'"' => out += "\\\"",
            b'\\' => out += "\\\\",
            0 => out += "\\0",
            b' '..=b'~' => out.push(*byte as char),
            byte => drop(write!(out, "\\x{byte:02x}")),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_lie_where_their_spans_do() {
        for text in [
            "/// ä\nfn main() {\n    let ö = \"é\n→\"; /* ß */ f(&ö, 'x'); }\n",
            "//! two\n//! lines\nmod a { pub struct S<'a>(&'a str); }\n\n",
            "fn f() -> &'static [u8] { b\"\\n\" }",
        ] {
            let mut expected = Vec::new();
            let mut todo: Vec<TokenTree> = text.parse::<TokenStream>().unwrap().into_iter().collect();
            while let Some(tree) = todo.pop() {
                let places = Places::of(text);
                assert_eq!(
                    places.range(tree.span()),
                    tree.span().byte_range(),
                    "{tree} in {text}"
                );
                expected.push(tree.span().byte_range().start);
                if let TokenTree::Group(group) = tree {
                    todo.extend(group.stream());
                }
            }
            let tokens = Tokens::new(text, Path::new("text")).unwrap();
            for token in tokens.list.iter().filter(|token| token.kind != Kind::Close) {
                assert!(expected.contains(&token.range.start), "{token:?} in {text}");
            }
        }
    }
}
