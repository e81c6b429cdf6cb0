//! LLVM's text of a program as objects whose order and local names do not count.
//!
//! A function is compared as a graph: its blocks in the order in which jumps reach them from the start, values
//! numbered as they are met there. So a branch that is gone changes nothing in what stays. Objects that refer to each
//! other are pieces of text with references between them; [`super::code`] labels those.

use super::labels::{Objects, STEPS, full_name, hash, is_root};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The code as it is handed to the optimiser; the order of its parts does not count.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Whole objects.
    pub whole: Objects,
    /// Each by itself: what it refers to counts by name, where it has one.
    pub single: Objects,
    /// All there is, whether it is reached or not, and how often.
    pub items: BTreeMap<String, usize>,
}

/// A function or a constant.
#[derive(Debug, Default)]
pub struct Object {
    /// Its symbol.
    pub symbol: String,
    /// Text between references, hashed, and references in order.
    pub pieces: Vec<Piece>,
}

/// A part of an object.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// Hash of text.
    Text(u64),
    /// A symbol.
    Symbol(String),
}

/// All that `module` defines.
pub fn objects(module: &str) -> Vec<Object> {
    let mut notes: HashMap<&str, &str> = HashMap::new();
    for line in module.lines().filter(|line| line.starts_with(['!', 'a'])) {
        if let Some((name, text)) = line.split_once(" = ") {
            let is_note = name.starts_with('!');
            if let Some(name) = name.strip_prefix("attributes ").or(is_note.then_some(name)) {
                notes.insert(name, text);
            }
        }
    }
    let mut list = Vec::new();
    let mut lines = module.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("define ") {
            let body: Vec<Cow<str>> = lines
                .by_ref()
                .take_while(|line| *line != "}")
                .map(placeless)
                .collect();
            let body: Vec<&str> = body.iter().map(AsRef::as_ref).collect();
            list.push(function(&placeless(line), &body, &notes));
        } else if let (true, Some((name, text))) = (line.starts_with('@'), line.split_once(" = ")) {
            let mut writer = Writer::new(&notes);
            writer.write(text);
            list.push(writer.object(name[1..].trim_matches('"')));
        }
    }
    list
}

impl Graph {
    /// Labels what there is. `rename` leads from a shortened name to the true one.
    pub fn of(list: &[Object], rename: &HashMap<String, String>) -> Self {
        let place: HashMap<&str, usize> = (0..list.len()).map(|n| (list[n].symbol.as_str(), n)).collect();
        let is_local = |symbol: &str| !symbol.starts_with("_R");
        let mut names: Vec<String> = Vec::new();
        for object in list {
            let is_known = object.symbol == "main" || !is_local(&object.symbol);
            let name = is_known.then(|| full_name(&object.symbol, rename));
            names.push(name.unwrap_or_default());
        }
        let mut seen = vec![false; list.len()];
        let mut todo: Vec<usize> = (0..list.len()).filter(|n| is_root(&list[*n].symbol)).collect();
        while let Some(n) = todo.pop() {
            if std::mem::replace(&mut seen[n], true) {
                continue;
            }
            todo.extend(list[n].pieces.iter().filter_map(|piece| match piece {
                Piece::Symbol(name) => place.get(name.as_str()).copied(),
                Piece::Text(_) => None,
            }));
        }
        let referred: Vec<Vec<Referred>> = list
            .iter()
            .map(|object| {
                let pieces = object.pieces.iter();
                pieces.map(|piece| Referred::of(piece, &place)).collect()
            })
            .collect();
        let labelled = |far: bool| {
            let mut now: Vec<u64> = names.iter().map(hash).collect();
            for step in 1..=STEPS {
                let label = |n: usize| {
                    if !far && step < STEPS && !names[n].is_empty() {
                        return now[n];
                    }
                    let mut hasher = DefaultHasher::new();
                    names[n].hash(&mut hasher);
                    for piece in &referred[n] {
                        match piece {
                            Referred::Known(label) => label.hash(&mut hasher),
                            Referred::Object(other) => now[*other].hash(&mut hasher),
                        }
                    }
                    hasher.finish()
                };
                now = (0..list.len()).map(label).collect();
            }
            let mut counted = Objects::new();
            for n in (0..list.len()).filter(|n| seen[*n] && !names[*n].is_empty()) {
                *counted.entry((names[n].clone(), now[n])).or_insert(0) += 1;
            }
            counted
        };
        let mut items = BTreeMap::new();
        for name in names.iter().filter(|name| !name.is_empty()) {
            *items.entry(name.clone()).or_insert(0) += 1;
        }
        Self {
            whole: labelled(true),
            single: labelled(false),
            items,
        }
    }
}

/// A part of an object, where labels are found.
enum Referred {
    /// Text, or what is defined elsewhere.
    Known(u64),
    /// One of the objects.
    Object(usize),
}

impl Referred {
    fn of(piece: &Piece, place: &HashMap<&str, usize>) -> Self {
        match piece {
            Piece::Text(text) => Self::Known(*text),
            Piece::Symbol(name) => match place.get(name.as_str()) {
                Some(other) => Self::Object(*other),
                None => Self::Known(hash(full_name(name, &HashMap::new()))),
            },
        }
    }
}

/// A block's label and lines.
#[derive(Default)]
struct Block<'a> {
    lines: Vec<&'a str>,
    /// Labels that its end names, in order.
    next: Vec<&'a str>,
}

fn function(head: &str, body: &[&str], notes: &HashMap<&str, &str>) -> Object {
    let mut blocks: BTreeMap<&str, Block> = BTreeMap::new();
    let mut first = "";
    let mut label = "";
    for line in body {
        let is_printer = || line.contains('@') && line.contains(PRINTERS);
        if line.trim_start().starts_with(';') || line.is_empty() || is_printer() {
            continue;
        }
        if !line.starts_with(' ') {
            label = line.split(':').next().unwrap_or_default().trim_matches('"');
            if blocks.is_empty() {
                first = label;
            }
            blocks.entry(label).or_default();
            continue;
        }
        let block = blocks.entry(label).or_default();
        let mut rest = *line;
        while let Some(at) = rest.find("label %") {
            rest = &rest[at + "label %".len()..];
            block.next.push(name_at(rest).0);
        }
        block.lines.push(line);
    }
    let mut order: Vec<&str> = Vec::new();
    let mut place: HashMap<&str, usize> = HashMap::new();
    let mut todo = vec![first];
    while let Some(label) = todo.pop() {
        if place.contains_key(label) {
            continue;
        }
        place.insert(label, order.len());
        order.push(label);
        if let Some(block) = blocks.get(label) {
            todo.extend(block.next.iter().rev());
        }
    }
    let mut writer = Writer::new(notes);
    for label in &order {
        writer.local(label);
    }
    // Where nothing is caught it does not matter who would catch it.
    let catches = body
        .iter()
        .any(|line| line.contains("landingpad") || line.contains("pad within"));
    writer.write(&told(match head.split_once(" personality ") {
        Some((before, _)) if !catches => before,
        _ => head.trim_end_matches(" {"),
    }));
    for label in &order {
        writer.write("block");
        writer.local(label);
        let lines = blocks.get(label).map_or(&[][..], |block| &block.lines);
        // What came from where: all at once, so that their order does not count either.
        let count = lines.iter().take_while(|line| line.contains(" = phi ")).count();
        let mut choices: Vec<Choice> = lines[..count]
            .iter()
            .filter_map(|line| Choice::read(line, &place))
            .collect();
        choices.sort_by_cached_key(|choice| choice.key(&writer.locals));
        for choice in choices {
            writer.write(choice.value);
            writer.write(choice.kind);
            for pair in choice.pairs {
                writer.write(pair);
            }
        }
        for line in &lines[count..] {
            writer.write(&told(line));
        }
    }
    let symbol = head.split_once('@').map_or("", |(_, name)| name_at(name).0);
    writer.object(symbol)
}

/// Without the place that line tables tell.
fn placeless(line: &str) -> Cow<'_, str> {
    let Some((before, after)) = line.split_once(" !dbg !") else {
        return line.into();
    };
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let before = before.trim_end_matches(',');
    if after.is_empty() {
        return before.into();
    }
    (before.to_owned() + after).into()
}

/// What `main` reads so that it is there, where there are line tables.
const PRINTERS: &str = "@__rustc_debug_gdb_scripts_section__";

/// Without what the compiler has only found out by looking at a body, and where inline assembly stands.
fn told(line: &str) -> Cow<'_, str> {
    if !line.contains('(') {
        // No call and no head of a function.
        return line.into();
    }
    let line = line.split(", !srcloc ").next().unwrap_or_default();
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(" captures(") {
        out += &rest[..at];
        rest = rest[at..].split_once(')').map_or("", |(_, after)| after);
        // Two words may stand in there with brackets of their own.
        rest = rest.strip_prefix(')').unwrap_or(rest);
    }
    out += rest;
    out.replace(" readonly ", " ").into()
}

/// A value that depends on the block before.
struct Choice<'a> {
    value: &'a str,
    kind: &'a str,
    /// Value and block, by the numbers of the blocks.
    pairs: Vec<&'a str>,
}

impl<'a> Choice<'a> {
    fn read(line: &'a str, place: &HashMap<&str, usize>) -> Option<Self> {
        let (value, from) = line.split_once(" = phi ")?;
        let (kind, list) = from.split_at(from.find('[')?);
        let block = |pair: &&str| {
            let label = pair.rsplit_once('%').map(|(_, name)| name_at(name).0);
            label.and_then(|label| place.get(label)).copied()
        };
        let mut pairs: Vec<&str> = list
            .split_inclusive(']')
            .map(|pair| pair.trim_start_matches(", "))
            .collect();
        pairs.sort_by_key(block);
        Some(Self { value, kind, pairs })
    }

    /// Equal for choices between the same, as far as their numbers are known.
    fn key(&self, known: &HashMap<String, usize>) -> String {
        let mut key = self.kind.to_owned();
        for pair in &self.pairs {
            let value = pair.trim_start_matches(['[', ' ']);
            match value.strip_prefix('%') {
                Some(name) => {
                    let number = known.get(name_at(name).0).map_or(usize::MAX, |n| *n);
                    let _ = write!(key, "{number:020}");
                }
                None => key += value.split(',').next().unwrap_or_default(),
            }
        }
        key
    }
}

/// The name that `text` begins with, and what follows.
pub fn name_at(text: &str) -> (&str, &str) {
    if let Some(quoted) = text.strip_prefix('"') {
        let end = quoted.find('"').unwrap_or(quoted.len());
        return (&quoted[..end], quoted[end..].trim_start_matches('"'));
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '$' | '-');
    text.split_at(text.find(|c| !is_part(c)).unwrap_or(text.len()))
}

struct Writer<'a> {
    notes: &'a HashMap<&'a str, &'a str>,
    locals: HashMap<String, usize>,
    hasher: DefaultHasher,
    pieces: Vec<Piece>,
}

impl<'a> Writer<'a> {
    fn new(notes: &'a HashMap<&'a str, &'a str>) -> Self {
        Self {
            notes,
            locals: HashMap::new(),
            hasher: DefaultHasher::new(),
            pieces: Vec::new(),
        }
    }

    fn object(mut self, symbol: &str) -> Object {
        self.pieces.push(Piece::Text(self.hasher.finish()));
        Object {
            symbol: symbol.to_owned(),
            pieces: self.pieces,
        }
    }

    /// A value or block of the function, by its number.
    fn local(&mut self, name: &str) {
        let next = self.locals.len();
        let number = match self.locals.get(name) {
            Some(number) => *number,
            None => *self.locals.entry(name.to_owned()).or_insert(next),
        };
        number.hash(&mut self.hasher);
    }

    /// What a `#4` or `!5` stands for.
    fn note(&mut self, name: &str, depth: usize) {
        match self.notes.get(name) {
            Some(text) if depth > 0 => {
                let mut rest = *text;
                while let Some(at) = rest.find(['!', '#']) {
                    rest[..at].hash(&mut self.hasher);
                    let (inner, after) = name_at(&rest[at + 1..]);
                    self.note(&rest[at..=at + inner.len()], depth - 1);
                    rest = after;
                }
                rest.hash(&mut self.hasher);
            }
            Some(_) => "deep".hash(&mut self.hasher),
            None => name.hash(&mut self.hasher),
        }
    }

    fn write(&mut self, line: &str) {
        const LOCATION: &str = "[16 x i8] c\"\\09\\00\\00\\00\\00\\00\\00\\00";
        let mut rest = line;
        loop {
            let is_mark = |byte| matches!(byte, b'%' | b'@' | b'!' | b'#' | b'"');
            let at = rest.bytes().position(is_mark).unwrap_or(rest.len());
            rest[..at].hash(&mut self.hasher);
            let Some(mark) = rest[at..].chars().next() else {
                return;
            };
            let start = at;
            let after = &rest[at + 1..];
            if mark == '"' {
                let end = after.find('"').unwrap_or(after.len());
                // Line and column of a panic in this file are not compared.
                let is_location = rest[..start].ends_with("[16 x i8] c") && {
                    let from = start + 1 - "[16 x i8] c\"".len();
                    rest[from..].starts_with(LOCATION)
                };
                if !is_location {
                    after[..end].hash(&mut self.hasher);
                }
                rest = after[end..].get(1..).unwrap_or_default();
                continue;
            }
            let (name, next) = name_at(after);
            match mark {
                _ if name.is_empty() => mark.hash(&mut self.hasher),
                '%' if !after.starts_with('"') => self.local(name),
                '@' => {
                    self.pieces.push(Piece::Text(self.hasher.finish()));
                    self.pieces.push(Piece::Symbol(name.to_owned()));
                }
                '!' | '#' => self.note(&rest[at..=at + name.len()], 4),
                _ => name.hash(&mut self.hasher),
            }
            rest = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, objects};

    const ONE: &str = "\
define i32 @f(i32 %x) #0 {
start:
  %a = icmp eq i32 %x, 0
  br i1 %a, label %bb2, label %bb1

bb1:                                              ; preds = %start
  %b = call i32 @g(i32 %x)
  br label %bb2

bb2:                                              ; preds = %start, %bb1
  %c = phi i32 [ 1, %start ], [ %b, %bb1 ]
  ret i32 %c
}
attributes #0 = { inlinehint }
";

    #[test]
    fn order_and_names_do_not_count() {
        let other = "\
define i32 @f(i32 %y) #3 {
entry:
  %0 = icmp eq i32 %y, 0
  br i1 %0, label %end, label %more

end:                                              ; preds = %more, %entry
  %1 = phi i32 [ %2, %more ], [ 1, %entry ]
  ret i32 %1

more:                                              ; preds = %entry
  %2 = call i32 @g(i32 %y)
  br label %end
}
attributes #3 = { inlinehint }
";
        let pieces = |text: &str| objects(text).remove(0).pieces;
        assert_eq!(pieces(ONE), pieces(other));
        assert!(pieces(ONE).contains(&Piece::Symbol("g".to_owned())));
        for (from, to) in [
            ("eq i32", "ne i32"),
            ("[ 1, ", "[ 2, "),
            ("label %bb2, label %bb1", "label %bb1, label %bb2"),
            ("inlinehint", "noinline"),
            ("@g(", "@h("),
        ] {
            assert_ne!(pieces(ONE), pieces(&ONE.replacen(from, to, 1)), "{from}");
        }
    }

    #[test]
    fn line_tables_do_not_count() {
        let told = ONE
            .replacen("#0 {", "#0 !dbg !4 {", 1)
            .replacen("%x, 0", "%x, 0, !dbg !7", 1)
            .replacen("%bb1 ]", "%bb1 ], !dbg !8", 1)
            .replacen("@g(i32 %x)", "@g(i32 %x), !dbg !9, !noalias !2", 1);
        let untold = ONE.replacen("@g(i32 %x)", "@g(i32 %x), !noalias !2", 1);
        let pieces = |text: &str| objects(text).remove(0).pieces;
        assert_eq!(pieces(&told), pieces(&untold));
        assert_ne!(pieces(&told), pieces(ONE));
        let load = "start:\n  %s = load volatile i8, ptr @__rustc_debug_gdb_scripts_section__, align 1\n";
        assert_eq!(pieces(&ONE.replacen("start:\n", load, 1)), pieces(ONE));
    }
}
