//! What functions do, in order, as the compiler's MIR has it: without ways of unwinding, where room is for variables, how
//! these are counted, and ends that nobody can notice, as [`Ends`](super::drops::Ends) tells.

use super::drops::Ends;
use std::collections::{BTreeMap, BTreeSet};

/// How a MIR is asked for: the compiler's passes would only hide who does what, and paths that are cut short depend on what
/// else there is.
pub const PLAIN: [&str; 3] = ["-Zmir-opt-level=0", "-Copt-level=0", "-Ztrim-diagnostic-paths=no"];

/// A function.
pub struct Function {
    /// Its head, without places of the text and numbers of closures.
    pub head: String,
    /// Line and column of the first place that the head names.
    pub at: Option<(usize, usize)>,
    /// What it does.
    pub blocks: Vec<Steps>,
}

impl Function {
    /// True if both do the same, however the compiler has cut that into blocks and counts its variables.
    pub fn does_as(&self, other: &Self) -> bool {
        let mut seen = BTreeSet::new();
        let mut variables = Variables::default();
        if !variables.are_same(&self.head, &other.head) {
            return false;
        }
        let mut open = vec![(0, 0)];
        while let Some((a, b)) = open.pop() {
            if !seen.insert((a, b)) {
                continue;
            }
            let (Some(a), Some(b)) = (does(&self.blocks, a), does(&other.blocks, b)) else {
                return false;
            };
            let mut steps = a.0.iter().zip(&b.0);
            if a.0.len() != b.0.len()
                || a.1.len() != b.1.len()
                || !steps.all(|(a, b)| variables.are_same(a, b))
            {
                return false;
            }
            open.extend(a.1.iter().copied().zip(b.1.iter().copied()));
        }
        true
    }
}

/// Which variable of one function is which of another: what the compiler makes behind its drops is counted from where these
/// end.
#[derive(Default)]
struct Variables<'a> {
    theirs: BTreeMap<&'a str, &'a str>,
    here: BTreeMap<&'a str, &'a str>,
}

impl<'a> Variables<'a> {
    /// True if two steps are the same of variables that are.
    fn are_same(&mut self, a: &'a str, b: &'a str) -> bool {
        let (mut a, mut b) = (parts(a), parts(b));
        loop {
            match (a.next(), b.next()) {
                (Some(a), Some(b)) if is_variable(a) && is_variable(b) => {
                    let is_one = *self.theirs.entry(a).or_insert(b) == b;
                    if !is_one || *self.here.entry(b).or_insert(a) != a {
                        return false;
                    }
                }
                (a, b) if a != b => return false,
                (None, _) => return true,
                _ => {}
            }
        }
    }
}

/// A step's words, and what is between them.
fn parts(step: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = step;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(end);
        rest = behind;
        Some(part)
    })
}

/// True for a variable as the compiler writes it, but for what is returned.
fn is_variable(part: &str) -> bool {
    let number = part.strip_prefix('_').unwrap_or_default();
    part != "_0" && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// What is done from a block on until the ways part, and where it then goes on; none where there is no such block.
fn does(blocks: &[Steps], from: usize) -> Option<(Vec<&str>, &[usize])> {
    let mut list = Vec::new();
    let mut seen = BTreeSet::new();
    let mut at = from;
    while seen.insert(at) {
        let block = blocks.get(at)?;
        list.extend(block.does.iter().map(String::as_str));
        match block.next[..] {
            [next] => at = next,
            _ => return Some((list, &block.next)),
        }
    }
    // Round and round without an end.
    Some((list, &[]))
}

/// The first block from here on that does something, or where the ways part.
fn idle(blocks: &[Steps], from: usize) -> usize {
    let mut at = from;
    for _ in 0..=blocks.len() {
        match blocks.get(at) {
            Some(block) if block.does.is_empty() && block.next.len() == 1 => at = block.next[0],
            _ => break,
        }
    }
    at
}

/// The type of a place, or of the variable that it is a part of: `(((_1 as Some).0: U).2: Vec<u8>)`.
fn type_of<'m>(place: &'m str, types: &BTreeMap<&'m str, &'m str>) -> Option<&'m str> {
    let mut depth = 0;
    let part = place.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let part = part.and_then(|part| {
        let colon = part.char_indices().find(|(at, sign)| {
            depth += match sign {
                '(' | '[' => 1,
                ')' | ']' => -1,
                _ => 0,
            };
            depth == 0 && part[*at..].starts_with(": ")
        });
        Some(&part[colon?.0 + 2..])
    });
    part.or_else(|| {
        let variable = parts(place).find(|part| is_variable(part) || *part == "_0");
        types.get(variable?).copied()
    })
}

/// Takes out the questions of which every answer leads to the same: whether there is something to drop, and what, of whose end
/// nobody can tell.
fn settle(blocks: &mut [Steps]) {
    loop {
        let mut is_settled = true;
        for i in 0..blocks.len() {
            let Some(last) = blocks[i].does.last() else {
                continue;
            };
            if !last.starts_with("switchInt(") {
                continue;
            }
            let ways = blocks[i].next.iter().map(|to| idle(blocks, *to));
            // What cannot be is nowhere gone on from.
            let is_way = |to: &usize| {
                blocks
                    .get(*to)
                    .is_none_or(|to| !to.does.is_empty() || !to.next.is_empty())
            };
            let ways: BTreeSet<usize> = ways.filter(is_way).collect();
            if ways.len() == 1 {
                blocks[i].does.pop();
                blocks[i].next = ways.into_iter().collect();
                is_settled = false;
            }
        }
        if is_settled {
            return;
        }
    }
}

/// True for the call that gives a box's memory back, of which the compiler drops what is in it by parts.
fn gives_back(step: &str, ends: &Ends) -> bool {
    let call = step.split_once(" = ").map_or("", |(_, call)| call);
    (call.starts_with("<Box<") || call.starts_with("<std::boxed::Box<"))
        && call.contains("Drop>::drop(")
        && !ends.are_noticed("Box")
}

/// Takes out the variables that nothing but ends used, of whose end nobody can tell.
fn forget(blocks: &mut [Steps]) {
    loop {
        let steps = blocks.iter().flat_map(|block| &block.does);
        let mut used: BTreeMap<&str, usize> = BTreeMap::new();
        for variable in steps
            .flat_map(|step| parts(step))
            .filter(|part| is_variable(part))
        {
            *used.entry(variable).or_default() += 1;
        }
        let is_idle = |step: &String| {
            let made = step.split_once(" = ").filter(|_| step.ends_with(';'));
            made.is_some_and(|(name, _)| is_variable(name) && used[name] == 1)
        };
        let idle: Vec<Vec<bool>> = blocks
            .iter()
            .map(|block| block.does.iter().map(is_idle).collect())
            .collect();
        if !idle.iter().flatten().any(|is_idle| *is_idle) {
            return;
        }
        for (block, idle) in blocks.iter_mut().zip(idle) {
            let mut idle = idle.into_iter();
            block.does.retain(|_| !idle.next().unwrap_or_default());
        }
    }
}

/// The step that asks whether there is something to drop.
const FLAG: &str = "switchInt(flag)";

/// A step after the other, and where it goes on but for unwinding.
#[derive(Debug, Default)]
pub struct Steps {
    does: Vec<String>,
    next: Vec<usize>,
}

/// The functions of a MIR.
pub fn functions(mir: &str, ends: &Ends) -> Vec<Function> {
    let mut list: Vec<Function> = Vec::new();
    let mut types: BTreeMap<&str, &str> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, &str> = BTreeMap::new();
    let mut is_function = false;
    for line in mir.lines().filter(|line| !line.is_empty()) {
        let word = line.trim_start();
        if !line.starts_with(' ') {
            is_function = line.starts_with("fn ") && line.ends_with('{');
            if is_function {
                let (head, at) = placeless(line);
                types.clear();
                kinds.clear();
                list.push(Function {
                    head,
                    at,
                    blocks: Vec::new(),
                });
            }
            continue;
        }
        let Some(function) = list.last_mut().filter(|_| is_function) else {
            continue;
        };
        if let Some((name, of)) = word.strip_prefix("let ").and_then(|rest| rest.split_once(": ")) {
            types.insert(name.trim_start_matches("mut "), of.trim_end_matches(';'));
        } else if word.starts_with("bb") && word.ends_with('{') {
            function.blocks.push(Steps::default());
        } else if let Some(block) = function.blocks.last_mut() {
            let (step, leads) = word.rsplit_once(" -> ").unwrap_or((word, ""));
            block
                .next
                .extend(leads.split([',', '[', ';', ']']).filter_map(next));
            let dropped = step.strip_prefix("drop(").and_then(|rest| rest.strip_suffix(')'));
            let of = dropped.and_then(|place| type_of(place, &types));
            let is_idle = of.is_some_and(|of| !ends.are_noticed(of)) || gives_back(step, ends);
            if let Some((name, of)) = step.split_once(" = discriminant(") {
                kinds.insert(name, of.trim_end_matches([')', ';']));
            } else if is_step(step) && !is_idle {
                block.does.push(placeless(&unnumbered(step, &kinds)).0);
            }
        }
    }
    for function in &mut list {
        settle(&mut function.blocks);
        forget(&mut function.blocks);
    }
    list
}

/// Those that do not do the same as one of their head over there.
pub fn differing(theirs: &[Function], here: Vec<Function>) -> Vec<Function> {
    let mut known: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in theirs {
        known.entry(&function.head).or_default().push(function);
    }
    let mut is_other = |function: &Function| {
        let list = known.get_mut(function.head.as_str());
        let same = list.and_then(|list| {
            let at = list.iter().position(|other| other.does_as(function))?;
            Some(list.swap_remove(at))
        });
        same.is_none()
    };
    // What has no code was left without a body.
    let is_empty = |function: &Function| {
        let does = does(&function.blocks, 0);
        does.is_some_and(|(steps, ways)| steps.is_empty() && ways.is_empty())
    };
    here.into_iter()
        .filter(|function| !is_empty(function) && is_other(function))
        .collect()
}

/// A step without the numbers of what the compiler made for itself, which depend on where it drops: `kinds` are the variables
/// that hold which variant a value is, and what a `switchInt` copies says whether there is something to drop.
fn unnumbered(step: &str, kinds: &BTreeMap<&str, &str>) -> String {
    let Some(of) = step.strip_prefix("switchInt(") else {
        return step.to_owned();
    };
    let of = of.trim_end_matches(')');
    match of.strip_prefix("move ").and_then(|name| kinds.get(name)) {
        Some(value) => format!("switchInt(discriminant({value}))"),
        None if of.starts_with("copy ") => FLAG.to_owned(),
        None => step.to_owned(),
    }
}

/// The number of a block that is gone on with; none for one that unwinds.
fn next(lead: &str) -> Option<usize> {
    let (why, to) = lead.rsplit_once(": ").unwrap_or(("", lead));
    let number = to.trim().strip_prefix("bb").filter(|_| why.trim() != "unwind");
    number?.parse().ok()
}

/// True for what is done, and is not only where.
fn is_step(line: &str) -> bool {
    let idle = ["Storage", "debug ", "scope ", "goto", "}", "nop", "unreachable"];
    // Values without content, and whether there is something to drop.
    let made = [" = const ();", " = const true;", " = const false;"];
    !line.is_empty()
        && !made.iter().any(|end| line.ends_with(end))
        && !idle.iter().any(|start| line.starts_with(start))
}

/// A line without places of the text (`at file:1:2: 3:4`, `@file:1:2: 3:4`), and the first of these.
fn placeless(line: &str) -> (String, Option<(usize, usize)>) {
    let mut text = String::new();
    let mut first = None;
    let mut rest = line;
    while let Some(start) = rest.find(" at ").into_iter().chain(rest.find('@')).min() {
        text += &rest[..start];
        rest = &rest[start..];
        if let Some((end, place)) = end_of_place(rest) {
            first = first.or(Some(place));
            rest = &rest[end..];
        } else {
            text += &rest[..1];
            rest = &rest[1..];
        }
    }
    text += rest;
    // A name may be a keyword in one of the editions.
    (countless(&text.replace("r#", "")), first)
}

/// A line without the numbers of closures (`{closure#2}`): calls of macros are read first or last, as they stand here or
/// come out of another crate, and what they make is counted then.
fn countless(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('#') {
        text += before;
        rest = behind.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_count = rest.len() < behind.len() && rest.starts_with('}');
        if !is_count {
            text.push('#');
            rest = behind;
        }
    }
    text + rest
}

/// Where the first `:1:2: 3:4` ends, and its first two numbers.
fn end_of_place(text: &str) -> Option<(usize, (usize, usize))> {
    let digits = |at: usize| {
        text[at..]
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len() - at)
    };
    text.match_indices(':').find_map(|(colon, _)| {
        let (mut at, mut numbers) = (colon, Vec::new());
        for sign in [":", ":", ": ", ":"] {
            at += text[at..].strip_prefix(sign).map(|_| sign.len())?;
            let length = digits(at);
            numbers.push(text[at..at + length].parse().ok()?);
            at += length;
        }
        Some((at, (numbers[0], numbers[1])))
    })
}

#[cfg(test)]
mod tests {
    use super::{functions, placeless};
    use crate::bundle::editions::drops::Ends;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    #[test]
    fn steps_are_read_without_places_and_ways_of_unwinding() {
        let tokens = Tokens::new("struct D; impl Drop for D {}", Path::new("test")).unwrap();
        let of = |mir: &str| functions(mir, &Ends::of(&tokens)).remove(0);
        let start = "fn <impl at bundle.rs:3:1: 3:7>::get(_1: &D) -> () {\n    let _2: D;\n    let mut _3: std::vec::Vec<u8>;\n\n    \
                     bb0: {\n        StorageLive(_2);\n        _0 = f(move _2) -> [return: bb1, unwind: bb3];\n    }\n\n";
        let end = "    bb2: {\n        return;\n    }\n\n    bb3 (cleanup): {\n        \
                   drop(_2) -> [return: bb2, unwind terminate(cleanup)];\n    }\n}\n";
        let drops = "    bb1: {\n        drop(_2) -> [return: bb2, unwind continue];\n    }\n\n";
        let function = of(&format!("{start}{drops}{end}"));
        assert_eq!(function.head, "fn <impl>::get(_1: &D) -> () {");
        assert_eq!(function.at, Some((3, 1)));
        assert_eq!(function.blocks[0].does, ["_0 = f(move _2)"]);
        assert_eq!(function.blocks[0].next, [1]);
        // The end of memory alone is no step.
        let memory = drops.replace("_2", "_3");
        assert!(!function.does_as(&of(&format!("{start}{memory}{end}"))));
        assert!(of(&format!("{start}{memory}{end}")).does_as(&of(&format!(
            "{start}    bb1: {{\n        goto -> bb2;\n    }}\n\n{end}"
        ))));
        // Nor is it whether there is any.
        let asked = "    bb1: {\n        switchInt(copy _4) -> [0: bb2, otherwise: bb4];\n    }\n\n";
        let behind = "    bb3 (cleanup): {\n        goto -> bb3;\n    }\n\n    \
                      bb4: {\n        drop(_3) -> [return: bb2, unwind continue];\n    }\n}\n";
        let last = "    bb2: {\n        return;\n    }\n\n";
        let of_flag = of(&format!("{start}{asked}{last}{behind}"));
        assert!(
            of(&format!(
                "{start}    bb1: {{\n        goto -> bb2;\n    }}\n\n{last}}}\n"
            ))
            .does_as(&of_flag)
        );
        let noticed = behind.replace("_3", "_2");
        assert!(!of(&format!("{start}{asked}{last}{noticed}")).does_as(&of_flag));
        // What goes round for ever does the same, however many blocks there are.
        let round = "    bb1: {\n        h() -> [return: bb1, unwind continue];\n    }\n\n";
        assert!(of(&format!("{start}{round}}}\n")).does_as(&of(&format!("{start}{round}{last}}}\n"))));
        // Nor what number a variable has, if it has it everywhere.
        let counted = |made: &str, used: &str, shown: &str| {
            let block = format!(
                "    bb1: {{\n        {made} = g(copy _1);\n        h(copy _2, copy {used}, copy {shown}) -> bb2;\n    }}\n\n"
            );
            of(&format!("{start}{block}{end}"))
        };
        let third = counted("_3", "_3", "_3");
        assert!(counted("_5", "_5", "_5").does_as(&third));
        for other in [
            counted("_5", "_3", "_5"),
            counted("_2", "_2", "_2"),
            counted("_3", "_1", "_3"),
        ] {
            assert!(!other.does_as(&third));
        }
        // A part of a value has a type of its own.
        let part = |place: &str| {
            let drop =
                format!("    bb1: {{\n        drop({place}) -> [return: bb2, unwind continue];\n    }}\n\n");
            of(&format!(
                "{start}{drop}    bb2: {{\n        return;\n    }}\n}}\n"
            ))
        };
        for (place, is_noticed) in [
            ("(((_2 as Some).0: D).2: std::vec::Vec<u8>)", false),
            ("((_3 as Some).0: D)", true),
            ("(*_3)", false),
            ("(*_2)", true),
        ] {
            let steps = part(place);
            let drops = steps.blocks.iter().flat_map(|block| &block.does);
            assert_eq!(
                drops.filter(|step| step.starts_with("drop")).count() == 1,
                is_noticed,
                "{place}"
            );
        }
        let (text, at) = placeless("_1 = {closure@a/b.rs:8:93: 8:95} { a: move _2 }");
        assert_eq!(
            (text.as_str(), at),
            ("_1 = {closure} { a: move _2 }", Some((8, 93)))
        );
        let (text, at) = placeless("fn main::{closure#0}::{closure#12}(_1: &u8, _2: [r#type; #3]) -> () {");
        assert_eq!(
            (text.as_str(), at),
            (
                "fn main::{closure}::{closure}(_1: &u8, _2: [type; #3]) -> () {",
                None
            )
        );
    }
}
