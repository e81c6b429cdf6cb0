//! Calls of macros where items stand, written out.
//!
//! One `macro_rules!` makes the same impls for twelve types of numbers, of which a program needs two: what a call makes
//! stays or goes as a whole. Written out, every impl is an item like others. The compiler itself puts the arguments
//! in: the same rules with every body in `stringify!` print what a call makes, all calls of a text in one question.
//!
//! It is worth it only where little of it is needed: what there is code for says how much is left, and a macro whose
//! products would be longer than its rules and calls stays a macro. Names that a macro declares for its own
//! statements are no longer its own, so whether it is the same program is for others to prove.

use super::carried::carried;
use super::compiler::{Compiler, emit};
use super::instances::{self, Made};
use super::nodes::{Node, Nodes, Role};
use super::printed::{items, printing};
use super::products::{Products, declared, impls};
use crate::bundle::alone::Compile;
use crate::bundle::docs;
use crate::bundle::lex::{Edits, Tokens};
use crate::bundle::rejected::parsed;
use anyhow::{Context, Result, ensure};
use proc_macro2::TokenStream;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ImplItem, Item, ItemMacro, Stmt};

/// How deep calls in calls are written out.
const DEPTH: usize = 24;
/// The same where only what they make is asked for: of most macros that is known then.
const SHALLOW: usize = 6;
/// All that is written out is at most so many times as long as the text.
const LONGER: usize = 4;
/// So many bytes are never too many.
const LEAST: usize = 400_000;
/// Products that are worth it are at most this part, in percent, of rules and calls.
const WORTH: usize = 85;
/// How often macros are left as they are of which what is written out does not compile.
const TRIES: usize = 2;
/// Impls in one block hold each other: so many times as much of it stays as what there is code for.
const HELD: usize = 2;
/// An impl without functions is there for types that are needed: one in so many.
const MARKERS: usize = 4;

/// What calls of macros make.
#[derive(Default)]
pub struct Written {
    /// The text with those calls written out that are longer as calls; `None` if there are none.
    pub text: Option<String>,
    /// For a call as it stands there: the impls that it makes.
    pub products: Products,
    /// What there is code for in that text.
    pub made: Option<Made>,
}

/// Writes out what is worth it of `text`.
pub fn out(text: &str, compile: &Compile) -> Result<Written> {
    let file = parsed(text)?;
    let found = Uses::of(&file);
    if found.calls.is_empty() {
        return Ok(Written::default());
    }
    let (mut calls, nested) = written(&found, text, compile, DEPTH)?;
    // A macro is written out everywhere or nowhere.
    let unknown = (0..calls.len()).filter(|n| calls[*n].is_none());
    let partly: BTreeSet<usize> = unknown.map(|n| found.calls[n].rules).collect();
    for (n, call) in found.calls.iter().enumerate() {
        if partly.contains(&call.rules) {
            calls[n] = None;
        }
    }
    let mut whole = replaced(text, &found.calls, &calls, &|_| true);
    let mut has_code = coded(&whole.text, compile);
    for _ in 0..TRIES {
        if has_code.is_ok() {
            break;
        }
        // Names of a macro's own that are what a caller names, too, are no longer told apart.
        let failed = failed(&whole, &found, compile)?;
        if failed.is_empty() {
            break;
        }
        for (call, made) in found.calls.iter().zip(&mut calls) {
            if failed.contains(&call.rules) {
                *made = None;
            }
        }
        whole = replaced(text, &found.calls, &calls, &|_| true);
        has_code = coded(&whole.text, compile);
    }
    let (nodes, mut made) = has_code?;
    let takes = worth(&whole, &found, &nested, &|place| {
        needed(&nodes, place, &made.nodes)
    });
    let mut products = Products::default();
    for (n, place) in &whole.places {
        let of = products
            .impls
            .entry(text[found.calls[*n].range.clone()].to_owned());
        let is_there = |node: &Node| place.start <= node.range.start && node.range.end <= place.end;
        of.or_default().extend(impls(&nodes, &is_there));
    }
    if takes.is_empty() {
        return Ok(Written {
            products,
            ..Written::default()
        });
    }
    // What documents a macro's product is of no use, as elsewhere.
    let text = docs::bare(&replaced(text, &found.calls, &calls, &|n| takes.contains(&n)).text)?;
    let tokens = Tokens::new(&text, Path::new("bundle"))?;
    let own = Nodes::new(&tokens)?;
    made.nodes = carried(&made.nodes, (&whole.text, &nodes), (&text, &own));
    made.form = instances::form(&own);
    Ok(Written {
        text: Some(text),
        products,
        made: Some(made),
    })
}

/// What calls of macros make in `text`, as far as that is known.
pub fn products(text: &str, compile: &Compile) -> Result<Products> {
    let file = parsed(text)?;
    let found = Uses::of(&file);
    let mut products = Products::default();
    if found.calls.is_empty() {
        return Ok(products);
    }
    let (calls, _) = written(&found, text, compile, SHALLOW)?;
    for (call, made) in found.calls.iter().zip(&calls) {
        let Some(made) = made else { continue };
        let tokens = Tokens::new(made, Path::new("product"));
        let Ok(nodes) = tokens.and_then(|tokens| Nodes::new(&tokens)) else {
            continue;
        };
        let call = &text[call.range.clone()];
        // What stands in an impl makes none.
        if made.contains("impl") {
            let of = products.impls.entry(call.to_owned()).or_default();
            of.extend(impls(&nodes, &|_| true));
        }
        if let Some(declared) = declared(&nodes) {
            let of = products.names.entry(call.to_owned()).or_default();
            of.extend(declared);
        }
    }
    Ok(products)
}

/// The parts of a text, and what there is code for.
fn coded(text: &str, compile: &Compile) -> Result<(Nodes, Made)> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let nodes = Nodes::new(&tokens)?;
    let made = instances::made(text, &tokens, &nodes, compile, None)?;
    Ok((nodes, made))
}

/// Rules of which what is written out does not compile.
fn failed(whole: &Replaced, found: &Uses, compile: &Compile) -> Result<BTreeSet<usize>> {
    let errors = Compiler::new(compile)?.check_once(&whole.text)?.errors;
    let spans: Vec<&Range<usize>> = errors.iter().flat_map(|error| &error.spans).collect();
    let is_hit = |place: &Range<usize>| spans.iter().any(|span| place.contains(&span.start));
    let hit = whole.places.iter().filter(|(_, place)| is_hit(place));
    Ok(hit.map(|(n, _)| found.calls[*n].rules).collect())
}

/// A call, or a definition.
struct Call {
    name: String,
    /// Modules around it.
    module: String,
    range: Range<usize>,
    tokens: TokenStream,
    /// Which of the rules of the text a call means.
    rules: usize,
}

/// Macros of the text, and calls of them where items stand.
#[derive(Default)]
struct Uses {
    rules: Vec<Call>,
    calls: Vec<Call>,
    around: Vec<String>,
}

impl Uses {
    fn of(file: &syn::File) -> Self {
        let mut found = Self::default();
        found.visit_file(file);
        for mut call in std::mem::take(&mut found.calls) {
            if let Some(rules) = found.rules_of(&call.name, &call.module, call.range.start) {
                call.rules = rules;
                found.calls.push(call);
            }
        }
        found
    }

    /// The last rules of a name before a place, in a module around it; or the only ones there are.
    fn rules_of(&self, name: &str, module: &str, at: usize) -> Option<usize> {
        let same = || (0..self.rules.len()).filter(|n| self.rules[*n].name == name);
        let is_around = |n: &usize| {
            let of = &self.rules[*n];
            let rest = module.strip_prefix(of.module.as_str());
            of.range.end <= at && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let mut all = same();
        match (same().rfind(is_around), all.next(), all.next()) {
            (Some(found), ..) | (None, Some(found), None) => Some(found),
            _ => None,
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Macro(item) => self.visit_item_macro(item),
            Item::Mod(module) => {
                self.around.push(format!("::{}", module.ident));
                visit::visit_item(self, item);
                self.around.pop();
            }
            Item::Impl(of) => {
                for part in &of.items {
                    if let ImplItem::Macro(part) = part {
                        self.call(&part.mac, part.span().byte_range(), &part.attrs);
                    }
                }
            }
            // In the block of `const _` there are items as well.
            Item::Const(of) if of.ident == "_" => {
                let Expr::Block(block) = &*of.expr else { return };
                for statement in &block.block.stmts {
                    match statement {
                        Stmt::Item(item) => self.visit_item(item),
                        Stmt::Macro(call) => self.call(&call.mac, call.span().byte_range(), &call.attrs),
                        _ => {}
                    }
                }
            }
            // Macros of functions are known there only.
            _ => {}
        }
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        let range = item.span().byte_range();
        match &item.ident {
            Some(name) => {
                let rules = self.named(name.to_string(), &item.mac, range);
                self.rules.push(rules);
            }
            None => self.call(&item.mac, range, &item.attrs),
        }
    }
}

impl Uses {
    fn named(&self, name: String, of: &syn::Macro, range: Range<usize>) -> Call {
        Call {
            name,
            module: self.around.concat(),
            range,
            tokens: of.tokens.clone(),
            rules: 0,
        }
    }

    fn call(&mut self, of: &syn::Macro, range: Range<usize>, attributes: &[Attribute]) {
        if let Some(last) = of.path.segments.last().filter(|_| attributes.is_empty()) {
            let call = self.named(last.ident.to_string(), of, range);
            self.calls.push(call);
        }
    }
}

/// Rules that others call, and which those are.
type Nested = BTreeMap<usize, BTreeSet<usize>>;

/// What each call makes, calls in it written out too; `None` where that is not known.
fn written(
    found: &Uses,
    text: &str,
    compile: &Compile,
    most: usize,
) -> Result<(Vec<Option<String>>, Nested)> {
    let mut nested = Nested::new();
    let mut made: Vec<Option<String>> = found
        .calls
        .iter()
        .map(|call| Some(text[call.range.clone()].to_owned()))
        .collect();
    for depth in 0.. {
        // Calls in what there is by now: of which root, where in its text.
        let mut asked: Vec<(usize, Call)> = Vec::new();
        for (n, text) in made.iter_mut().enumerate() {
            let Some(file) = text.as_ref().and_then(|text| syn::parse_file(text).ok()) else {
                *text = None;
                continue;
            };
            let mut inner = Uses::default();
            inner.visit_file(&file);
            if !inner.rules.is_empty() {
                *text = None;
                continue;
            }
            // What a product means is what it means where the call is.
            let root = &found.calls[n];
            // In the first round it is the call itself.
            for mut call in inner.calls {
                let Some(rules) = found.rules_of(&call.name, &root.module, root.range.start) else {
                    continue;
                };
                if depth == most {
                    *text = None;
                } else {
                    if rules != root.rules {
                        nested.entry(rules).or_default().insert(root.rules);
                    }
                    call.rules = rules;
                    asked.push((n, call));
                }
            }
        }
        if asked.is_empty() {
            for text in &mut made {
                *text = text.as_deref().and_then(|text| docs::undocumented(text).ok());
            }
            return Ok((made, nested));
        }
        let answers = ask(found, asked.iter().map(|(_, call)| call), compile)?;
        let mut edits: BTreeMap<usize, Edits> = BTreeMap::new();
        for ((n, call), answer) in asked.iter().zip(answers) {
            match answer {
                Some(answer) => edits.entry(*n).or_default().replace(call.range.clone(), answer),
                None => made[*n] = None,
            }
        }
        for (n, edits) in edits {
            made[n] = made[n].take().map(|text| edits.apply(&text));
        }
        bounded(&mut made, found, LEAST.max(text.len() * LONGER));
    }
    unreachable!("there is a last depth")
}

/// Takes out what the macros make that make most, until all of it has at most so many bytes.
fn bounded(made: &mut [Option<String>], found: &Uses, most: usize) {
    loop {
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        for (call, text) in found.calls.iter().zip(made.iter()) {
            *sizes.entry(call.rules).or_default() += text.as_ref().map_or(0, String::len);
        }
        let all: usize = sizes.values().sum();
        let Some((longest, _)) = sizes
            .into_iter()
            .max_by_key(|(_, size)| *size)
            .filter(|_| all > most)
        else {
            return;
        };
        for (call, text) in found.calls.iter().zip(made.iter_mut()) {
            if call.rules == longest {
                *text = None;
            }
        }
    }
}

/// What calls make, one step deep.
fn ask<'c>(
    found: &Uses,
    calls: impl Iterator<Item = &'c Call>,
    compile: &Compile,
) -> Result<Vec<Option<String>>> {
    let mut source = String::new();
    let mut used = BTreeSet::new();
    let mut body = String::new();
    let mut count = 0;
    for (n, call) in calls.enumerate() {
        used.insert(call.rules);
        count = n + 1;
        let _ = writeln!(body, "const C{n}: &str = m{}! {{ {} }};", call.rules, call.tokens);
    }
    for n in used {
        let rules = printing(found.rules[n].tokens.clone());
        let rules = rules.with_context(|| format!("{}! cannot be read", found.rules[n].name))?;
        let _ = writeln!(source, "macro_rules! m{n} {{ {rules} }}");
    }
    source += &body;
    source += "fn main() {}\n";
    let mut plain = compile.clone();
    plain.offered.clear();
    let text = emit(&source, &plain, "metadata", &["-Zunpretty=expanded"])?;
    let file = syn::parse_file(&text).context("what macros make cannot be read")?;
    let mut made: Vec<Option<String>> = Vec::new();
    for item in &file.items {
        let Item::Const(item) = item else { continue };
        let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) = &*item.expr
        else {
            continue;
        };
        made.push(items(&text.value()));
    }
    ensure!(made.len() == count, "what macros make cannot be read");
    Ok(made)
}

/// A text in which calls are written out.
struct Replaced {
    text: String,
    /// Which call was written out where.
    places: Vec<(usize, Range<usize>)>,
}

fn replaced(text: &str, calls: &[Call], made: &[Option<String>], takes: &dyn Fn(usize) -> bool) -> Replaced {
    let mut out = Replaced {
        text: String::with_capacity(text.len()),
        places: Vec::new(),
    };
    let mut at = 0;
    for (n, (call, made)) in calls.iter().zip(made).enumerate() {
        let Some(made) = made.as_ref().filter(|_| takes(n) && call.range.start >= at) else {
            continue;
        };
        out.text += &text[at..call.range.start];
        let start = out.text.len();
        out.text += made;
        out.places.push((n, start..out.text.len()));
        at = call.range.end;
    }
    out.text += &text[at..];
    out
}

/// Calls of macros that are longer than what is needed of their products. A call of whose products nothing is needed
/// goes as it stands.
fn worth(
    whole: &Replaced,
    found: &Uses,
    nested: &Nested,
    needed: &dyn Fn(&Range<usize>) -> usize,
) -> BTreeSet<usize> {
    // Of each macro: what is needed of its products, and its rules with the calls that it is needed of.
    let mut sizes: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut takes: BTreeSet<usize> = BTreeSet::new();
    for (n, place) in &whole.places {
        let call = &found.calls[*n];
        let size = needed(place);
        let rules = found.rules[call.rules].range.len();
        let of = sizes.entry(call.rules).or_insert((0, rules));
        if size > 0 {
            of.0 += size;
            of.1 += call.range.len();
        }
        takes.insert(*n);
    }
    // Rules that nobody else calls go with it.
    for (rules, by) in nested {
        let is_called = found.calls.iter().any(|call| call.rules == *rules);
        if let (1, Some(only), false) = (by.len(), by.first(), is_called) {
            if let Some(of) = sizes.get_mut(only) {
                of.1 += found.rules[*rules].range.len();
            }
        }
    }
    takes.retain(|n| {
        let (products, calls) = sizes[&found.calls[*n].rules];
        products > 0 && products * 100 <= calls * WORTH
    });
    takes
}

/// Characters of what is needed, as far as code tells, of the items in a place.
fn needed(nodes: &Nodes, place: &Range<usize>, made: &BTreeSet<usize>) -> usize {
    let list = &nodes.list;
    let inside = |i: &usize| place.start <= list[*i].range.start && list[*i].range.end <= place.end;
    // Blocks of `const _` have items as modules have.
    let has_items = |p: usize| matches!(list[p].role, Role::Module | Role::Assert);
    let mut size = 0;
    for i in (0..list.len()).filter(inside) {
        let node = &list[i];
        let is_outermost = node.parent.is_none_or(|p| !inside(&p) || has_items(p));
        if !is_outermost || has_items(i) || node.role == Role::DeriveList {
            continue;
        }
        let len = node.range.len();
        let is_in_block = node.parent.is_some_and(|p| list[p].role == Role::Assert);
        let times = if is_in_block { HELD } else { 1 };
        size += times
            * match node.role {
                Role::Impl | Role::TraitImpl => {
                    let parts =
                        || (i..list.len()).filter(|k| list[*k].parent == Some(i) && list[*k].kind == "fn");
                    let functions: usize = parts().map(|k| list[k].range.len()).sum();
                    let live = parts().filter(|k| made.contains(k));
                    let live: usize = live.map(|k| list[k].range.len()).sum();
                    match (functions, live) {
                        (0, _) => len / MARKERS,
                        (_, 0) => 0,
                        _ => len - functions + live,
                    }
                }
                _ if node.kind == "fn" && !made.contains(&i) => 0,
                _ => len,
            };
    }
    size
}

#[cfg(test)]
mod tests {
    use super::{Products, out, products};
    use crate::bundle::alone::Compile;

    #[test]
    fn what_little_is_needed_of_is_written_out() {
        let text = "\
trait One { fn one() -> Self; fn name() -> &'static str; fn far(self) -> Self; }
macro_rules! one {
    ($t:ty, $e:expr) => {
        impl One for $t {
            fn one() -> Self { 2 * $e + (1 as $t << 2) }
            fn name() -> &'static str { stringify!($t) }
            fn far(self) -> Self { self.pow(3).max(Self::one()).min(Self::MAX / 2) * 3 }
        }
    };
}
macro_rules! ones { ($($t:ty),*) => { $(one!($t, 1 + 2);)* }; }
ones!(i8, i16, i32, i64, u8, u16, u32, u64);
macro_rules! count {
    ($t:ty, $v:ident) => {
        impl Count for $t {
            fn count(self) -> u8 { let $v = None; let i = 1; let all: Option<u8> = $v; all.map_or(i, |n| n + i) }
            fn far(self) -> u8 { self.count().max(2).min(7).pow(2) }
        }
    };
}
trait Count { fn count(self) -> u8; fn far(self) -> u8; }
count!(i8, i); count!(i16, i); count!(i32, i); count!(i64, i);
mod inner {
    macro_rules! one { ($n:ident) => { pub fn $n() -> i32 { 7 } }; }
    one!(seven);
}
fn main() { print!(\"{} {} {} {}\", i32::one(), u8::name(), inner::seven(), 1i8.count()) }
";
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let written = out(text, &compile).unwrap();
        let left = written.text.unwrap();
        assert!(
            !left.contains("ones!(") && left.contains("impl One for i32"),
            "{left}"
        );
        assert!(
            left.contains("2 * (1 + 2) + (1 as (i32) << 2)") && left.contains("stringify!(u8)"),
            "{left}"
        );
        // Written out, both of its variables would be one.
        assert!(left.contains("count!(i64, i)"), "{left}");
        let of = &written.products.impls["ones!(i8, i16, i32, i64, u8, u16, u32, u64);"];
        let is_of = |name: &str| {
            of.iter()
                .any(|made| made.of_trait == "One" && made.of_type == name)
        };
        assert!(is_of("u64") && !is_of("usize"));
        // The same name means another macro there.
        assert!(written.products.impls["one!(seven);"].is_empty());
    }

    #[test]
    fn what_a_call_declares_is_told_from_what_it_is_handed() {
        let text = "macro_rules! vecs { ($($n:ident => $other:ident),*) => {
                $(pub struct $n; impl $n { fn to(self) -> $other { $other } } impl Copy for $n {})* } }
            macro_rules! all { ($m:ident) => { $m!(); } }
            macro_rules! none { () => {} }
            macro_rules! deep { ($($t:tt)*) => { deeper!($($t)*); } }
            vecs!(Vec2 => Vec3); all!(none); deep!(Vec4); fn main() {}";
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let Products { impls, names } = products(text, &compile).unwrap();
        assert_eq!(names["vecs!(Vec2 => Vec3);"], ["Vec2".to_owned()].into());
        assert!(names["all!(none);"].is_empty());
        // Of what is not known nothing is said.
        assert!(!names.contains_key("deep!(Vec4);"), "{names:?}");
        assert_eq!(impls["vecs!(Vec2 => Vec3);"].len(), 1);
    }
}
