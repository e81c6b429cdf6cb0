//! Which functions a program has code for, and texts in which the others have no body.
//!
//! The compiler writes down where each function that it makes code for is declared (line tables). A generic
//! function that is never made, a method that no type of the program is asked for, is not among them: its body
//! says nothing about the program. A text where such bodies are `loop {}` is the same program, and what only
//! they used is then called unused by the compiler itself. What is evaluated while compiling (`const fn`) has
//! no code either and keeps its body, as does what returns `impl Trait`: its body is its type.

use super::compiler::emit;
use super::graph::name_at;
use super::labels::{full_name, is_root};
use super::nodes::{Node, Nodes, Role};
use crate::bundle::alone::Compile;
use crate::bundle::lex::{Edits, Tokens};
use anyhow::Result;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::Path;

/// What stands in a body that is never made.
pub const NEVER: &str = "loop{}";

/// A function: its node, where it begins behind its attributes, and the inside of its body.
struct Function {
    node: usize,
    head: usize,
    body: Range<usize>,
    is_plain: bool,
}

/// True if `main` is all that a linker looks for in a text.
pub fn has_one_root(text: &str) -> bool {
    let marks = ["no_mangle", "export_name", "link_section", "#[used", "global_asm"];
    !marks.iter().any(|mark| text.contains(mark))
}

/// Flags by which LLVM's text says where functions begin.
pub const LINES: &str = "-Cdebuginfo=line-tables-only";

/// What the compiler makes code for.
#[derive(Clone, Debug)]
pub struct Made {
    /// Nodes whose functions have code: functions and methods, derives, and parts of macros.
    pub nodes: BTreeSet<usize>,
    /// Full names of all functions and statics, those of the library among them.
    pub names: BTreeSet<String>,
    /// [`form`] of the text's nodes.
    pub form: u64,
    /// What only debug assertions call is among it.
    pub is_asserted: bool,
}

/// What of `text` there is code for, what only debug assertions call among it: these hide in macros, and a judge may
/// check them. What `told` says was compiled at the judge's flags.
pub fn made(
    text: &str,
    tokens: &Tokens,
    nodes: &Nodes,
    compile: &Compile,
    told: Option<&Made>,
) -> Result<Made> {
    let marked = marked_by(text, tokens, nodes);
    // Only where the text itself asks whether they are on may something have code without them alone.
    let is_told = told.is_some() && !compile.flags.iter().any(|flag| flag.contains("debug-assertions"));
    let modes: &[&str] = match (may_assert(text), text.contains("debug_assertions")) {
        (false, _) => &["off"],
        (true, true) if !is_told => &["off", "on"],
        (true, _) => &["on"],
    };
    let (nodes, names) = told.map_or_else(Default::default, |told| (told.nodes.clone(), told.names.clone()));
    let mut made = Made {
        nodes,
        names,
        form: marked.form,
        is_asserted: true,
    };
    let mut add = |text: &str, assertions: &str| {
        let more = marked.read(&written(text, compile, assertions)?);
        made.nodes.extend(more.nodes);
        made.names.extend(more.names);
        anyhow::Ok(())
    };
    if let ["off", "on"] = modes {
        if undecided(&marked.text, tokens).is_some_and(|text| add(&text, "on").is_ok()) {
            return Ok(made);
        }
    }
    modes.iter().try_for_each(|mode| add(&marked.text, mode))?;
    Ok(made)
}

/// The question whether debug assertions are on, as an expression.
const ASKS: &str = "cfg!(debug_assertions)";

/// `text`, of these tokens and lines of its own, where both answers to that question have code; `None` if something is there
/// for one of them alone.
fn undecided(text: &str, tokens: &Tokens) -> Option<String> {
    let at = |i: usize| tokens.at(i as isize);
    let asks = (0..tokens.list.len()).filter(|i| at(*i) == "debug_assertions");
    let mut expressions = 0;
    for i in asks {
        match [-5, -4, -3, -2, -1, 1].map(|by| tokens.at(i as isize + by)) {
            [_, _, "cfg", "!", "(", ")"] => expressions += 1,
            [before, "#", "[", "cfg", "(", ")"] if before != "if" => {}
            _ => return None,
        }
    }
    let open = text.replace(ASKS, &format!("::core::hint::black_box({ASKS})"));
    (text.matches(ASKS).count() == expressions).then_some(open)
}

/// True if debug assertions may call something in `text`.
pub fn may_assert(text: &str) -> bool {
    text.contains("debug_assert")
}

/// A text in which everything that there may be code for begins on a line of its own.
pub struct Marked {
    /// The text.
    pub text: String,
    /// First and last line, and node.
    places: Vec<(usize, usize, usize)>,
    /// See [`Made`].
    form: u64,
}

/// `text` with everything on lines of its own.
pub fn marked(text: &str) -> Result<Marked> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let nodes = Nodes::new(&tokens)?;
    Ok(marked_by(text, &tokens, &nodes))
}

fn marked_by(text: &str, tokens: &Tokens, nodes: &Nodes) -> Marked {
    let mut starts: Vec<(usize, usize, usize)> = functions(tokens, nodes)
        .iter()
        .map(|function| (function.head, function.body.start, function.node))
        .collect();
    for (i, node) in nodes.list.iter().enumerate() {
        if matches!(node.role, Role::Derive | Role::MacroPart | Role::MacroCall) {
            starts.push((node.range.start, node.range.end, i));
        }
    }
    let mut edits = Edits::default();
    let mut places: Vec<usize> = starts.iter().map(|(head, ..)| *head).collect();
    places.sort_unstable();
    places.dedup();
    for &place in &places {
        edits.replace(place..place, "\n");
    }
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let line = |byte: usize| {
        let added = places.partition_point(|place| *place <= byte);
        1 + added + ends.partition_point(|end| *end < byte)
    };
    Marked {
        places: starts
            .iter()
            .map(|(head, end, node)| (line(*head), line(*end), *node))
            .collect(),
        form: form(nodes),
        text: edits.apply(text),
    }
}

impl Marked {
    /// What there is code for, from LLVM's text with line tables, as it was compiled.
    pub fn read(&self, code: &str) -> Made {
        let reached = Reached::of(code, has_one_root(&self.text));
        let lines = declared(code, &reached);
        let is_made = |(first, last, _): &&(usize, usize, usize)| lines.range(first..=last).next().is_some();
        Made {
            nodes: self
                .places
                .iter()
                .filter(is_made)
                .map(|(.., node)| *node)
                .collect(),
            names: reached.names(),
            form: self.form,
            is_asserted: false,
        }
    }
}

/// Equal for texts of the same nodes.
pub fn form(nodes: &Nodes) -> u64 {
    let mut hasher = DefaultHasher::new();
    for node in &nodes.list {
        (node.role as u8, &node.name, &node.module, &node.of_type).hash(&mut hasher);
    }
    hasher.finish()
}

/// A text in which some functions have no body.
pub struct Hollow {
    /// The text: every byte of other code is where it was.
    pub text: String,
    /// Blanks where bodies were, ascending.
    pub blanks: Vec<Range<usize>>,
}

/// `text` with empty bodies for functions of which `is_empty` says so and which may have one.
pub fn hollow(text: &str, tokens: &Tokens, nodes: &Nodes, is_empty: &dyn Fn(usize) -> bool) -> Hollow {
    let mut bytes = text.as_bytes().to_vec();
    let mut blanks: Vec<Range<usize>> = Vec::new();
    for function in functions(tokens, nodes) {
        // One that stands in another has gone with it.
        let is_gone = blanks.last().is_some_and(|blank| function.body.start < blank.end);
        let may_be = function.is_plain && !is_gone && function.body.len() >= NEVER.len();
        if !may_be || !is_empty(function.node) {
            continue;
        }
        for byte in &mut bytes[function.body.clone()] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        let at = function.body.start;
        bytes[at..at + NEVER.len()].copy_from_slice(NEVER.as_bytes());
        blanks.push(at + NEVER.len()..function.body.end);
    }
    Hollow {
        text: String::from_utf8(bytes).expect("whole bodies were blanked"),
        blanks,
    }
}

fn functions(tokens: &Tokens, nodes: &Nodes) -> Vec<Function> {
    let mut list = Vec::new();
    for (i, node) in nodes.list.iter().enumerate() {
        let is_function = node.kind == "fn"
            && matches!(
                node.role,
                Role::Item | Role::Method | Role::TraitImplItem | Role::TraitItem
            );
        if !is_function {
            continue;
        }
        if let Some(function) = function(tokens, node, i) {
            list.push(function);
        }
    }
    list
}

fn function(tokens: &Tokens, node: &Node, index: usize) -> Option<Function> {
    let mut i = tokens.from(node.range.start);
    let last = tokens.from(node.range.end);
    let mut is_plain = true;
    while i < last && tokens.at(i as isize) == "#" {
        let close = tokens.list.get(i + 1)?.pair;
        for k in i + 1..close {
            is_plain &= !matches!(
                tokens.at(k as isize),
                "no_mangle" | "export_name" | "naked" | "panic_handler" | "global_allocator" | "used"
            );
        }
        i = close + 1;
    }
    let head = tokens.list.get(i)?.range.start;
    let mut returns = false;
    while i < last {
        match tokens.at(i as isize) {
            "{" => {
                let close = &tokens.list[tokens.list[i].pair];
                return (close.range.end == node.range.end).then(|| Function {
                    node: index,
                    head,
                    body: tokens.list[i].range.end..close.range.start,
                    is_plain,
                });
            }
            "(" | "[" if !returns => i = tokens.list[i].pair,
            "-" if tokens.at(i as isize + 1) == ">" => returns = true,
            "const" | "async" if !returns => {
                // `const N: usize` in the generics is no `const fn`.
                is_plain &= tokens.is_word(i as isize + 1) && tokens.at(i as isize + 2) == ":";
            }
            "impl" if returns => is_plain = false,
            ";" => return None,
            _ => {}
        }
        i += 1;
    }
    None
}

/// LLVM's text of the program, with line tables; debug assertions are `on` or `off`.
fn written(text: &str, compile: &Compile, assertions: &str) -> Result<String> {
    let mut compile = compile.clone();
    compile
        .flags
        .retain(|flag| flag != "-O" && !flag.contains("opt-level") && !flag.contains("debuginfo"));
    let assertions = format!("-Cdebug-assertions={assertions}");
    let mode = [
        LINES,
        "-Copt-level=0",
        &assertions,
        "-Cno-prepopulate-passes",
        "-Zinline-mir=no",
        "-Csymbol-mangling-version=v0",
    ];
    emit(text, &compile, "llvm-ir", &mode)
}

/// What of LLVM's text is part of the program: a static is compiled even if nothing reads it, with all that it names.
struct Reached<'a> {
    /// Symbols of functions and statics, and the note that says where one is declared.
    symbols: HashMap<&'a str, Option<&'a str>>,
}

impl<'a> Reached<'a> {
    /// What `main`, the library and LLVM reach where they are all that does (`is_closed`); else all there is.
    fn of(code: &'a str, is_closed: bool) -> Self {
        let mut defined: HashMap<&str, (Option<&str>, BTreeSet<&str>)> = HashMap::new();
        let mut last = None;
        for line in code.lines() {
            let head = match line.strip_prefix("define ") {
                Some(rest) => rest.split_once('@').map(|(_, head)| head),
                None => line.strip_prefix('@'),
            };
            if let Some((symbol, rest)) = head.map(name_at) {
                let (note, refers) = defined.entry(symbol).or_default();
                *note = rest
                    .rsplit_once("!dbg ")
                    .map(|(_, note)| note.trim_end_matches([' ', '{']));
                refers.extend(symbols(rest));
                last = line.starts_with("define ").then_some(symbol);
            } else if line == "}" {
                last = None;
            } else if let Some(symbol) = last.filter(|_| line.contains('@')) {
                let function = defined.get_mut(symbol).expect("it begins above");
                function.1.extend(symbols(line));
            }
        }
        let begins = |symbol: &&str| !is_closed || is_root(symbol);
        let mut todo: Vec<&str> = defined.keys().copied().filter(begins).collect();
        let mut symbols = HashMap::new();
        while let Some(symbol) = todo.pop() {
            if let Some((note, refers)) = defined.get(symbol).filter(|_| !symbols.contains_key(symbol)) {
                symbols.insert(symbol, *note);
                todo.extend(refers);
            }
        }
        Self { symbols }
    }

    /// Full names of functions and statics.
    fn names(&self) -> BTreeSet<String> {
        let symbols = self.symbols.keys().filter(|symbol| symbol.starts_with("_R"));
        symbols.map(|symbol| full_name(symbol, &HashMap::new())).collect()
    }
}

/// All that a line refers to.
fn symbols(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('@').map(|(at, _)| name_at(&line[at + 1..]).0)
}

/// Lines of `!DISubprogram` entries of what is reached whose file is the bundle.
fn declared(code: &str, reached: &Reached) -> BTreeSet<usize> {
    let number = |line: &str| line.split(' ').next().map(str::to_owned);
    let files: BTreeSet<String> = code
        .lines()
        .filter(|line| line.contains("!DIFile(filename: \"bundle.rs\""))
        .filter_map(number)
        .collect();
    let field = |line: &str, name: &str| -> Option<String> {
        let rest = line.rsplit_once(name)?.1;
        rest.split([',', ')']).next().map(|value| value.trim().to_owned())
    };
    let notes: HashSet<&str> = reached.symbols.values().copied().flatten().collect();
    code.lines()
        .filter(|line| line.contains("!DISubprogram(") && line.contains("DISPFlagDefinition"))
        .filter(|line| line.split(' ').next().is_some_and(|note| notes.contains(note)))
        .filter(|line| field(line, " file: ").is_some_and(|file| files.contains(&file)))
        .filter_map(|line| field(line, " line: ")?.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::code::Code;
    use super::*;

    #[test]
    fn one_question_tells_what_has_code_with_assertions_or_without() {
        for (rest, asks) in [
            ("if cfg!(debug_assertions) { a() } else { b() }", true),
            (
                "#[cfg(debug_assertions)] a(); debug_assert!({ b(); true });",
                true,
            ),
            (
                "#[cfg(debug_assertions)] a(); #[cfg(not(debug_assertions))] b();",
                false,
            ),
            (
                "const { if cfg!(debug_assertions) { 1 } else { 2 } }; a(); b();",
                true,
            ),
        ] {
            let text = format!(
                "fn a() {{ print!(\"a\") }} fn b() {{ print!(\"b\") }} fn dead() {{ b() }} fn main() {{ {rest} }}\n\
                 // debug_assert\n"
            );
            let tokens = Tokens::new(&text, Path::new("text")).unwrap();
            let nodes = Nodes::new(&tokens).unwrap();
            assert_eq!(undecided(&text, &tokens).is_some(), asks, "{rest}");
            let compile = Compile {
                edition: 2021,
                ..Compile::default()
            };
            let made = made(&text, &tokens, &nodes, &compile, None).unwrap();
            let names: Vec<&str> = made.nodes.iter().map(|i| nodes.list[*i].name.as_str()).collect();
            assert_eq!(names, ["a", "b", "main"], "{rest}");
            assert_eq!(compile.budget.questions(), if asks { 1 } else { 2 }, "{rest}");
        }
    }

    #[test]
    fn bodies_without_code_are_hollow() {
        let text = "trait T { fn a(&self) -> i32; fn b(&self) -> i32 { self.a() + 100 } }\n\
                    struct S; impl T for S { fn a(&self) -> i32 { 1 + 1000 } }\n\
                    const fn k() -> i32 { 3 + 10000 } fn dead<X>(x: X) -> X { drop(1000); x }\n\
                    fn main() { print!(\"{} {}\", S.a(), const { k() }) }\n";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let nodes = Nodes::new(&tokens).unwrap();
        let compile = Compile {
            edition: 2021,
            flags: vec!["-O".to_owned()],
            ..Compile::default()
        };
        let made = made(text, &tokens, &nodes, &compile, None).unwrap();
        for name in ["bundle::main", "<bundle::S as bundle::T>::a"] {
            assert!(made.names.contains(name), "{:?}", made.names);
        }
        assert!(!made.names.iter().any(|name| name.contains("dead")));
        // The same, told with the code; which is the same code as by itself.
        let code = Code::told(text, &compile);
        let told = code.made().unwrap().unwrap();
        assert_eq!((&told.nodes, told.form), (&made.nodes, form(&nodes)));
        assert!(
            code.difference(&Code::of(text, &compile, &HashMap::new()))
                .unwrap()
                .is_empty()
        );
        let hollowed = hollow(text, &tokens, &nodes, &|i| !made.nodes.contains(&i)).text;
        assert_eq!(hollowed.len(), text.len());
        for whole in ["1 + 1000", "3 + 10000", "S.a()"] {
            assert!(hollowed.contains(whole), "{hollowed}");
        }
        for gone in ["self.a() + 100", "drop(1000)"] {
            assert!(!hollowed.contains(gone), "{hollowed}");
        }
    }
}
