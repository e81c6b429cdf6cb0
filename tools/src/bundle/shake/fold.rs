//! Branches that the program's own constants decide.
//!
//! Generic code asks constants of its type parameters (`if G::SIMULTANEOUS { … }`). Where every impl in the
//! text gives such a constant the same value, the branch not taken is cut from the source, and what only it
//! used falls to the next round of shaking. So are defaults of a trait that every impl overrides. Debug assertions go where the target compiles without them.
//! Nothing here is trusted: the result is compared with the unshaken program's code like any other cut.

use super::consts::{Consts, compared, value_of};
use crate::bundle::alone::Compile;
use crate::bundle::lex::Edits;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Lit, Stmt, UnOp};

/// A text with fewer branches.
pub struct Folded {
    /// The text.
    pub text: String,
    /// Functions that lost some, as `Owner::function`; the owner is the type of the impl, or the trait.
    pub functions: BTreeSet<String>,
}

/// `text` without the branches that are not taken, but for functions named in `spared`; `None` if there are
/// none.
pub fn fold(text: &str, compile: &Compile, spared: &BTreeSet<String>) -> Option<Folded> {
    let file = syn::parse_file(text).ok()?;
    let mut consts = Consts::default();
    consts.visit_file(&file);
    let mut folder = Folder {
        text,
        known: consts.agreed(),
        overridden: consts.overridden(),
        release: compile.is_release(),
        spared,
        owner: String::new(),
        function: String::new(),
        is_careful: false,
        functions: BTreeSet::new(),
        edits: Edits::default(),
    };
    folder.visit_file(&file);
    (!folder.functions.is_empty()).then(|| Folded {
        text: folder.edits.apply(text),
        functions: folder.functions,
    })
}

/// Behind the name of a function: only its closures are spared.
pub const CLOSURES: &str = " closures";

struct Folder<'a> {
    text: &'a str,
    known: BTreeMap<String, String>,
    overridden: BTreeMap<String, BTreeSet<String>>,
    release: bool,
    spared: &'a BTreeSet<String>,
    /// The type of the impl or the trait that is visited.
    owner: String,
    function: String,
    /// Within a closure of a function that is only to lose whole statements.
    is_careful: bool,
    functions: BTreeSet<String>,
    edits: Edits,
}

impl Folder<'_> {
    /// The constant a path names.
    fn constant(&self, expr: &Expr) -> Option<&String> {
        match expr {
            Expr::Path(path) if path.qself.is_none() && path.path.segments.len() == 2 => {
                self.known.get(&path.path.segments[1].ident.to_string())
            }
            Expr::Paren(paren) => self.constant(&paren.expr),
            _ => None,
        }
    }

    /// What a condition comes to, if constants decide it.
    fn decide(&self, expr: &Expr) -> Option<bool> {
        match expr {
            Expr::Paren(paren) => self.decide(&paren.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => self.decide(&unary.expr).map(|b| !b),
            Expr::Binary(binary) => {
                let sides = || self.constant(&binary.left).zip(value_of(&binary.right));
                match binary.op {
                    BinOp::Eq(_) if sides().is_some() => sides().map(|(a, b)| *a == b),
                    BinOp::Ne(_) if sides().is_some() => sides().map(|(a, b)| *a != b),
                    BinOp::And(_) => match (self.decide(&binary.left), self.decide(&binary.right)) {
                        (Some(false), _) => Some(false),
                        (Some(true), right) => right,
                        _ => None,
                    },
                    BinOp::Or(_) => match (self.decide(&binary.left), self.decide(&binary.right)) {
                        (Some(true), _) => Some(true),
                        (Some(false), right) => right,
                        _ => None,
                    },
                    _ => compared(binary),
                }
            }
            Expr::Macro(call) if self.release && call.mac.path.is_ident("cfg") => {
                (call.mac.tokens.to_string() == "debug_assertions").then_some(false)
            }
            _ => self.constant(expr)?.parse().ok(),
        }
    }

    fn cut(&mut self, range: Range<usize>) {
        self.functions.insert(self.function.clone());
        self.edits.remove(range);
    }

    /// Goes into a function that is not spared.
    fn inside(&mut self, ident: &syn::Ident, work: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.function, format!("{}::{ident}", self.owner));
        let was_careful = std::mem::take(&mut self.is_careful);
        if !self.spared.contains(&self.function) {
            work(self);
        }
        self.function = outer;
        self.is_careful = was_careful;
    }

    /// Leaves `kept` of `whole`, or only `tail` in it where that can stand without braces.
    fn keep(&mut self, whole: &Range<usize>, kept: Range<usize>, tail: Option<&Expr>) {
        let before = self.text[..whole.start].trim_end();
        let after = self.text[whole.end..].trim_start();
        let opens = before.ends_with("=>")
            || before.ends_with("return")
            || (before.ends_with(':') && !before.ends_with("::"))
            || (before.ends_with(['=', '(', ','])
                && !["<=", ">=", "!=", "=="].iter().any(|op| before.ends_with(op)));
        let inner = match tail {
            Some(tail)
                if matches!(tail, Expr::Lit(_) | Expr::Path(_))
                    || (opens && after.starts_with([';', ',', ')'])) =>
            {
                tail.span().byte_range()
            }
            _ => kept,
        };
        self.cut(whole.start..inner.start);
        self.cut(inner.end..whole.end);
    }

    /// Puts the statements of `kept` in the place of the statement `whole`; with their braces where a
    /// name or a value would get out.
    fn splice(&mut self, whole: &Range<usize>, kept: &Block, is_last: bool) {
        let ends = match kept.stmts.last() {
            Some(Stmt::Expr(_, None)) => is_last,
            _ => true,
        };
        let declares = |stmt: &Stmt| matches!(stmt, Stmt::Local(_) | Stmt::Item(_));
        let inner = match (kept.stmts.first(), kept.stmts.last()) {
            (Some(first), Some(last)) if ends && !kept.stmts.iter().any(declares) => {
                first.span().byte_range().start..last.span().byte_range().end
            }
            _ => kept.span().byte_range(),
        };
        self.cut(whole.start..inner.start);
        self.cut(inner.end..whole.end);
    }

    fn keep_expr(&mut self, whole: &Range<usize>, kept: &Expr) {
        let tail = match kept {
            Expr::Block(block) => bare(&block.block),
            _ => None,
        };
        self.keep(whole, kept.span().byte_range(), tail);
        self.visit_expr(kept);
    }

    /// True of a default in the present trait that no impl takes.
    fn is_overridden(&self, part: &syn::Ident) -> bool {
        let parts = self.overridden.get(&self.owner);
        !self.spared.contains(&self.owner) && parts.is_some_and(|parts| parts.contains(&part.to_string()))
    }

    fn is_debug_assert(&self, mac: &syn::Macro) -> bool {
        let names = ["debug_assert", "debug_assert_eq", "debug_assert_ne"];
        self.release && names.iter().any(|name| mac.path.is_ident(name))
    }

    fn is_debug_only(&self, attrs: &[syn::Attribute]) -> bool {
        let is_it = |attr: &syn::Attribute| {
            attr.path().is_ident("cfg")
                && attr
                    .parse_args::<syn::Path>()
                    .is_ok_and(|path| path.is_ident("debug_assertions"))
        };
        self.release && attrs.iter().any(is_it)
    }

    /// The branch an `if` takes.
    fn taken<'e>(&self, branch: &'e syn::ExprIf) -> Taken<'e> {
        match (self.decide(&branch.cond), &branch.else_branch) {
            (None, _) => Taken::Open,
            (Some(true), _) => Taken::Block(&branch.then_branch),
            (Some(false), Some((_, other))) => Taken::Expr(other),
            (Some(false), None) => Taken::Nothing,
        }
    }
}

/// The only expression of a block.
fn bare(block: &Block) -> Option<&Expr> {
    match block.stmts.as_slice() {
        [Stmt::Expr(tail, None)] => Some(tail),
        _ => None,
    }
}

/// What is left of an `if`.
enum Taken<'e> {
    Open,
    Nothing,
    Block(&'e Block),
    Expr(&'e Expr),
}

impl<'e> Taken<'e> {
    fn block(&self) -> Option<&'e Block> {
        match self {
            Self::Block(block) => Some(block),
            Self::Expr(Expr::Block(block)) if block.label.is_none() => Some(&block.block),
            _ => None,
        }
    }
}

impl<'ast> Visit<'ast> for Folder<'_> {
    fn visit_block(&mut self, block: &'ast Block) {
        for (n, stmt) in block.stmts.iter().enumerate() {
            let range = stmt.span().byte_range();
            let is_last = n + 1 == block.stmts.len();
            match stmt {
                Stmt::Macro(call) if self.is_debug_assert(&call.mac) && call.semi_token.is_some() => {
                    self.cut(range);
                }
                Stmt::Expr(Expr::If(branch), semi) => match self.taken(branch) {
                    Taken::Nothing => self.cut(range),
                    taken if semi.is_none() && taken.block().is_some() => {
                        let inner = taken.block().expect("just asked");
                        self.splice(&range, inner, is_last);
                        self.visit_block(inner);
                        let ends = matches!(inner.stmts.last(), Some(Stmt::Expr(Expr::Return(_), _)));
                        if ends && !is_last {
                            // Nothing behind a return is reached.
                            let end = block.span().byte_range().end - 1;
                            self.cut(range.end..end);
                            return;
                        }
                    }
                    _ => self.visit_stmt(stmt),
                },
                _ => self.visit_stmt(stmt),
            }
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let outer = std::mem::replace(&mut self.owner, super::names::last_name(&item.self_ty));
        visit::visit_item_impl(self, item);
        self.owner = outer;
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let outer = std::mem::replace(&mut self.owner, item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.owner = outer;
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.inside(&item.sig.ident, |s| {
            if s.is_debug_only(&item.attrs) {
                s.cut(item.span().byte_range());
            } else {
                visit::visit_item_fn(s, item);
            }
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.inside(&item.sig.ident, |s| {
            if s.is_debug_only(&item.attrs) {
                s.cut(item.span().byte_range());
            } else {
                visit::visit_impl_item_fn(s, item);
            }
        });
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        if let (true, Some((equals, value))) = (self.is_overridden(&item.ident), &item.default) {
            self.function.clone_from(&self.owner);
            self.cut(equals.span().byte_range().start..value.span().byte_range().end);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        // Without a body parameters are bare names.
        let is_bare = |input: &syn::FnArg| match input {
            syn::FnArg::Receiver(own) => own.reference.is_some() || own.mutability.is_none(),
            syn::FnArg::Typed(typed) => match &*typed.pat {
                syn::Pat::Ident(name) => name.mutability.is_none() && name.by_ref.is_none(),
                syn::Pat::Wild(_) => true,
                _ => false,
            },
        };
        let is_gone = self.is_overridden(&item.sig.ident) && item.sig.inputs.iter().all(is_bare);
        if let (true, Some(body)) = (is_gone, &item.default) {
            self.function.clone_from(&self.owner);
            let body = body.span().byte_range();
            let head = item.attrs.first().map(|attr| attr.span().byte_range().start);
            if let Some(head) = head {
                self.cut(head..item.sig.span().byte_range().start);
            }
            self.functions.insert(self.function.clone());
            self.edits.replace(body, ";");
            return;
        }
        self.inside(&item.sig.ident, |s| visit::visit_trait_item_fn(s, item));
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        let whole = expr.span().byte_range();
        match expr {
            Expr::If(branch) => match self.taken(branch) {
                Taken::Block(block) => {
                    self.keep(&whole, block.span().byte_range(), bare(block));
                    self.visit_block(block);
                }
                Taken::Expr(kept) => self.keep_expr(&whole, kept),
                Taken::Nothing => {
                    self.cut(whole.start..whole.start);
                    self.edits.replace(whole, "{}");
                }
                Taken::Open => {
                    self.visit_expr(&branch.cond);
                    self.visit_block(&branch.then_branch);
                    let Some((_, other)) = &branch.else_branch else {
                        return;
                    };
                    match &**other {
                        Expr::If(last) if matches!(self.taken(last), Taken::Nothing) => {
                            self.cut(branch.then_branch.span().byte_range().end..whole.end);
                        }
                        other => self.visit_expr(other),
                    }
                }
            },
            Expr::Match(choice) => {
                let Some(value) = self.constant(&choice.expr).cloned() else {
                    return visit::visit_expr(self, expr);
                };
                let fits = |arm: &&syn::Arm| match &arm.pat {
                    syn::Pat::Wild(_) => true,
                    syn::Pat::Path(path) => path.path.segments.last().is_some_and(|s| s.ident == value),
                    syn::Pat::Lit(lit) => matches!(&lit.lit, Lit::Bool(b) if b.value.to_string() == value),
                    _ => false,
                };
                match choice.arms.iter().find(fits).filter(|arm| arm.guard.is_none()) {
                    Some(arm) => self.keep_expr(&whole, &arm.body),
                    None => visit::visit_expr(self, expr),
                }
            }
            Expr::Closure(closure) => {
                // What a closure holds is what it names.
                let outer = self.is_careful;
                self.is_careful |= self.spared.contains(&format!("{}{CLOSURES}", self.function));
                visit::visit_expr_closure(self, closure);
                self.is_careful = outer;
            }
            _ if self.is_careful => visit::visit_expr(self, expr),
            Expr::Binary(binary) => {
                let neutral = match binary.op {
                    BinOp::And(_) => Some(true),
                    BinOp::Or(_) => Some(false),
                    _ => None,
                };
                let (left, right) = (binary.left.span().byte_range(), binary.right.span().byte_range());
                if neutral.is_some() && self.decide(expr).is_some() {
                    // Decided as a whole: whoever asks knows, or says it in words.
                    let value = self.decide(expr) == Some(true);
                    self.functions.insert(self.function.clone());
                    self.edits.replace(whole, if value { "true" } else { "false" });
                } else if neutral.is_some() && self.decide(&binary.left) == neutral {
                    self.cut(left.start..right.start);
                    self.visit_expr(&binary.right);
                } else if neutral.is_some() && self.decide(&binary.right) == neutral {
                    self.cut(left.end..right.end);
                    self.visit_expr(&binary.left);
                } else {
                    visit::visit_expr(self, expr);
                }
            }
            Expr::Paren(paren) => match &*paren.expr {
                // Nothing is left to bracket where one operand stays.
                Expr::Binary(binary)
                    if matches!(binary.op, BinOp::And(_) | BinOp::Or(_))
                        && self.decide(&paren.expr).is_some() =>
                {
                    let value = self.decide(&paren.expr) == Some(true);
                    self.functions.insert(self.function.clone());
                    self.edits.replace(whole, if value { "true" } else { "false" });
                }
                _ => visit::visit_expr(self, expr),
            },
            _ => visit::visit_expr(self, expr),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CLOSURES, Compile, fold};
    use std::collections::BTreeSet;

    const TEXT: &str = "
trait Game { const JOINT: bool = false; const KIND: Kind; }
enum Kind { One, Two }
struct Toy;
impl Game for Toy { const KIND: Kind = Kind::Two; }
fn play<G: Game>(n: u32) -> u32 {
    debug_assert!(n > 0);
    if G::JOINT { return joint(n); }
    let a = if !G::JOINT { n } else { joint(n) };
    let b = match G::KIND { Kind::One => joint(a), Kind::Two => a + 1 };
    if b > 1 { b } else if G::JOINT { 0 } else { if !G::JOINT { return b + n; } joint(b) }
}
";

    #[test]
    fn decided_branches_go_and_spared_functions_stay() {
        let mut compile = Compile {
            edition: 2021,
            flags: vec!["-O".to_owned()],
            ..Compile::default()
        };
        let folded = fold(TEXT, &compile, &BTreeSet::new()).unwrap();
        assert_eq!(folded.functions, BTreeSet::from(["::play".to_owned()]));
        let body: String = folded.text.split_whitespace().collect();
        assert!(
            body.ends_with("->u32{leta=n;letb=a+1;ifb>1{b}else{returnb+n;}}"),
            "{body}"
        );
        assert!(fold(TEXT, &compile, &folded.functions).is_none());
        // Debug assertions are part of an unoptimised program.
        compile.flags.clear();
        let folded = fold(TEXT, &compile, &BTreeSet::new()).unwrap();
        assert!(folded.text.contains("debug_assert!"), "{}", folded.text);
        // A second impl with another value leaves the question open.
        let other = TEXT.to_owned()
            + "struct B; impl Game for B { const JOINT: bool = true; const KIND: Kind = Kind::One; }";
        let folded = fold(&other, &compile, &BTreeSet::new());
        assert!(folded.is_none());
    }

    #[test]
    fn operands_and_overridden_defaults_go() {
        let compile = Compile {
            edition: 2021,
            flags: Vec::new(),
            ..Compile::default()
        };
        let text = "
trait Rule {
    const ON: bool = true;
    #[inline]
    fn own(&self, n: u32) -> u32 { n }
    #[inline]
    fn other(&self) -> u32 { 1 }
    fn changed(&self, mut n: u32) -> u32 { n += 1; n }
}
impl Rule for Toy { fn own(&self, n: u32) -> u32 { n + 1 } fn changed(&self, n: u32) -> u32 { n } }
fn play<R: Rule>(a: bool, b: bool) -> bool {
    let c = (R::ON && a) || (!R::ON && b);
    let d = |x: bool| R::ON || x;
    c && (a || !R::ON) && d(b)
}
";
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let folded = fold(text, &compile, &BTreeSet::new()).unwrap();
        let wanted = "
trait Rule {
    const ON: bool = true;
    fn own(&self, n: u32) -> u32;
    #[inline]
    fn other(&self) -> u32 { 1 }
    fn changed(&self, mut n: u32) -> u32 { n += 1; n }
}
impl Rule for Toy { fn own(&self, n: u32) -> u32 { n + 1 } fn changed(&self, n: u32) -> u32 { n } }
fn play<R: Rule>(a: bool, b: bool) -> bool {
    let c = (a);
    let d = |x: bool| true;
    c && (a) && d(b)
}
";
        assert_eq!(bare(&folded.text), bare(wanted));
        assert_eq!(folded.functions, ["::play", "Rule"].map(str::to_owned).into());
        // Closures may be spared by themselves.
        let spared = BTreeSet::from([format!("::play{CLOSURES}")]);
        let folded = fold(text, &compile, &spared).unwrap();
        assert!(folded.text.contains("R::ON || x"), "{}", folded.text);
        assert!(!folded.text.contains("R::ON && a"), "{}", folded.text);
    }
}
