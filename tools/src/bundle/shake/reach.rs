//! What a program reaches, by names: the first and coarsest sieve, before any compiler is asked.
//!
//! An item can only matter if its name stands in code that matters; a method moreover only where its type
//! or trait does, an impl only where its trait and every type it is about do. So whatever is not named from
//! `main` on, through any number of steps, goes at once: whole crates of it, before a macro in them has to
//! be understood or a refusal counts. Names are not resolved: two things of one name live or die together.
//! Nothing that is cut is named by anything that stays, so nothing that stays can come to mean something
//! else. Words of macro bodies count as said everywhere.

use super::names::root;
use super::nodes::{Nodes, Role};
use super::thin::NEWER;
use crate::bundle::lex::{Kind, Tokens, unraw};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

mod crates;
mod impls;
mod macros;
mod scopes;

use crates::Crates;

/// How a name is said.
const ITEM: u8 = 1;
const METHOD: u8 = 2;

/// The result.
pub struct Reached {
    /// Nodes that are not reached.
    pub dead: BTreeSet<usize>,
    /// For a live node, the one that made it live.
    pub cause: Vec<Option<usize>>,
}

/// Finds what is reached from `main` and from the names in `forced`. `crates` are modules at the root that are
/// crates of their own.
pub fn reach(
    tokens: &Tokens,
    nodes: &Nodes,
    forced: &BTreeSet<String>,
    crates: &BTreeSet<String>,
) -> Reached {
    let mut reach = Reach::new(tokens, nodes, !crates.is_empty());
    reach.crates = Crates::new(tokens, nodes, crates);
    for name in forced {
        reach.say(name, ITEM | METHOD, None);
        reach.crates.say(name, None);
        reach.everywhere.insert(name.clone());
        reach.kept.insert(name.clone());
        reach.forced.insert(name.clone());
    }
    while reach.round() {}
    let shell = |i: usize| {
        matches!(
            nodes.list[i].role,
            Role::Use | Role::UseGroup | Role::DeriveList | Role::Impl | Role::Solid | Role::MacroPart
        )
    };
    let dead = (0..nodes.list.len())
        .filter(|&i| !shell(i) && !reach.live[reach.unit[i]])
        .collect();
    Reached {
        dead,
        cause: reach.cause,
    }
}

struct Reach<'a> {
    nodes: &'a Nodes,
    /// The node whose life a node shares.
    unit: Vec<usize>,
    /// What each unit says.
    words: Vec<Vec<(&'a str, u8)>>,
    live: Vec<bool>,
    cause: Vec<Option<usize>>,
    /// What has been said, how, and by whom first.
    said: HashMap<String, (u8, Option<usize>)>,
    /// What has been said in each module.
    said_in: HashMap<&'a str, HashSet<&'a str>>,
    everywhere: HashSet<String>,
    /// What has been said of things that a path leads to, by crate.
    crates: Crates,
    /// It is known what is a crate: names are told apart by who can see them.
    is_fine: bool,
    /// Impls in the body of a function or in a constant: they hold whether it is used or not.
    held: BTreeMap<usize, Vec<usize>>,
    /// What the names of an impl mean that are known in its module.
    about: HashMap<usize, Vec<(&'a str, usize)>>,
    /// Names that paths of live imports lead through.
    passed: HashSet<&'a str>,
    /// Modules that stay even if nothing in them does.
    kept: HashSet<String>,
    /// Names that an error asked back.
    forced: HashSet<String>,
    /// Names of types and traits.
    types: HashMap<&'a str, Vec<usize>>,
    /// What type aliases are short for.
    aliases: HashMap<&'a str, Vec<&'a str>>,
    traits: HashMap<&'a str, Vec<usize>>,
    /// Names of modules, crates among them.
    modules: HashSet<&'a str>,
    /// Names of a trait's items.
    trait_items: HashMap<usize, Vec<&'a str>>,
    /// Modules where a trait is in scope.
    scopes: HashMap<usize, Vec<&'a str>>,
    /// Local macros: the types and traits their bodies name.
    macros: HashMap<&'a str, BTreeSet<&'a str>>,
    /// Those that declare something beside impls.
    makers: HashSet<&'a str>,
    /// Those that make what nobody needs to name.
    pinning: HashSet<&'a str>,
    /// What a macro call where items stand may be needed for.
    calls: BTreeMap<usize, BTreeSet<&'a str>>,
}

fn is_unit(role: Role) -> bool {
    !matches!(
        role,
        Role::Solid | Role::MacroPart | Role::Use | Role::UseGroup | Role::DeriveList
    )
}

const DECLARES: [&str; 10] = [
    "struct",
    "enum",
    "union",
    "trait",
    "fn",
    "type",
    "const",
    "static",
    "mod",
    "macro_rules",
];

impl<'a> Reach<'a> {
    fn new(tokens: &'a Tokens, nodes: &'a Nodes, is_fine: bool) -> Self {
        let list = &nodes.list;
        // Code in a function belongs to the function.
        let mut unit: Vec<usize> = (0..list.len()).collect();
        let mut solid = vec![false; list.len()];
        for i in 0..list.len() {
            if let Some(parent) = list[i].parent {
                let whole = solid[parent]
                    || matches!(
                        list[parent].role,
                        Role::Method | Role::TraitImplItem | Role::TraitItem
                    )
                    || matches!(list[parent].role, Role::Macro | Role::MacroCall)
                    || (list[parent].role == Role::Assert && list[i].role == Role::MacroCall)
                    || matches!(
                        list[parent].kind,
                        "fn" | "const" | "static" | "struct" | "enum" | "union"
                    );
                if whole || !is_unit(list[i].role) {
                    unit[i] = unit[parent];
                    solid[i] = whole;
                }
            }
        }
        let mut reach = Self {
            nodes,
            words: Vec::new(),
            live: vec![false; list.len()],
            cause: vec![None; list.len()],
            said: HashMap::new(),
            said_in: HashMap::new(),
            everywhere: HashSet::new(),
            crates: Crates::default(),
            is_fine,
            held: nodes.holders(),
            about: HashMap::new(),
            passed: HashSet::new(),
            kept: HashSet::new(),
            forced: HashSet::new(),
            types: HashMap::new(),
            aliases: HashMap::new(),
            traits: HashMap::new(),
            modules: HashSet::new(),
            trait_items: HashMap::new(),
            scopes: HashMap::new(),
            macros: HashMap::new(),
            makers: HashSet::new(),
            pinning: HashSet::new(),
            calls: BTreeMap::new(),
            unit,
        };
        for (i, node) in list.iter().enumerate() {
            match (node.role, node.kind) {
                (Role::Item, "trait") => {
                    reach.types.entry(&node.name).or_default().push(i);
                    reach.traits.entry(&node.name).or_default().push(i);
                }
                (Role::Item, "type") => {
                    let short = reach.aliases.entry(&node.name).or_default();
                    short.extend(node.needs.iter().map(String::as_str));
                }
                (Role::Item, "struct" | "enum" | "union") => {
                    reach.types.entry(&node.name).or_default().push(i);
                }
                (Role::Module, _) => {
                    reach.modules.insert(&node.name);
                }
                (Role::TraitItem, _) => {
                    if let Some(parent) = node.parent {
                        reach.trait_items.entry(parent).or_default().push(&node.name);
                    }
                }
                (Role::Impl | Role::TraitImpl, _) if is_fine => {
                    reach.about.insert(i, impls::known(nodes, i));
                }
                _ => {}
            }
        }
        reach.read(tokens);
        reach.find_scopes();
        reach
    }

    /// Gives every word to the innermost unit around it.
    fn read(&mut self, tokens: &'a Tokens) {
        let list = &self.nodes.list;
        let locals: HashSet<&str> = list
            .iter()
            .filter(|n| n.role == Role::Macro)
            .map(|n| n.name.as_str())
            .collect();
        let mut words: Vec<Vec<(&'a str, u8)>> = vec![Vec::new(); list.len()];
        let mut stack: Vec<usize> = Vec::new();
        let mut next = 0;
        let mut loud_until = 0;
        for i in 0..tokens.list.len() {
            let token = &tokens.list[i];
            while let Some(&top) = stack.last() {
                if list[top].range.end > token.range.start {
                    break;
                }
                stack.pop();
            }
            while next < list.len() && list[next].range.start <= token.range.start {
                if list[next].range.end > token.range.start {
                    stack.push(next);
                }
                next += 1;
            }
            let Some(&node) = stack.last() else {
                continue;
            };
            // A `use` says nothing by itself.
            if matches!(list[node].role, Role::Use | Role::UseGroup | Role::UseLeaf) && !self.is_inside(node)
            {
                continue;
            }
            let unit = self.unit[node];
            let at = i as isize;
            match token.kind {
                Kind::Ident => {
                    let word = unraw(tokens.at(at));
                    let before = tokens.at(at - 1);
                    let after = tokens.at(at + 1);
                    if before == "'" {
                        continue;
                    }
                    if after == "!" && locals.contains(word) && i + 2 < tokens.list.len() {
                        loud_until = loud_until.max(tokens.list[tokens.list[i + 2].pair].range.end);
                    }
                    let loud = token.range.start < loud_until
                        || matches!(list[unit].role, Role::Macro | Role::MacroCall);
                    let how = match before {
                        _ if loud => ITEM | METHOD,
                        "." if tokens.at(at - 2) != "." => {
                            if after == "(" || after == "::" {
                                METHOD
                            } else {
                                continue;
                            }
                        }
                        "::" => ITEM | METHOD,
                        _ => ITEM,
                    };
                    words[unit].push((word, how));
                }
                // A format string captures constants.
                Kind::Lit if tokens.at(at).contains('{') => {
                    for piece in tokens.at(at).split('{').skip(1) {
                        let end = piece
                            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                            .unwrap_or(piece.len());
                        if end > 0 {
                            words[unit].push((&piece[..end], ITEM));
                        }
                    }
                }
                _ => {}
            }
        }
        for list in &mut words {
            list.sort_unstable();
            list.dedup();
        }
        self.read_macros(tokens, &words);
        self.words = words;
    }

    /// What the words of macros, of their calls and of assertions reach.
    fn read_macros(&mut self, tokens: &'a Tokens, words: &[Vec<(&'a str, u8)>]) {
        let list = &self.nodes.list;
        for (i, node) in list.iter().enumerate() {
            if node.role == Role::Macro {
                let said: BTreeSet<&str> = words[i].iter().map(|(word, _)| *word).collect();
                self.macros.entry(&node.name).or_default().extend(said);
                if macros::declares(tokens, &node.range) {
                    self.makers.insert(&node.name);
                }
                if macros::pins(tokens, &node.range) {
                    self.pinning.insert(&node.name);
                }
            }
        }
        for (i, node) in list.iter().enumerate() {
            if node.role == Role::MacroCall && self.unit[i] == i {
                let call = self.call(tokens, i);
                self.calls.insert(i, call);
            }
            // `const _: () = { impls!(…); };`
            if node.role == Role::Assert {
                let mut made = BTreeSet::new();
                for (word, _) in words[i].iter().filter(|(word, _)| self.macros.contains_key(word)) {
                    self.named_by(word, &mut made);
                }
                if !made.is_empty() {
                    made.extend(
                        words[i]
                            .iter()
                            .map(|(word, _)| *word)
                            .filter(|w| self.types.contains_key(w)),
                    );
                }
                self.calls.insert(i, made);
            }
        }
    }

    /// True if the node lies in a function: its `use` lines are code.
    fn is_inside(&self, node: usize) -> bool {
        !matches!(
            self.nodes.list[self.unit[node]].role,
            Role::UseLeaf | Role::Use | Role::UseGroup
        ) && self.unit[node] != node
    }

    fn say(&mut self, word: &str, how: u8, by: Option<usize>) -> bool {
        if let Some((ways, _)) = self.said.get_mut(word) {
            let new = *ways | how;
            return std::mem::replace(ways, new) != new;
        }
        self.said.insert(word.to_owned(), (how, by));
        true
    }

    fn is_said(&self, word: &str, how: u8) -> bool {
        self.said.get(word).is_some_and(|(ways, _)| ways & how != 0)
    }

    /// True if code that could mean this item says its name.
    fn is_named(&self, node: usize, name: &str) -> bool {
        if self.is_fine {
            self.crates.is_named(node, name)
        } else {
            self.is_said(name, ITEM)
        }
    }

    fn is_trait_live(&self, node: usize) -> bool {
        if self.is_named(node, &self.nodes.list[node].name) {
            return true;
        }
        self.is_called(node, false)
    }

    /// True if one of a trait's items is said where it is in scope; `abroad`: in another crate than its own.
    fn is_called(&self, node: usize, abroad: bool) -> bool {
        let own = root(&self.nodes.list[node].module);
        let items = self.trait_items.get(&node).map_or(&[][..], Vec::as_slice);
        let scopes = self.scopes.get(&node).map_or(&[][..], Vec::as_slice);
        items.iter().any(|item| {
            (!abroad && self.everywhere.contains(*item))
                || scopes
                    .iter()
                    .filter(|module| !abroad || root(module) != own)
                    .any(|module| self.said_in.get(module).is_some_and(|words| words.contains(item)))
        })
    }

    fn is_wanted(&self, i: usize) -> bool {
        let node = &self.nodes.list[i];
        let parent = node.parent;
        let held = self.held.get(&i).map_or(&[][..], Vec::as_slice);
        if node.pinned || held.iter().any(|held| self.is_impl_live(*held)) {
            return true;
        }
        // What a trait is wanted for are methods, and its import elsewhere is what enters its crate.
        if self.is_fine && !self.crates.is_entered(i) {
            return node.kind == "trait" && self.is_called(i, true);
        }
        if node.exported {
            return true;
        }
        match node.role {
            Role::Item | Role::MacroCall if self.nodes.is_main(i) => true,
            Role::Item if node.name.is_empty() => true,
            Role::Item if node.kind == "trait" => self.is_trait_live(i),
            Role::Macro => self.is_said(&node.name, ITEM),
            Role::Item => self.is_named(i, &node.name),
            Role::Extern => parent.is_none_or(|p| self.live[self.unit[p]]),
            Role::Derive => parent.is_none_or(|p| self.live[self.unit[p]]),
            Role::MacroCall => match parent.map(|p| (&self.nodes.list[p].role, p)) {
                Some((Role::Impl | Role::TraitImpl, p)) => self.is_impl_live(p),
                Some((Role::Item, p)) => self.live[p],
                _ => {
                    let wanted = &self.calls[&i];
                    let is_said = |name: &&str| self.is_named(i, name) || self.is_said(name, METHOD);
                    wanted.is_empty() || wanted.iter().any(is_said)
                }
            },
            Role::Method => {
                let how = if self.is_function(i) {
                    METHOD
                } else {
                    METHOD | ITEM
                };
                self.is_said(&node.name, how) && parent.is_none_or(|p| self.is_impl_live(p))
            }
            Role::TraitImpl => self.is_impl_live(i),
            Role::TraitImplItem => parent.is_none_or(|p| {
                self.live[p]
                    && match self.trait_of(p) {
                        Some(of_trait) => {
                            let items = self.trait_items.get(&of_trait);
                            let known = items.is_some_and(|items| items.contains(&node.name.as_str()));
                            !known || self.is_said(&node.name, METHOD | ITEM)
                        }
                        None => true,
                    }
            }),
            Role::TraitItem => {
                parent.is_none_or(|p| self.live[p])
                    && (node.name.is_empty() || self.is_said(&node.name, METHOD | ITEM))
            }
            Role::UseLeaf => self.is_import_live(i),
            Role::Assert => self.calls[&i].iter().any(|name| self.is_said(name, ITEM)),
            Role::Module => self.kept.contains(&node.name) && parent.is_none_or(|p| self.live[self.unit[p]]),
            _ => false,
        }
    }

    /// True for a function: it is only ever said after a dot or a path.
    fn is_function(&self, i: usize) -> bool {
        self.nodes.list[i].kind == "fn"
    }

    fn is_import_live(&self, i: usize) -> bool {
        let node = &self.nodes.list[i];
        let last = node.path.rsplit("::").next().unwrap_or_default();
        if node.name == "*" {
            // A glob that others see: of use where something of the crate is, or a path leads to what it is in.
            let krate = root(&node.module);
            let is_said = |part: &str| self.passed.contains(part) || self.is_said(part, ITEM);
            let is_led_to = || node.module.split("::").all(is_said);
            return self.has_code(&node.module) || (node.public && (self.has_code(krate) || is_led_to()));
        }
        let is_trait = self
            .traits
            .get(last)
            .is_some_and(|list| list.iter().any(|t| self.live[*t]));
        // Others see it only if something leads to its crate.
        let krate = root(&node.module);
        let is_led_to = || self.has_code(krate) || self.is_said(krate, ITEM) || self.passed.contains(krate);
        let is_passed = self.passed.contains(node.name.as_str());
        // An older edition needs it for its methods; the file's has it anyway, so that no error asks it back.
        let is_newer = self.is_fine && NEWER.contains(&last);
        let is_older = is_newer
            || self.may_have_methods(node)
            || self.has_methods_said(node)
            || self.is_from_outside(node);
        let is_named = self.is_said(&node.name, ITEM) || is_trait || is_passed || is_older;
        is_named && (self.has_code(&node.module) || ((node.public || is_passed) && is_led_to()))
    }

    /// True if something in the module or in one inside is live.
    fn has_code(&self, module: &str) -> bool {
        self.said_in.contains_key(module)
    }

    /// One pass; `true` if something came to life.
    fn round(&mut self) -> bool {
        let mut changed = false;
        for i in 0..self.nodes.list.len() {
            if self.unit[i] != i || self.live[i] || !self.is_wanted(i) {
                continue;
            }
            changed = true;
            self.live[i] = true;
            self.revive(i);
        }
        changed
    }

    /// Says what a node says, and keeps what is around it.
    fn revive(&mut self, i: usize) {
        let node = &self.nodes.list[i];
        let by_name = self.said.get(&node.name).and_then(|(_, by)| *by);
        self.cause[i] = by_name.or(node.parent).filter(|by| *by != i);
        let words = std::mem::take(&mut self.words[i]);
        let loud = matches!(node.role, Role::Macro | Role::MacroCall);
        if node.role == Role::UseLeaf {
            let nodes = self.nodes;
            let path = nodes.list[i].path.rsplit_once("::").map_or("", |(path, _)| path);
            self.passed.extend(path.split("::"));
            path.split("::").for_each(|part| self.crates.enter(part, Some(i)));
            let last = node.path.rsplit("::").next().unwrap_or_default();
            if node.name == "*" {
                for part in node.path.split("::").filter(|part| *part != "*") {
                    self.crates.say(part, Some(i));
                    self.say(part, ITEM, Some(i));
                    self.kept.insert(part.to_owned());
                }
            } else {
                self.crates.say(last, Some(i));
                self.say(last, ITEM | METHOD, Some(i));
            }
        } else {
            let mut module = node.module.as_str();
            loop {
                let said = self.said_in.entry(module).or_default();
                if module == node.module {
                    said.extend(words.iter().map(|(word, _)| *word));
                }
                match module.rsplit_once("::") {
                    Some((outer, _)) => module = outer,
                    None if module.is_empty() => break,
                    None => module = "",
                }
            }
        }
        let by = (node.role != Role::Macro).then_some(i);
        for (word, how) in &words {
            self.say(word, *how, Some(i));
            if how & ITEM != 0 {
                self.crates.say(word, by);
            }
            if loud {
                self.everywhere.insert((*word).to_owned());
            }
        }
        // What is around it stays, with what its head says.
        let mut around = node.parent;
        while let Some(p) = around {
            let p = self.unit[p];
            if !self.live[p] {
                self.live[p] = true;
                self.cause[p] = Some(i);
                for (word, how) in std::mem::take(&mut self.words[p]) {
                    self.crates.say(word, Some(p));
                    self.say(word, how, Some(p));
                }
            }
            around = self.nodes.list[p].parent;
        }
    }
}
