//! Fields that nothing reads.
//!
//! The compiler names them. One goes where every place that sets it only makes a value ([`is_pure`]), where its
//! type has nothing to do when it is dropped, and where nobody could see the struct's size or print it. The layout
//! of the struct changes, so machine code cannot be compared; instead every function in which nothing was cut
//! must have the same MIR, numbers of fields aside.

use super::PROOF;
use super::compiler::{Compiler, Message, emit};
use super::narrow;
use super::nodes::Nodes;
use super::pure::is_pure;
use crate::bundle::alone::Compile;
use crate::bundle::lex::{Edits, Tokens};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::path::Path;
use syn::visit::Visit;

mod read;

use read::{Field, Reader, Struct};

/// Words of a program that may ask how a type lies in memory.
const LAYOUT: [&str; 10] = [
    "global_allocator",
    "transmute",
    "size_of",
    "size_of_val",
    "align_of",
    "offset_of",
    "zeroed",
    "addr_of",
    "addr_of_mut",
    "from_raw_parts",
];

/// Types whose values are dropped without a trace, beside the program's own.
const PLAIN: [&str; 24] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
    "bool", "char", "str", "Vec", "String", "Option", "Duration", "Instant", "core", "std",
];

/// What the compiler says of fields that nothing reads.
fn about(unused: &[Message]) -> impl Iterator<Item = &Message> {
    unused.iter().filter(|message| message.text.starts_with("field"))
}

/// Fields that nothing reads, with their types, by what the compiler says of `nodes` of a text.
pub fn unread(text: &str, nodes: &Nodes, unused: &[Message]) -> BTreeSet<String> {
    let places = about(unused).flat_map(|message| &message.spans);
    let names = places.filter_map(|span| {
        let of = nodes.list.get(nodes.at(span)?)?;
        let field = text.get(span.clone())?;
        // One with a number for a name stays.
        let has_name = !field.starts_with(|c: char| c.is_ascii_digit());
        has_name.then(|| qualified(&of.name, field))
    });
    names.collect()
}

fn qualified(of: &str, field: &str) -> String {
    format!("{of}.{field}")
}

/// `text` without fields that nothing reads; `None` if there are none. Those that stay for their
/// own types go to `stay`, as [`unread`] names them.
pub fn cut(
    text: &str,
    compile: &Compile,
    stay: &mut BTreeSet<String>,
    say: &dyn Fn(&str),
) -> Result<Option<String>> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    // A function with the name of a type might be called where a value seems to be made.
    let is_odd = |i: isize| tokens.at(i) == "fn" && tokens.at(i + 1).starts_with(char::is_uppercase);
    if (0..tokens.list.len()).any(|i| LAYOUT.contains(&tokens.at(i as isize)) || is_odd(i as isize)) {
        return Ok(None);
    }
    let Ok(file) = syn::parse_file(text) else {
        return Ok(None);
    };
    let mut compiler = Compiler::new(compile)?;
    compiler.narrow = narrow::places(&tokens);
    let mut outcome = compiler.check(text)?;
    if !outcome.errors.is_empty() {
        compiler.narrow.clear();
        outcome = compiler.check(text)?;
    }
    let unread: HashSet<(usize, usize)> = about(&outcome.unused)
        .flat_map(|message| message.spans.iter().map(|span| (span.start, span.end)))
        .collect();
    if unread.is_empty() {
        return Ok(None);
    }
    let mut reader = Reader::default();
    reader.visit_file(&file);
    let fields = reader.structs.values().flat_map(|of| &of.fields);
    let read: HashSet<(usize, usize)> = fields.map(|field| (field.2.start, field.2.end)).collect();
    let others = unread
        .difference(&read)
        .filter_map(|(start, end)| text.get(*start..*end));
    stay.extend(others.map(str::to_owned));
    let cutter = Cutter {
        text,
        tokens: &tokens,
        all: &reader,
    };
    // A vector grows by other steps where its items have one byte, or more than 1024.
    let grows = (0..tokens.list.len()).any(|i| tokens.at(i as isize) == "capacity");
    let mut good: Vec<Cut> = Vec::new();
    for (name, of) in &reader.structs {
        let is_unread = |field: &&Field| unread.contains(&(field.2.start, field.2.end));
        let fields: Vec<&Field> = of.fields.iter().filter(is_unread).collect();
        let few = of.fields.len() - fields.len() < 2;
        for (field, ty, _, range) in fields {
            let counts = grows && (few || matches!(ty, syn::Type::Array(_)));
            if counts
                || !of.is_free
                || reader.dropping.contains(name)
                || !cutter.is_plain(ty, &mut BTreeSet::new())
            {
                say(&format!("{}field {name}.{field} stays: its type", super::TRACE));
                stay.insert(qualified(name, field));
                continue;
            }
            match cutter.cut(name, of, field, range) {
                Some(cut) => good.push(cut),
                None => say(&format!(
                    "{}field {name}.{field} stays: where it is set",
                    super::TRACE
                )),
            }
        }
    }
    if good.is_empty() {
        return Ok(None);
    }
    let before = mir(text, compile)?;
    let fits = |cuts: &[&Cut]| -> Result<bool> {
        let left = applied(text, cuts, true);
        if !compiler.check(&left)?.errors.is_empty() {
            return Ok(false);
        }
        let after = mir(&left, compile)?;
        let is_cut = |name: &str| cuts.iter().any(|cut| cut.touches(name));
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let differ = |name: &&&String| before.get(**name) != after.get(**name) && !is_cut(name);
        if let Some(name) = names.iter().find(differ) {
            say(&format!("{}fields stay: {name} would differ", super::TRACE));
            return Ok(false);
        }
        Ok(true)
    };
    let all: Vec<&Cut> = good.iter().collect();
    if fits(&all)? {
        return Ok(Some(applied(text, &all, false)));
    }
    // Struct by struct.
    let mut kept: Vec<&Cut> = Vec::new();
    for cuts in good.chunk_by(|a, b| a.derives == b.derives) {
        if compile.budget.is_past(PROOF) {
            break;
        }
        let before = kept.len();
        kept.extend(cuts);
        if !fits(&kept)? {
            kept.truncate(before);
        }
    }
    Ok((!kept.is_empty()).then(|| applied(text, &kept, false)))
}

/// What goes with a field.
struct Cut {
    ranges: Vec<Range<usize>>,
    /// Functions and constants in which something goes.
    inside: BTreeSet<String>,
    /// Lines of derives of the struct.
    derives: Range<usize>,
}

impl Cut {
    /// True if the MIR of this name may change.
    fn touches(&self, name: &str) -> bool {
        let has = |own: &String| {
            ["(", "::{", ":", " "]
                .iter()
                .any(|end| name.contains(&format!("::{own}{end}")) || name.contains(&format!(" {own}{end}")))
        };
        let derived = || {
            let line = name
                .split("bundle.rs:")
                .nth(1)
                .and_then(|rest| rest.split(':').next());
            line.and_then(|line| line.parse().ok())
                .is_some_and(|line: usize| self.derives.contains(&line))
        };
        self.inside.iter().any(has) || derived()
    }
}

/// The text without; `still`: with blanks instead, so that no line or column moves.
fn applied(text: &str, cuts: &[&Cut], still: bool) -> String {
    let mut edits = Edits::default();
    for range in cuts.iter().flat_map(|cut| &cut.ranges) {
        let blank = || {
            text[range.clone()]
                .chars()
                .map(|c| if c == '\n' { c } else { ' ' })
                .collect()
        };
        edits.replace(range.clone(), if still { blank() } else { String::new() });
    }
    edits.apply(text)
}

/// MIR of every function and constant by its head, without numbers of fields.
fn mir(text: &str, compile: &Compile) -> Result<BTreeMap<String, String>> {
    let code = emit(
        text,
        compile,
        "mir",
        // MIR is written whether code is made or not, and making it takes thirty times as long.
        &["-Zmir-opt-level=0", "-Cdebug-assertions=off", "-Zno-codegen"],
    )?;
    let mut all = BTreeMap::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let is_head = ["fn ", "const ", "static ", "promoted"]
            .iter()
            .any(|word| line.starts_with(word));
        if !is_head || !line.ends_with('{') {
            continue;
        }
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").collect();
        let mut key = line.to_owned();
        while all.contains_key(&key) {
            key.push('\'');
        }
        all.insert(key, numberless(&body.join("\n")));
    }
    Ok(all)
}

/// `(_1.5: u32)` as `(_1.: u32)`.
fn numberless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('.') {
        out += &rest[..=at];
        rest = &rest[at + 1..];
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if rest[digits..].starts_with(": ") {
            rest = &rest[digits..];
        }
    }
    out + rest
}

struct Cutter<'a> {
    text: &'a str,
    tokens: &'a Tokens<'a>,
    all: &'a Reader,
}

impl Cutter<'_> {
    /// True if nothing happens when a value of this type is dropped but that memory is given back.
    fn is_plain(&self, ty: &syn::Type, seen: &mut BTreeSet<String>) -> bool {
        match ty {
            syn::Type::Reference(_) => true,
            syn::Type::Array(array) => self.is_plain(&array.elem, seen),
            syn::Type::Slice(slice) => self.is_plain(&slice.elem, seen),
            syn::Type::Paren(paren) => self.is_plain(&paren.elem, seen),
            syn::Type::Tuple(tuple) => tuple.elems.iter().all(|ty| self.is_plain(ty, seen)),
            syn::Type::Path(path) if path.qself.is_none() => {
                path.path.segments.iter().enumerate().all(|(n, segment)| {
                    let name = segment.ident.to_string();
                    let inner = match &segment.arguments {
                        syn::PathArguments::AngleBracketed(list) => list.args.iter().all(|arg| match arg {
                            syn::GenericArgument::Type(ty) => self.is_plain(ty, seen),
                            syn::GenericArgument::Lifetime(_) | syn::GenericArgument::Const(_) => true,
                            _ => false,
                        }),
                        syn::PathArguments::None => true,
                        syn::PathArguments::Parenthesized(_) => false,
                    };
                    let is_last = n + 1 == path.path.segments.len();
                    inner && (!is_last || PLAIN.contains(&name.as_str()) || self.is_own_plain(name, seen))
                })
            }
            _ => false,
        }
    }

    fn is_own_plain(&self, name: String, seen: &mut BTreeSet<String>) -> bool {
        let Some(own) = self.all.structs.get(&name) else {
            return false;
        };
        if self.all.dropping.contains(&name) {
            return false;
        }
        !seen.insert(name) || own.fields.iter().all(|(_, ty, ..)| self.is_plain(ty, seen))
    }

    /// All that goes with a field; `None` if it must stay.
    fn cut(&self, name: &str, of: &Struct, field: &str, declared: &Range<usize>) -> Option<Cut> {
        let tokens = self.tokens;
        let mut ranges = vec![declared.clone()];
        for i in 0..tokens.list.len() {
            let at = i as isize;
            if tokens.at(at) != field || of.range.contains(&tokens.list[i].range.start) {
                continue;
            }
            if tokens.at(at - 1) == "." && tokens.at(at - 2) != "." {
                if matches!(tokens.at(at + 1), "(" | "::") {
                    continue;
                }
                let only = self.all.fields.get(field) == Some(&1);
                match self.assignment(i) {
                    Some(range) if only || self.is_own(i, name) => ranges.push(range),
                    // Another struct's.
                    _ if !only && !self.could_be(i, name) => {}
                    _ => return None,
                }
            } else if let Some(open) = self.literal(i, name) {
                ranges.push(self.setting(i, open)?);
            }
        }
        let line = |byte| tokens.line(byte);
        let bodies = &self.all.bodies;
        let places = ranges[1..]
            .iter()
            .map(|range| range.start)
            .chain(self.updates(name));
        let inside = places.map(|byte| {
            let around = bodies.iter().filter(|(body, _)| body.contains(&byte));
            around
                .min_by_key(|(body, _)| body.len())
                .map(|(_, name)| name.clone())
        });
        Some(Cut {
            inside: inside.collect::<Option<_>>()?,
            derives: line(of.derives.start)..line(of.derives.end) + 1,
            ranges,
        })
    }

    /// Where literals of the struct take the rest of their fields from another: `..base`.
    fn updates(&self, name: &str) -> Vec<usize> {
        let tokens = self.tokens;
        let is_update = |i: &usize| {
            let at = *i as isize;
            let dots = tokens.at(at) == "." && tokens.at(at + 1) == "." && tokens.at(at - 1) != ".";
            dots && matches!(tokens.at(at - 1), "," | "{") && self.brace(*i, name).is_some()
        };
        let places = (0..tokens.list.len()).filter(is_update);
        places.map(|i| tokens.list[i].range.start).collect()
    }

    fn impl_at(&self, i: usize) -> Option<&str> {
        let byte = self.tokens.list[i].range.start;
        let around = self.all.impls.iter().filter(|(range, _)| range.contains(&byte));
        around
            .min_by_key(|(range, _)| range.len())
            .map(|(_, of)| of.as_str())
    }

    /// True of `self.field` in an impl of the struct.
    fn is_own(&self, i: usize, name: &str) -> bool {
        let at = i as isize;
        let alone = !matches!(self.tokens.at(at - 3), "." | "::");
        self.tokens.at(at - 2) == "self" && alone && self.impl_at(i) == Some(name)
    }

    /// False if what stands before the dot is surely something else.
    fn could_be(&self, i: usize, name: &str) -> bool {
        let at = i as isize;
        let is_self = self.tokens.at(at - 2) == "self" && !matches!(self.tokens.at(at - 3), "." | "::");
        if is_self {
            return self.impl_at(i) == Some(name) || self.impl_at(i).is_none();
        }
        // The compiler says that the field is read nowhere: what is read is another's.
        self.is_set(i)
    }

    /// True if `.field` is followed by something that sets it.
    fn is_set(&self, i: usize) -> bool {
        let at = i as isize;
        let equals = self.tokens.at(at + 1) == "=" && !matches!(self.tokens.at(at + 2), "=" | ">");
        // In a list on the left side it might be set too.
        equals || matches!(self.tokens.at(at + 1), "," | ")" | "]")
    }

    /// The whole statement `place.field = value;`.
    fn assignment(&self, i: usize) -> Option<Range<usize>> {
        let tokens = self.tokens;
        let at = i as isize;
        if tokens.at(at + 1) != "=" || matches!(tokens.at(at + 2), "=" | ">") {
            return None;
        }
        let mut first = i;
        while first > 0 && (tokens.is_word(first as isize - 1) || tokens.at(first as isize - 1) == ".") {
            first -= 1;
        }
        if !matches!(tokens.at(first as isize - 1), ";" | "{" | "}") || tokens.at(first as isize) == "let" {
            return None;
        }
        let mut end = i + 2;
        while end < tokens.list.len() && tokens.at(end as isize) != ";" {
            if matches!(tokens.at(end as isize), "}" | ")" | "]") {
                return None;
            }
            end = tokens.list[end].pair.max(end) + 1;
        }
        let value = &self.text[tokens.list[i + 2].range.start..tokens.list.get(end)?.range.start];
        let expr: syn::Expr = syn::parse_str(value).ok()?;
        is_pure(&expr, false).then(|| tokens.list[first].range.start..tokens.list[end].range.end)
    }

    /// The `{` of the struct's literal that token `i` names a field in.
    fn literal(&self, i: usize, name: &str) -> Option<usize> {
        let tokens = self.tokens;
        let at = i as isize;
        if !matches!(tokens.at(at - 1), "{" | ",") || !matches!(tokens.at(at + 1), ":" | "," | "}") {
            return None;
        }
        self.brace(i, name)
    }

    /// The innermost brace around token `i`, if it is that of a literal (or a pattern) of the struct.
    fn brace(&self, i: usize, name: &str) -> Option<usize> {
        let tokens = self.tokens;
        let mut open = i;
        loop {
            open = open.checked_sub(1)?;
            let token = &tokens.list[open];
            match tokens.at(open as isize) {
                "{" => break,
                "(" | "[" => return None,
                _ if token.pair < open => open = token.pair,
                _ => {}
            }
        }
        let mut path = open as isize - 1;
        // `Name::<T> {`
        if tokens.at(path) == ">" {
            let mut depth = 0;
            while path > 0 {
                match tokens.at(path) {
                    ">" if tokens.at(path - 1) != "-" => depth += 1,
                    "<" => depth -= 1,
                    _ => {}
                }
                path -= 1;
                if depth == 0 {
                    break;
                }
            }
            if tokens.at(path) == "::" {
                path -= 1;
            }
        }
        let is_it = match tokens.at(path) {
            "Self" => self.impl_at(i) == Some(name),
            word => word == name,
        };
        is_it.then_some(open)
    }

    /// `field: value,` in a literal.
    fn setting(&self, i: usize, open: usize) -> Option<Range<usize>> {
        let tokens = self.tokens;
        let close = tokens.list[open].pair;
        let mut end = i;
        while end < close && tokens.at(end as isize) != "," {
            end = tokens.list[end].pair.max(end) + 1;
        }
        if tokens.at(i as isize + 1) == ":" {
            let value = &self.text[tokens.list[i + 2].range.start..tokens.list[end].range.start];
            let expr: syn::Expr = syn::parse_str(value).ok()?;
            if !is_pure(&expr, false) {
                return None;
            }
        }
        let last = if end < close { end } else { end - 1 };
        Some(tokens.list[i].range.start..tokens.list[last].range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::{Compile, cut};
    use std::collections::BTreeSet;

    fn left(text: &str) -> Option<String> {
        let compile = Compile {
            edition: 2021,
            flags: vec!["-O".to_owned()],
            ..Compile::default()
        };
        cut(text, &compile, &mut BTreeSet::new(), &|_: &str| {}).unwrap()
    }

    const TEXT: &str = "
#[derive(Clone, Default)]
struct Pool { pub cap: usize, marks: Vec<u64>, ranks: Option<[u8; 4]>, last: u32, }
struct Other { last: u32 }
impl Pool {
    fn new(cap: usize) -> Self { Self { cap, marks: Vec::with_capacity(0), ranks: None, last: 0 } }
    fn add(&mut self) -> usize { self.cap += 1; self.cap }
}
fn main() {
    let mut other = Other { last: 7 };
    other.last += 1;
    let mut pool = Pool { cap: 2, ..Pool::new(1) };
    let mut copy = pool.clone();
    println!(\"{} {} {}\", pool.add(), copy.add(), other.last + 1);
}
";

    #[test]
    fn fields_that_nothing_reads_go() {
        let left = left(TEXT).unwrap();
        let bare: String = left.split_whitespace().collect();
        assert!(
            bare.contains("structPool{pubcap:usize,}structOther{last:u32}"),
            "{left}"
        );
        assert!(bare.contains("Self{cap,}}"), "{left}");
    }

    #[test]
    fn what_could_be_noticed_stays() {
        for (from, to) in [
            // Dropped with a trace.
            ("marks: Vec<u64>", "marks: Vec<Loud>"),
            // Made by something that does more.
            ("marks: Vec::with_capacity(0)", "marks: loud()"),
            // Printed.
            ("derive(Clone, Default)", "derive(Clone, Default, Debug)"),
            // Measured.
            ("copy.add()", "copy.add() + std::mem::size_of::<Pool>()"),
            ("marks: Vec::with_capacity(0)", "marks: Loud(1).0"),
        ] {
            let text = TEXT.replace(from, to)
                + "#[derive(Clone)] struct Loud(Vec<u64>); impl Drop for Loud { fn drop(&mut self) { print!(\"x\") } }
                   fn loud() -> Vec<u64> { print!(\"y\"); Vec::new() }
                   fn all() { loud(); drop(Loud(Vec::new())); }";
            let text = text.replace("let mut other", "all(); let mut other");
            let kept = left(&text).is_none_or(|left| left.contains("marks"));
            assert!(kept, "{to}");
        }
    }
}
