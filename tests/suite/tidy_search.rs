//! House rules on search: there is one core, in `src/search`, of short functions; games hold rules and opinions.

use crate::tidy::{games, sources};
use std::path::Path;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprMethodCall, ImplItemFn, ItemFn, ItemImpl, ItemStruct, Signature, TraitItemFn};

/// Where a game may go through moves for itself: puzzles without an opponent (kingdomino's placements of one kingdom,
/// wondev's region that one side has to itself), and slime's odds of what others have played, which explain the past and
/// choose nothing (by a look at replies).
const PUZZLES: [&str; 3] = [
    "src/games/kingdomino/exact.rs",
    "src/games/wondev/alone.rs",
    "src/games/slime/odds.rs",
];

/// A function with its length in lines, from its first attribute or word to its closing brace.
struct Function {
    name: String,
    line: usize,
    lines: usize,
    /// It calls itself.
    recursive: bool,
}

/// What a file declares.
#[derive(Default)]
struct Survey {
    functions: Vec<Function>,
    structs: Vec<(String, usize)>,
    /// Calls of other things worth a rule: name and line.
    calls: Vec<(String, usize)>,
    /// Functions around the place looked at, with whether they have called themselves.
    open: Vec<(String, bool)>,
    /// Within a trait's `impl`, where `self.name()` and `Self::name()` hand over to the type's own method of that name.
    hands_over: bool,
    /// Within any `impl`.
    within: bool,
}

impl Survey {
    fn of(path: &Path, text: &str) -> Self {
        let file = syn::parse_file(text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut survey = Self::default();
        survey.visit_file(&file);
        survey
    }

    fn function(&mut self, sig: &Signature, all: proc_macro2::Span, inside: impl FnOnce(&mut Self)) {
        self.open.push((sig.ident.to_string(), false));
        inside(self);
        let (name, recursive) = self.open.pop().expect("as pushed");
        self.functions.push(Function {
            name,
            line: all.start().line,
            lines: all.end().line - all.start().line + 1,
            recursive,
        });
    }

    fn called(&mut self, name: String, line: usize, here: bool) {
        if let Some((open, recursive)) = self.open.last_mut() {
            *recursive |= here && *open == name;
        }
        self.calls.push((name, line));
    }
}

impl<'a> Visit<'a> for Survey {
    fn visit_item_impl(&mut self, block: &'a ItemImpl) {
        self.hands_over = block.trait_.is_some();
        self.within = true;
        visit::visit_item_impl(self, block);
        (self.hands_over, self.within) = (false, false);
    }

    fn visit_item_fn(&mut self, f: &'a ItemFn) {
        self.function(&f.sig, f.span(), |s| visit::visit_item_fn(s, f));
    }

    fn visit_impl_item_fn(&mut self, f: &'a ImplItemFn) {
        self.function(&f.sig, f.span(), |s| visit::visit_impl_item_fn(s, f));
    }

    fn visit_trait_item_fn(&mut self, f: &'a TraitItemFn) {
        self.function(&f.sig, f.span(), |s| visit::visit_trait_item_fn(s, f));
    }

    fn visit_item_struct(&mut self, s: &'a ItemStruct) {
        self.structs.push((s.ident.to_string(), s.span().start().line));
    }

    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        if let Expr::Path(function) = &*call.func {
            let words: Vec<String> = function
                .path
                .segments
                .iter()
                .map(|s| s.ident.to_string())
                .collect();
            // A method is never named without its type; a function always may be.
            let own = words.len() == 2 && words[0] == "Self" && !self.hands_over;
            let here = own || words.len() == 1 && !self.within;
            let name = words.last().expect("a path has a segment").clone();
            self.called(name, call.span().start().line, here);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        let me = matches!(&*call.receiver, Expr::Path(p) if p.path.is_ident("self"));
        let here = me && !self.hands_over;
        self.called(call.method.to_string(), call.span().start().line, here);
        visit::visit_expr_method_call(self, call);
    }
}

/// Files of the games that ship.
fn shipped() -> impl Iterator<Item = (String, String)> {
    let all = sources("src/games").into_iter();
    all.map(|(path, text)| (path.to_string_lossy().into_owned(), text))
        .filter(|(place, _)| !place.contains("/unshipped/"))
}

/// A search asks its limit whether to go on, calls itself, and keeps nodes and tables: nothing of that is a game's.
#[test]
fn games_do_not_search() {
    for (place, text) in shipped().filter(|(place, _)| !PUZZLES.contains(&place.as_str())) {
        let survey = Survey::of(Path::new(&place), &text);
        for (name, line) in &survey.calls {
            assert!(name != "reached", "{place}:{line}: {name}: a search of its own");
        }
        for f in &survey.functions {
            assert!(!f.recursive, "{place}:{}: {} calls itself", f.line, f.name);
        }
        for (name, line) in &survey.structs {
            let word = ["Node", "Edge", "Bound", "Table", "Killers", "Pool"]
                .iter()
                .find(|w| name.contains(**w));
            assert!(word.is_none(), "{place}:{line}: {name}: a search's type");
        }
    }
}

/// Every bot plays with a search of the core.
#[test]
fn every_game_searches_with_the_core() {
    for game in games() {
        let core = ["alphabeta", "beam", "mcts", "sampled"];
        let found = shipped()
            .filter(|(place, _)| place.starts_with(&format!("src/games/{game}/")))
            .any(|(_, text)| {
                core.iter()
                    .any(|c| text.contains(&format!("crate::search::{c}::")))
            });
        assert!(found, "{game}: no search of src/search");
    }
}

/// Rules are stated once: the traits that searches ask beyond [`fifty::search::game::Game`] are opinions.
#[test]
fn a_game_states_its_rules_once() {
    for (path, text) in sources("src/search") {
        for (n, line) in text.lines().enumerate() {
            let again = ["trait Position", "trait Seats", "trait Plan"]
                .iter()
                .any(|t| line.contains(t));
            assert!(!again, "{}:{}: rules stated again", path.display(), n + 1);
        }
    }
}

/// A function of the core fits on a page.
#[test]
fn functions_of_the_core_are_short() {
    let mut seen = 0;
    for (path, text) in sources("src/search") {
        for f in Survey::of(&path, &text).functions {
            assert!(
                f.lines <= 100,
                "{}:{}: {} has {} lines",
                path.display(),
                f.line,
                f.name,
                f.lines
            );
            seen += 1;
        }
    }
    assert!(seen > 100, "only {seen} functions found");
}

/// The survey sees what it is to see.
#[test]
fn the_survey_finds_recursion_and_lengths() {
    let text = "struct NodePool;\nfn f(n: u32) -> u32 {\n    f(n - 1)\n}\nimpl A {\n    fn g(&self) {\n        self.g();\n    }\n    \
                fn h(&self) {\n        self.state.h();\n    }\n}\n";
    let survey = Survey::of(Path::new("text"), text);
    let found: Vec<_> = survey
        .functions
        .iter()
        .map(|f| (f.name.as_str(), f.line, f.lines, f.recursive))
        .collect();
    assert_eq!(found, [("f", 2, 3, true), ("g", 6, 3, true), ("h", 9, 3, false)]);
    assert_eq!(survey.structs, [("NodePool".to_owned(), 1)]);
}
