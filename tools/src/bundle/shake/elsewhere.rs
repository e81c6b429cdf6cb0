//! What has no code here and may have some elsewhere: the library that a judge has calls impls of its own traits as it
//! likes. These, and what they call, keep their bodies.

use super::Shaker;
use super::names::root;
use super::nodes::ways::End;
use super::nodes::{Node, Nodes, Role};
use crate::bundle::alone::Compile;
use crate::bundle::lex::{Tokens, unraw};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Traits that are in scope everywhere.
const PRELUDE: [&str; 30] = [
    "AsMut",
    "AsRef",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
];

/// Traits of the standard library of which no library calls anything that another does not call: it does so where a value is
/// shown, computed with or converted, and for that there is code then.
const EVEN: [&str; 43] = [
    "Add",
    "AddAssign",
    "Binary",
    "BitAnd",
    "BitAndAssign",
    "BitOr",
    "BitOrAssign",
    "BitXor",
    "BitXorAssign",
    "Debug",
    "Default",
    "Deref",
    "DerefMut",
    "Display",
    "Div",
    "DivAssign",
    "From",
    "FromStr",
    "Index",
    "IndexMut",
    "Into",
    "IntoIterator",
    "LowerExp",
    "LowerHex",
    "Mul",
    "MulAssign",
    "Neg",
    "Not",
    "Octal",
    "Pointer",
    "Rem",
    "RemAssign",
    "Shl",
    "ShlAssign",
    "Shr",
    "ShrAssign",
    "Sub",
    "SubAssign",
    "ToString",
    "TryFrom",
    "TryInto",
    "UpperExp",
    "UpperHex",
];

/// Types that have a name of their own everywhere, as functions of a crate may.
pub const PRIMITIVES: [&str; 17] = [
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32",
    "u64", "u8", "usize",
];

/// True where the compiler has the target features that all of a judge's machines have.
const IS_JUDGES: bool = cfg!(target_arch = "x86_64");

/// Features that all of a judge's machines have, or none: those of other machines.
const DECIDED: [&str; 8] = ["altivec", "fxsr", "neon", "simd128", "sse", "sse2", "sve", "vsx"];

/// Functions that are there, by name, and what types and traits there are.
struct Callable<'a> {
    functions: HashMap<&'a str, Vec<usize>>,
    /// Names of types and traits of the text, without those that stand for others.
    known: HashSet<&'a str>,
    /// Crates where traits of a name are.
    traits: HashMap<&'a str, BTreeSet<&'a str>>,
    /// Modules that import all of some other.
    globs: HashSet<&'a str>,
    /// Crates, and those that they name, in any number of steps; the program is none, and may name all.
    reach: HashMap<&'a str, BTreeSet<&'a str>>,
    /// Impls of foreign traits are meant wherever they are.
    everywhere: bool,
}

impl Callable<'_> {
    /// True if what is in a crate may name what is in another one.
    fn may_name(&self, from: &str, to: &str) -> bool {
        from == to || self.reach.get(from).is_none_or(|crates| crates.contains(to))
    }
}

/// Nodes that hold a `cfg` of what a judge's machine decides: another branch may be the one that runs there.
pub fn left_open<'n>(
    tokens: &'n Tokens,
    nodes: &'n Nodes,
    compile: &Compile,
) -> impl Iterator<Item = usize> + use<'n> {
    let is_known = IS_JUDGES && compile.baseline;
    let is_open = |k: usize| {
        let at = k as isize;
        let open = k + 1 + usize::from(tokens.at(at + 1) == "!");
        let is_free = |i: isize| {
            let feature = tokens.at(i + 2).trim_matches('"');
            tokens.at(i) == "target_feature" && !(IS_JUDGES && DECIDED.contains(&feature))
        };
        matches!(tokens.at(at), "cfg" | "cfg_attr")
            && tokens.at(open as isize) == "("
            && (open..tokens.list[open].pair).any(|i| is_free(i as isize))
    };
    let places = (0..tokens.list.len()).filter(move |k| !is_known && is_open(*k));
    places.filter_map(|k| nodes.at(&tokens.list[k].range))
}

impl Shaker<'_> {
    /// What may be needed where another branch runs than here, of those that are [`Self::left_open`]: what stands there, and
    /// what that may name, in any number of steps. The compiler does not read such a branch, and misses nothing in it.
    pub fn open_parts(&self) -> BTreeSet<usize> {
        let mut todo: BTreeSet<usize> = BTreeSet::new();
        for i in left_open(self.tokens, self.nodes, self.compiler.compile()) {
            todo.insert(i);
            todo.extend(self.standing_in(i));
        }
        let mut live = BTreeSet::new();
        if todo.is_empty() {
            return live;
        }
        let list = &self.nodes.list;
        // Whoever hands a branch a type of a crate that its own cannot name says what that is, and the compiler reads that.
        let callable = Callable {
            everywhere: false,
            ..self.callable(&|_| true)
        };
        loop {
            let before = live.clone();
            self.spread(todo, &mut live, &mut BTreeSet::new());
            todo = BTreeSet::new();
            for i in live.difference(&before).copied() {
                // Nobody hears what is missing in such a branch.
                todo.extend(self.items_of(i));
                let is_said = list[i].kind == "fn" || matches!(list[i].role, Role::Macro | Role::MacroCall);
                let (first, last) = self.tokens_of(i);
                for k in (first..last).filter(|k| is_said && self.tokens.is_word(*k)) {
                    self.called_at(i, k, &callable, &mut |named| {
                        todo.insert(named);
                    });
                }
            }
            todo = &todo - &live;
            if todo.is_empty() {
                return live;
            }
        }
    }

    /// Functions without code that are parts of impls of foreign traits or of a branch that is [`Self::left_open`], or may be
    /// called by such, in any number of steps; of those that are there: what has to come back first is asked again then.
    /// Macros may make such impls too: what they name counts.
    pub fn needed_elsewhere(&self) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let lives = |i: usize| !self.removed.contains(&i) && !self.is_inside_removed(i);
        let callable = self.callable(&lives);
        let makers = self.impl_makers(&callable.known);
        let ends: RefCell<HashMap<usize, bool>> = RefCell::default();
        let is_own = |of: usize| {
            let known = ends.borrow().get(&of).copied();
            known.unwrap_or_else(|| {
                let is_own = list[of].role != Role::TraitImpl || self.is_own(&list[of]);
                ends.borrow_mut().insert(of, is_own);
                is_own
            })
        };
        let is_foreign = |i: usize| {
            let node = &list[i];
            node.role == Role::TraitImplItem
                && !EVEN.iter().any(|of| node.is_of_trait(of))
                && node.parent.is_some_and(|of| !is_own(of))
        };
        let is_impl = |i: usize| matches!(list[i].role, Role::Impl | Role::TraitImpl);
        let makes = |i: usize| match list[i].role {
            Role::Macro => makers.contains(&i),
            // In an impl it makes parts of that.
            Role::MacroCall if list[i].parent.is_some_and(is_impl) => {
                list[i].parent.is_some_and(|of| !is_own(of))
            }
            Role::MacroCall => {
                let name = list[i].needs.first();
                let same = |k: &usize| list[*k].role == Role::Macro && Some(&list[*k].name) == name;
                let mut known = (0..list.len()).filter(same).peekable();
                self.says_impl(i, &callable.known)
                    || known.peek().is_none()
                    || known.any(|k| makers.contains(&k))
            }
            _ => false,
        };
        let mut todo: Vec<usize> = (0..list.len())
            .filter(|i| lives(*i))
            .filter(|i| is_foreign(*i) || makes(*i))
            .chain(left_open(self.tokens, self.nodes, self.compiler.compile()).filter(|i| lives(*i)))
            .collect();
        let mut needed: BTreeSet<usize> = todo.iter().copied().collect();
        let there: BTreeSet<usize> = (0..list.len()).filter(|i| lives(*i)).collect();
        let mut called: BTreeSet<&str> = BTreeSet::new();
        while let Some(i) = todo.pop() {
            // What macros make of a trait is called with it.
            let of_trait = list[i].of_trait.as_str();
            if list[i].kind == "fn" && !of_trait.is_empty() && called.insert(of_trait) {
                let makers = self.makers.get(of_trait).into_iter().flatten().copied();
                let calls = self.all_calls_for(of_trait, &there).into_iter().chain(makers);
                todo.extend(calls.filter(|i| needed.insert(*i)));
            }
            let (first, last) = self.tokens_of(i);
            for k in (first..last).filter(|k| self.tokens.is_word(*k)) {
                self.called_at(i, k, &callable, &mut |named| {
                    if needed.insert(named) {
                        todo.push(named);
                    }
                });
            }
        }
        needed
    }

    fn callable(&self, lives: &dyn Fn(usize) -> bool) -> Callable<'_> {
        let mut callable = Callable {
            functions: HashMap::new(),
            known: HashSet::new(),
            traits: HashMap::new(),
            globs: HashSet::new(),
            reach: self.named_crates(),
            everywhere: true,
        };
        for (i, node) in self.nodes.list.iter().enumerate() {
            if node.kind == "fn" && lives(i) {
                callable.functions.entry(&node.name).or_default().push(i);
            }
            if node.role == Role::UseLeaf && node.name == "*" {
                callable.globs.insert(&node.module);
            }
            if node.role == Role::Item && matches!(node.kind, "struct" | "enum" | "union" | "trait") {
                callable.known.insert(&node.name);
                if node.kind == "trait" {
                    let of = callable.traits.entry(&node.name).or_default();
                    of.insert(root(&node.module));
                }
            }
        }
        callable
    }

    /// Crates that each crate names, in any number of steps.
    fn named_crates(&self) -> HashMap<&str, BTreeSet<&str>> {
        let list = &self.nodes.list;
        let mut reach: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for (i, node) in list.iter().enumerate() {
            if node.role == Role::Module && node.module.is_empty() && self.crates.contains(&node.name) {
                let (first, last) = self.tokens_of(i);
                let words = (first..last).map(|k| unraw(self.tokens.at(k)));
                let of = words.filter(|word| self.crates.contains(*word)).collect();
                reach.insert(&node.name, of);
            }
        }
        loop {
            let before: usize = reach.values().map(BTreeSet::len).sum();
            for of in reach.keys().copied().collect::<Vec<_>>() {
                let more = reach[of].iter().filter_map(|of| reach.get(of)).flatten();
                let more: BTreeSet<&str> = more.copied().collect();
                reach.entry(of).or_default().extend(more);
            }
            if reach.values().map(BTreeSet::len).sum::<usize>() == before {
                return reach;
            }
        }
    }

    /// Functions that the word at token `k` of node `i` may call.
    fn called_at(&self, i: usize, k: isize, callable: &Callable, call: &mut dyn FnMut(usize)) {
        let (tokens, list) = (self.tokens, &self.nodes.list);
        let node = &list[i];
        let word = unraw(tokens.at(k));
        let before = tokens.before(k);
        if before == "fn" {
            return;
        }
        // An import may have given it another name.
        let import = self.nodes.imports.get(&(node.module.clone(), word.to_owned()));
        let real = import
            .and_then(|path| path.rsplit("::").next())
            .filter(|_| before != ".");
        // The type is meant, unless it is called or the function is imported.
        let is_type = import.is_none() && before != "::" && tokens.at(k + 1) != "(";
        if is_type && PRIMITIVES.contains(&word) {
            return;
        }
        let is_macro = matches!(node.role, Role::Macro | Role::MacroCall);
        // What stands in a macro that other crates call may be theirs.
        let (first, last) = self.tokens_of(i);
        let mut head = (first..last).take_while(|k| tokens.at(*k) != "macro_rules");
        let is_exported = node.role == Role::Macro && head.any(|k| tokens.at(k) == "macro_export");
        let is_shut = node.kind == "fn" && !callable.globs.contains(node.module.as_str()) && import.is_none();
        let prefix = match tokens.at(k - 2) {
            "Self" => node.of_type.as_str(),
            other => other,
        };
        let is_of_known = before == "::" && callable.known.contains(prefix) && !is_macro;
        let own = root(&node.module);
        let knows = |of: &Node| match callable.traits.get(of.of_trait.as_str()) {
            Some(crates) => crates.iter().any(|of| callable.may_name(own, of)),
            None => callable.everywhere || callable.may_name(own, root(&of.module)),
        };
        let may_mean = |of: &Node| {
            let sees = || callable.may_name(own, root(&of.module));
            match of.role {
                _ if is_exported => true,
                Role::TraitItem | Role::TraitImplItem if is_macro => knows(of),
                _ if is_macro => sees(),
                Role::Item if before == "::" => !is_of_known && sees(),
                Role::Item => before != "." && (!is_shut || of.module == node.module) && sees(),
                Role::Method if before == "." => sees(),
                Role::Method => before == "::" && (!is_of_known || of.of_type == prefix) && sees(),
                // The trait is known here, wherever it is implemented.
                Role::TraitItem | Role::TraitImplItem => matches!(before, "." | "::") && knows(of),
                _ => true,
            }
        };
        let names = [Some(word), real.filter(|real| *real != word)];
        let found = names
            .into_iter()
            .flatten()
            .filter_map(|name| callable.functions.get(name));
        found
            .flatten()
            .copied()
            .filter(|i| may_mean(&list[*i]))
            .for_each(call);
    }

    /// Macros that may make an impl of a foreign trait, by themselves or by others that they call.
    fn impl_makers(&self, known: &HashSet<&str>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let macros: Vec<usize> = (0..list.len()).filter(|i| list[*i].role == Role::Macro).collect();
        let says = |i: &usize| self.says_impl(*i, known);
        let mut makers: BTreeSet<usize> = macros.iter().copied().filter(says).collect();
        loop {
            let names: BTreeSet<&str> = makers.iter().map(|i| list[*i].name.as_str()).collect();
            let calls = |i: &usize| {
                let (first, last) = self.tokens_of(*i);
                (first..last).any(|k| self.tokens.at(k + 1) == "!" && names.contains(self.tokens.at(k)))
            };
            let more: Vec<usize> = macros
                .iter()
                .copied()
                .filter(|i| !makers.contains(i) && calls(i))
                .collect();
            if more.is_empty() {
                return makers;
            }
            makers.extend(more);
        }
    }

    /// True if what stands there may make an impl of a trait that is not one of the `known`.
    fn says_impl(&self, i: usize, known: &HashSet<&str>) -> bool {
        let (first, last) = self.tokens_of(i);
        let tokens = self.tokens;
        (first..last).filter(|k| tokens.at(*k) == "impl").any(|k| {
            // `impl<…> a::Trait<…> for`: words in angles are none of its path.
            let (mut at, mut depth, mut name) = (k + 1, 0, None);
            while at < last && !matches!(tokens.at(at), "{" | ";" | "}" | "where") {
                match tokens.at(at) {
                    "<" => depth += 1,
                    ">" => depth -= 1,
                    "for" if depth == 0 => break,
                    "$" if depth == 0 => name = Some("$"),
                    word if depth == 0 && tokens.is_word(at) && name != Some("$") => name = Some(word),
                    _ => {}
                }
                at += 1;
            }
            // Without `for` it is a type's own, or what makes it is not seen whole.
            let is_whole = tokens.at(at) == "for";
            is_whole && name.is_none_or(|name| !known.contains(name) && !EVEN.contains(&name))
        })
    }

    /// True if the trait of an impl is in the text.
    fn is_own(&self, of: &Node) -> bool {
        match self.nodes.ways.end(&of.module, &of.trait_path) {
            Some(End::Item(_) | End::Made(_)) => return true,
            Some(End::Elsewhere(_)) => return false,
            _ => {}
        }
        let found = self.nodes.resolve(&of.module, &of.trait_path);
        found.map_or_else(|| self.is_by_glob(of), |i| self.nodes.list[i].kind == "trait")
    }

    /// True if the trait of an impl can only be one of the text that comes by the import of a whole module.
    fn is_by_glob(&self, of: &Node) -> bool {
        let list = &self.nodes.list;
        let (name, module) = (&of.trait_path, &of.module);
        let is_there = |node: &Node| node.kind == "trait" && node.name == *name;
        let is_glob = |node: &&Node| node.role == Role::UseLeaf && node.name == "*" && node.module == *module;
        let of_library =
            |node: &Node| ["std", "core", "alloc"].contains(&root(node.path.trim_start_matches("::")));
        let mut globs = list.iter().filter(is_glob).peekable();
        let is_imported = self.nodes.imports.contains_key(&(module.clone(), name.clone()));
        let is_known = PRELUDE.contains(&name.as_str()) || is_imported;
        !is_known && list.iter().any(is_there) && globs.peek().is_some() && !globs.any(of_library)
    }
}

#[cfg(test)]
mod tests {
    use crate::bundle::alone::Compile;
    use crate::bundle::lex::Tokens;
    use crate::bundle::shake::nodes::Nodes;
    use crate::bundle::shake::{Shaker, title};
    use std::path::Path;

    #[test]
    fn impls_of_foreign_traits_keep_what_they_call() {
        let text = "
mod kit { pub trait Own { fn own(&self); } pub fn far() {} pub fn near() {} }
use kit::*;
struct S; struct T;
impl S { fn new() -> S { S } fn both(&self) {} fn rest(&self) {} }
impl T { fn new() -> T { near(); T } fn both(&self) {} }
impl Own for S { fn own(&self) { far(); } }
impl Clone for S { fn clone(&self) -> S { let _: u8 = 1; self.both(); S::new() } }
fn u8() -> u8 { 1 }
macro_rules! owned { ($of:ty) => { impl Own for $of { fn own(&self) { S.rest(); } } } }
owned!(T);
fn main() {}
";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let needed = |tokens: &Tokens| {
            let nodes = Nodes::new(tokens).unwrap();
            let shaker = Shaker::new(tokens, &nodes, &compile, &|_| {}).unwrap();
            let list = &shaker.nodes.list;
            let needed = shaker.needed_elsewhere();
            let functions = needed.iter().filter(|i| list[**i].kind == "fn");
            functions.map(|i| title(&list[*i])).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(needed(&tokens), "S::new, S::both, T::both, <S as Clone>::clone");
        let called = text.replace("S::new() }", "T.own(); S::new() }");
        let tokens = Tokens::new(&called, Path::new("text")).unwrap();
        assert!(needed(&tokens).contains("S::rest"));
        let called = text.replace("self.both();", "self.both(); u8();");
        let tokens = Tokens::new(&called, Path::new("text")).unwrap();
        assert!(needed(&tokens).contains("u8"));
        let foreign = text.replace(
            "impl Own for $of { fn own(&self)",
            "impl Drop for $of { fn drop(&mut self)",
        );
        let tokens = Tokens::new(&foreign, Path::new("text")).unwrap();
        assert!(needed(&tokens).contains("S::rest"));
    }

    #[test]
    fn a_branch_for_other_machines_reaches_no_further_than_its_crate() {
        let text = "mod a {
    pub fn open(of: impl Iterator<Item = u8>) -> u8 {
        #[cfg(target_feature = \"FEATURE\")] { wide(of) }
        #[cfg(not(target_feature = \"FEATURE\"))] { of.count() as u8 }
    }
    fn wide(mut of: impl Iterator<Item = u8>) -> u8 { of.next().unwrap_or(Own.own()) }
    trait Is { fn own(&self) -> u8; }
    struct Own;
    impl Is for Own { fn own(&self) -> u8 { near() } }
    fn near() -> u8 { 3 }
    fn never() {}
}
mod b {
    pub struct S;
    impl Iterator for S { type Item = u8; fn next(&mut self) -> Option<u8> { Some(deep()) } }
    fn deep() -> u8 { 3 }
}
fn main() { println!(\"{}\", a::open(b::S.take(3))); }
";
        let compile = Compile {
            crates: ["a", "b"].map(str::to_owned).into(),
            ..Compile::default()
        };
        let open = |feature: &str, baseline: bool| -> Vec<String> {
            let text = text.replace("FEATURE", feature);
            let compile = Compile {
                baseline,
                ..compile.clone()
            };
            let tokens = Tokens::new(&text, Path::new("text")).unwrap();
            let nodes = Nodes::new(&tokens).unwrap();
            let shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
            let list = &shaker.nodes.list;
            let functions = shaker.open_parts().into_iter().filter(|i| list[*i].kind == "fn");
            functions.map(|i| list[i].name.clone()).collect()
        };
        assert_eq!(open("avx2", false), ["open", "wide", "own", "own", "near"]);
        if super::IS_JUDGES {
            assert!(open("sse2", false).is_empty());
            assert!(open("avx2", true).is_empty());
        }
    }
}
