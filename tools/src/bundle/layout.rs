//! The readable form: the author's lines, indented by tabs, joined where a statement fits into one.
//!
//! Works on tokens and the gaps between them. What changes is white space and commas before a closing
//! bracket that say nothing; inside calls of macros that are not the standard library's own only
//! indentation changes, so a macro that looks at its tokens sees the same. Lines that hold a comment stay.

use super::lex::{Edits, Kind, Tokens};
use std::ops::Range;

/// Columns of a line; a tab counts as four.
const WIDTH: usize = 110;
/// Columns of a line that holds a block.
const WIDTH_OF_BLOCK: usize = 90;
const TAB: usize = 4;

/// Macros whose arguments are expressions or patterns.
const PLAIN_MACROS: [&str; 24] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "dbg",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "matches",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
    "thread_local",
    "include",
    "compile_error",
];

/// Words before `!(` that make it a negation.
const NOT_MACROS: [&str; 8] = ["if", "while", "return", "match", "in", "else", "break", "move"];

/// What stands before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    /// Nothing, or blanks on one line.
    Same,
    /// A line end that may go.
    Soft,
    /// A line end between statements, items or parts of a list.
    Part,
    /// A line end that stays.
    Hard,
}

/// Lays out a text whose gaps hold no doc comments. Comments stay.
pub fn layout(text: &str, tokens: &Tokens) -> String {
    let mut layout = Layout::new(text, tokens);
    layout.sequence(0..tokens.list.len());
    let end = tokens.list.last().map_or(0, |t| t.range.end);
    layout.edits.replace(end..text.len(), text[end..].trim_end());
    layout.edits.apply(text)
}

struct Layout<'a> {
    text: &'a str,
    tokens: &'a Tokens<'a>,
    gaps: Vec<Gap>,
    /// Inside the call of a macro that may look at its tokens.
    opaque: Vec<bool>,
    edits: Edits,
    column: usize,
    depth: usize,
}

impl<'a> Layout<'a> {
    fn new(text: &'a str, tokens: &'a Tokens<'a>) -> Self {
        let mut layout = Self {
            text,
            tokens,
            gaps: Vec::new(),
            opaque: Vec::new(),
            edits: Edits::default(),
            column: 0,
            depth: 0,
        };
        let mut around: Vec<(usize, bool)> = Vec::new();
        for i in 0..tokens.list.len() {
            let token = &tokens.list[i];
            if token.kind == Kind::Close {
                around.pop();
            }
            let inside = around.last().copied();
            let opaque = inside.is_some_and(|(_, opaque)| opaque);
            let gap = layout.judge(i, inside.map(|(open, _)| open), opaque);
            layout.gaps.push(gap);
            layout.opaque.push(opaque);
            if token.kind == Kind::Open {
                around.push((i, opaque || layout.is_foreign_macro(i)));
            }
        }
        layout
    }

    fn at(&self, i: usize) -> &'a str {
        self.tokens.at(i as isize)
    }

    /// The bytes between token `i` and the one before.
    fn gap(&self, i: usize) -> Range<usize> {
        let start = i.checked_sub(1).map_or(0, |b| self.tokens.list[b].range.end);
        start..self.tokens.list[i].range.start
    }

    fn is_foreign_macro(&self, open: usize) -> bool {
        let named = |bang: usize| -> bool {
            bang > 0
                && self.at(bang) == "!"
                && self.tokens.is_word(bang as isize - 1)
                && !NOT_MACROS.contains(&self.at(bang - 1))
                && !PLAIN_MACROS.contains(&self.at(bang - 1))
        };
        // `name!(…)` and `macro_rules! name {…}`.
        open > 0
            && (named(open - 1) || (open > 1 && self.tokens.is_word(open as isize - 1) && named(open - 2)))
    }

    fn is_attribute(&self, close: usize) -> bool {
        let open = self.tokens.list[close].pair;
        self.at(close) == "]"
            && open > 0
            && (self.at(open - 1) == "#"
                || (open > 1 && self.at(open - 1) == "!" && self.at(open - 2) == "#"))
    }

    fn judge(&self, i: usize, inside: Option<usize>, opaque: bool) -> Gap {
        let gap = &self.text[self.gap(i)];
        if gap.contains('/') {
            return Gap::Hard;
        }
        if !gap.contains('\n') {
            return Gap::Same;
        }
        if i == 0 || opaque {
            return Gap::Hard;
        }
        let (before, kind) = (self.at(i - 1), self.tokens.list[i - 1].kind);
        if kind == Kind::Doc || self.is_attribute(i - 1) {
            return Gap::Hard;
        }
        let in_block = inside.is_none_or(|open| self.at(open) == "{");
        let begins = kind == Kind::Open || self.tokens.list[i].kind == Kind::Close;
        let continues = matches!(self.at(i), "." | "?" | "else" | "&&" | "||" | "where");
        let after_block = in_block && before == "}" && !continues;
        if begins || matches!(before, ";" | ",") || after_block {
            Gap::Part
        } else {
            Gap::Soft
        }
    }

    /// What stands between token `i` and the one before when they share a line.
    fn joint(&self, i: usize) -> &'a str {
        let gap = &self.text[self.gap(i)];
        let (before, after) = (self.at(i - 1), self.at(i));
        if self.opaque[i] || gap.is_empty() {
            return gap;
        }
        let of_use = |open: usize| open > 0 && self.at(open - 1) == "::";
        if before == "{" && of_use(i - 1) || after == "}" && of_use(self.tokens.list[i].pair) {
            return "";
        }
        // `x.0 .1` would be a number without its blank, and so would `x.0 . y`.
        let is_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        let is_apart = |i: usize| i < self.tokens.list.len() && !self.gap(i).is_empty();
        let is_number = is_digit(before) && (is_digit(self.at(i + 1)) || is_apart(i + 1));
        let dot = after == "." && self.at(i + 1) != "." && !before.ends_with('.') && !is_number;
        if matches!(before, "(" | "[") || matches!(after, ")" | "]") || dot || after == "?" {
            ""
        } else {
            " "
        }
    }

    /// A comma before a closing bracket that says nothing (in `(a,)` it does).
    fn is_spare_comma(&self, i: usize) -> bool {
        let close = i + 1;
        let is_last = self.tokens.list.get(close).is_some_and(|t| t.kind == Kind::Close);
        if self.at(i) != "," || !is_last || self.gaps[close] == Gap::Hard || self.opaque[i] {
            return false;
        }
        let open = self.tokens.list[close].pair;
        if open > 0 && self.at(open - 1) == "derive" {
            return true;
        }
        if self.at(close) != ")" {
            return matches!(self.at(close), "]" | "}");
        }
        // Those between angle brackets are not the tuple's: `(Map<K, V>,)`. A `<` that compares hides those behind it,
        // and the comma stays.
        let (mut commas, mut angles) = (0, 0usize);
        let mut k = open + 1;
        while k < close {
            match self.at(k) {
                "<" => angles += 1,
                ">" if !matches!(self.at(k - 1), "-" | "=") => angles = angles.saturating_sub(1),
                "," if angles == 0 => commas += 1,
                _ => {}
            }
            k = self.tokens.list[k].pair.max(k) + 1;
        }
        commas > 1
    }

    /// Columns of these tokens on one line (the gap before the first not counted); `None` where they need
    /// more.
    fn flat(&self, range: Range<usize>) -> Option<usize> {
        let mut width = 0;
        for i in range.clone() {
            if i > range.start {
                // A second statement or item in a block wants a line of its own.
                let is_second = self.gaps[i] == Gap::Part
                    && !matches!(self.at(i - 1), "," | "{" | "(" | "[")
                    && self.tokens.list[i].kind != Kind::Close;
                if self.gaps[i] == Gap::Hard || is_second {
                    return None;
                }
                width += self.joint(i).len();
            }
            let text = self.at(i);
            if text.contains('\n') {
                return None;
            }
            width += if self.is_spare_comma(i) {
                0
            } else {
                text.chars().count()
            };
        }
        Some(width)
    }

    /// Writes tokens on one line.
    fn write_flat(&mut self, range: Range<usize>) {
        for i in range.clone() {
            if i > range.start {
                let joint = self.joint(i);
                self.edits.replace(self.gap(i), joint);
            }
            if self.is_spare_comma(i) {
                self.edits.remove(self.tokens.list[i].range.clone());
            }
        }
        self.column += self.flat(range).unwrap_or_default();
    }

    /// Parts of a list, statements of a block, items: each on one line if it fits.
    fn sequence(&mut self, range: Range<usize>) {
        let mut start = range.start;
        while start < range.end {
            let mut end = start + 1;
            loop {
                let last = &self.tokens.list[end - 1];
                end = end.max(last.pair + 1).min(range.end);
                if end >= range.end || matches!(self.gaps[end], Gap::Part | Gap::Hard) {
                    break;
                }
                end += 1;
            }
            self.before(start);
            self.piece(start..end);
            start = end;
        }
    }

    /// One statement, item or part of a list. Its own further lines are indented once more.
    fn piece(&mut self, range: Range<usize>) {
        if self.fits(range.clone(), 0) {
            return self.write_flat(range);
        }
        let depth = self.depth;
        let mut has_else = false;
        let mut i = range.start;
        while i < range.end {
            if i > range.start {
                if self.gaps[i] != Gap::Same {
                    self.depth = depth + usize::from(self.at(i) != "{");
                }
                self.before(i);
            }
            has_else |= self.at(i) == "else";
            let token = &self.tokens.list[i];
            let close = token.pair;
            let is_broken = token.kind == Kind::Open
                && close < range.end
                && (i + 1..=close).any(|k| self.gaps[k] != Gap::Same);
            if !is_broken {
                if self.is_spare_comma(i) && self.gaps[i + 1] == Gap::Same {
                    self.edits.remove(token.range.clone());
                }
                self.column += self.at(i).chars().count();
                i += 1;
                continue;
            }
            // The blocks of an `if … else …` all look the same.
            let alone = self.at(i) != "{" || !(has_else || self.at(close + 1) == "else");
            if alone && self.fits(i..close + 1, self.tail(close + 1..range.end)) {
                self.write_flat(i..close + 1);
            } else {
                self.column += 1;
                let outer = self.depth;
                let is_module = i > 1 && self.at(i - 2) == "mod";
                self.depth += usize::from(!is_module && self.gaps[i + 1] != Gap::Same);
                if self.is_table(i) {
                    self.table(i + 1..close);
                } else {
                    self.sequence(i + 1..close);
                }
                self.depth = outer;
                self.before(close);
                self.column += 1;
            }
            i = close + 1;
        }
        self.depth = depth;
    }

    /// True for a long list of numbers.
    fn is_table(&self, open: usize) -> bool {
        let close = self.tokens.list[open].pair;
        let is_part = |i: usize| match self.tokens.list[i].kind {
            Kind::Lit => !self.at(i).contains('\n'),
            Kind::Open | Kind::Close => self.at(i) != "{" && self.at(i) != "}",
            Kind::Punct => matches!(self.at(i), "," | "-"),
            _ => false,
        };
        close > open + 64 && (open + 1..close).all(|i| is_part(i) && self.gaps[i] != Gap::Hard)
    }

    /// Numbers without blanks, as many to a line as fit.
    fn table(&mut self, range: Range<usize>) {
        self.column = WIDTH;
        for i in range.clone() {
            let mut new = String::new();
            let element = (i..range.end).find(|k| self.at(*k) == ",").unwrap_or(range.end);
            let wide: usize = (i..=element).map(|k| self.at(k).len()).sum();
            let begins = i == range.start || self.at(i - 1) == ",";
            if begins && self.column + wide > WIDTH {
                new = "\n".to_owned() + &"\t".repeat(self.depth);
                self.column = self.depth * TAB;
            }
            self.edits.replace(self.gap(i), new);
            self.column += self.at(i).len();
        }
    }

    fn fits(&self, range: Range<usize>, tail: usize) -> bool {
        let has_block = range
            .clone()
            .any(|i| self.at(i) == "{" && self.gaps.get(i + 1) != Some(&Gap::Same));
        let width = if has_block { WIDTH_OF_BLOCK } else { WIDTH };
        self.flat(range)
            .is_some_and(|flat| self.column + flat + tail <= width)
    }

    /// Columns up to the next line end.
    fn tail(&self, range: Range<usize>) -> usize {
        let mut width = 0;
        for i in range {
            if self.gaps[i] != Gap::Same {
                break;
            }
            width += self.joint(i).len() + self.at(i).chars().count();
        }
        width
    }

    /// The gap before a token, its line end kept: tabs, no trailing blanks, at most one empty line, and that
    /// only after a statement or an item.
    fn before(&mut self, i: usize) {
        let range = self.gap(i);
        let gap = &self.text[range.clone()];
        if self.gaps[i] == Gap::Same {
            let joint = if i > 0 { self.joint(i) } else { "" };
            self.column += joint.len();
            self.edits.replace(range, joint);
            return;
        }
        let indent = "\t".repeat(self.depth);
        let mut lines: Vec<&str> = gap.split('\n').map(str::trim).collect();
        let last = lines.pop().unwrap_or_default();
        let after = i.checked_sub(1).map_or("", |b| self.at(b));
        let mut new = String::new();
        let mut empty = false;
        for (n, line) in lines.iter().enumerate() {
            if n == 0 && i > 0 {
                let blank = if line.is_empty() { "" } else { " " };
                new += blank;
                new += line;
            } else if line.is_empty() {
                empty = true;
            } else {
                new += if std::mem::take(&mut empty) { "\n\n" } else { "\n" };
                new += &indent;
                new += line;
            }
        }
        let word = self.at(i + usize::from(self.at(i) == "pub"));
        let is_line = matches!(word, "const" | "static" | "type") && after == ";";
        let is_apart = matches!(after, "}" | ";") && self.at(i) != "}" && !is_line || !new.is_empty();
        if empty && is_apart {
            new.push('\n');
        }
        if i > 0 || !new.is_empty() {
            new.push('\n');
            new += &indent;
        }
        new += last;
        self.column = self.depth * TAB + last.chars().count();
        self.edits.replace(range, new);
    }
}
