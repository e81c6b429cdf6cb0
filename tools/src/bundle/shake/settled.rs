//! What goes is taken out at once, and what errors ask for comes back with what that names, round by round.

use super::blame::MISSED;
use super::compiler::{Message, Outcome};
use super::names::{absolute, joined};
use super::nodes::{Node, Role};
use super::{Shaker, sieve};
use crate::bundle::TRACE;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Questions after which what errors ask for comes to no end.
const MOST: usize = 80;
/// Codes of errors that there may be for others alone, or where the compiler takes the only impl there is for the one that
/// is meant.
const LOOSE: [&str; 4] = ["E0282", "E0283", "E0284", "E0308"];

/// What is found out by growing.
#[derive(Default)]
pub struct Growth {
    /// What is needed.
    pub live: BTreeSet<usize>,
    /// What stands in traits and is named by that.
    pub said: BTreeSet<usize>,
    /// What goes.
    pub batch: BTreeSet<usize>,
    /// Imports that go with it, as errors say.
    torn: BTreeSet<usize>,
    /// Those of them that nothing brings back, as long as no more than so many are needed.
    dead: BTreeMap<usize, usize>,
    /// Those of them that came back once as parts of a way.
    led: BTreeSet<usize>,
}

fn is_loose(error: &Message) -> bool {
    LOOSE.contains(&error.code.as_str())
}

impl Growth {
    /// Imports that may come back.
    pub fn torn(&self) -> impl Iterator<Item = &usize> {
        self.torn.iter().filter(|i| !self.dead.contains_key(i))
    }

    /// What is known for the next time: which imports lead nowhere.
    pub fn again(self) -> Self {
        Self {
            torn: self.torn,
            ..Self::default()
        }
    }

    /// True of an import that is gone and may be part of a way, which it is tried as once.
    pub fn may_lead(&self, import: usize) -> bool {
        let is_gone = self.batch.contains(&import) || self.torn.contains(&import);
        is_gone && !self.led.contains(&import)
    }
}

impl Shaker<'_> {
    /// What the compiler says of what is left without `gone`; from where it is found that the text does not bear to be
    /// narrowed it is not.
    fn heard_without(&mut self, gone: &BTreeSet<usize>) -> Result<Outcome> {
        self.checks += 1;
        let left = self.blanked(gone);
        let outcome = self.compiler.check(&left)?;
        if self.compiler.narrow.is_empty() || !outcome.errors.iter().any(sieve::is_of_scope) {
            return Ok(outcome);
        }
        let narrow = std::mem::take(&mut self.compiler.narrow);
        let wide = self.compiler.check(&left)?;
        if wide.errors.len() < outcome.errors.len() {
            (self.say)(&format!("{TRACE}not narrowed"));
            return Ok(wide);
        }
        self.compiler.narrow = narrow;
        Ok(outcome)
    }

    /// Takes out the batch but for what errors ask for; `false` if they come to no end.
    pub fn settle(&mut self, growth: &mut Growth) -> Result<bool> {
        for round in 0..MOST {
            if growth.batch.is_empty() || self.is_spent() {
                break;
            }
            let imported = self.imported();
            let closed = self.closed_with_imports(growth, &imported);
            let all = &self.removed | &closed;
            let outcome = self.heard_without(&all)?;
            (self.say)(&format!("{TRACE}grown {round}: {} errors", outcome.errors.len()));
            if outcome.errors.is_empty() {
                self.removed = all;
                self.heard(outcome);
                return Ok(true);
            }
            let mut errors = outcome.errors;
            let dangling = self.astray(&errors, &all);
            let is_torn = !dangling.is_empty();
            if is_torn {
                let live: BTreeSet<usize> = dangling.intersection(&growth.live).copied().collect();
                growth.torn.extend(dangling);
                // One that was asked for is of no use alone: with what it names, or not at all.
                let named: BTreeSet<usize> = self.named_alike(&live, &growth.batch);
                if named.is_empty() {
                    let needed = growth.live.len();
                    growth.dead.extend(live.into_iter().map(|i| (i, needed)));
                } else {
                    self.revive(named, growth);
                }
                errors.retain(|error| !matches!(error.code.as_str(), "E0432" | "E0603"));
            }
            let mut asked = self.asked(&errors, &closed, growth, &imported);
            // Imports are tried again before anything is guessed.
            if asked.is_empty() && !is_torn && !self.is_tried_again(&errors, growth) {
                asked = self.suspected(&errors, &closed, &growth.batch);
                if asked.is_empty() {
                    for error in errors.iter().take(4) {
                        (self.say)(&format!("{TRACE}asks nothing back: {}", error.rendered));
                    }
                    break;
                }
            }
            if !asked.is_empty() {
                self.revive(asked, growth);
            }
        }
        Ok(false)
    }

    /// What was asked for lives, with what it names, and what the impls among that need.
    pub fn revive(&self, mut asked: BTreeSet<usize>, growth: &mut Growth) {
        let before = growth.live.clone();
        while !asked.is_empty() {
            let there = growth.live.clone();
            self.spread(asked, &mut growth.live, &mut growth.said);
            asked = self.required_by(&(&growth.live - &there), &(&growth.batch - &growth.live));
        }
        let Growth {
            live,
            batch,
            torn,
            dead,
            ..
        } = growth;
        batch.retain(|i| !live.contains(i));
        // An import of all there is in a module may be one again where something in the module lives.
        let list = &self.nodes.list;
        let modules = || list.iter().filter(|node| node.role == Role::Module);
        let modules: HashSet<String> = modules().map(|node| joined(&node.module, &node.name)).collect();
        let new: BTreeSet<&str> = live
            .difference(&before)
            .map(|i| list[*i].module.as_str())
            .collect();
        let leads = |i: &usize| {
            let (module, path) = (&list[*i].module, list[*i].path.trim_end_matches("::*"));
            let of = absolute(module, path).filter(|of| modules.contains(of));
            of.is_none_or(|of| {
                let within = |rest: &str| rest.is_empty() || rest.starts_with("::");
                new.iter()
                    .any(|module| module.strip_prefix(of.as_str()).is_some_and(within))
            })
        };
        torn.retain(|i| match list[*i].name.as_str() {
            "*" => !leads(i),
            _ => !live.contains(i) || dead.contains_key(i),
        });
    }

    /// What of the batch has the names that these imports import.
    fn named_alike(&self, imports: &BTreeSet<usize>, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let last = |i: &usize| list[*i].path.rsplit("::").next().unwrap_or_default();
        let names: BTreeSet<&str> = imports.iter().map(last).collect();
        batch
            .iter()
            .copied()
            .filter(|i| names.contains(list[*i].name.as_str()))
            .collect()
    }

    /// What goes with the batch: impls of what goes, and imports of it.
    fn closed_with_imports(&self, growth: &Growth, imported: &[(usize, BTreeSet<usize>)]) -> BTreeSet<usize> {
        let mut closed = self.close(&growth.batch);
        let goes = |of: &BTreeSet<usize>| !of.is_empty() && of.is_subset(&closed);
        let imports = imported.iter().filter(|(_, of)| goes(of)).map(|(i, _)| *i);
        let imports: Vec<usize> = imports.collect();
        closed.extend(imports);
        closed.extend(&growth.torn);
        closed
    }

    /// What errors ask for: what they name, then what may be meant where they are about something else; not yet what is only
    /// [`suspected`](Self::suspected).
    fn asked(
        &mut self,
        errors: &[Message],
        closed: &BTreeSet<usize>,
        growth: &mut Growth,
        imported: &[(usize, BTreeSet<usize>)],
    ) -> BTreeSet<usize> {
        let (loose, mut firm): (Vec<Message>, Vec<Message>) = errors.iter().cloned().partition(is_loose);
        let mut located = BTreeSet::new();
        let mut led: BTreeSet<usize> = BTreeSet::new();
        firm.retain(|error| {
            let found = self.located(error, growth, imported);
            let is_found = !found.is_empty();
            led.extend(found.iter().filter(|i| growth.torn.contains(i)));
            if is_found {
                self.trace(error, &found);
            }
            located.extend(found);
            !is_found
        });
        growth.dead.retain(|i, _| !led.contains(i));
        growth.led.extend(led);
        let batch = &growth.batch;
        let mut asked = self.blamed_as(&firm, batch, closed, false);
        asked.extend(self.missed(&firm, closed, growth, imported));
        asked.extend(located);
        asked.extend(self.overloaded(&loose, batch));
        if asked.is_empty() {
            let traits = self.traits();
            let nested = firm.iter().map(|error| {
                let nested = self.nested(error, batch, &traits);
                self.trace(error, &nested);
                nested
            });
            asked = nested.flatten().collect();
        }
        if asked.is_empty() {
            asked = self.of_one_kind(&loose, batch);
        }
        if asked.is_empty() {
            asked = self.blamed_as(&loose, batch, closed, false);
        }
        self.with_implied(&asked, batch)
    }

    /// What errors may mean of which none says what it is that it asks for.
    fn suspected(
        &mut self,
        errors: &[Message],
        closed: &BTreeSet<usize>,
        batch: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let (loose, firm): (Vec<Message>, Vec<Message>) = errors.iter().cloned().partition(is_loose);
        let mut asked = self.blamed_as(&firm, batch, closed, true);
        if asked.is_empty() {
            asked = self.blamed_as(&loose, batch, closed, true);
        }
        if asked.is_empty() {
            asked = self.called_where(errors, batch);
        }
        self.with_implied(&asked, batch)
    }

    /// Impls of the text's own traits that have functions of names that are called where errors are, those of other traits that
    /// also name a type which an error names, and methods of these names: without them the compiler takes another one.
    fn called_where(&self, errors: &[Message], batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let places = errors.iter().flat_map(|error| error.spans.iter().take(1));
        let mut called = HashSet::new();
        for place in places {
            let tokens = self.tokens.from(place.start) as isize..self.tokens.from(place.end) as isize;
            let is_call =
                |k: &isize| self.tokens.before(*k) == "." && matches!(self.tokens.at(k + 1), "(" | "::");
            called.extend(tokens.filter(is_call).map(|k| self.tokens.at(k)));
        }
        let traits = self.traits();
        let is_type = |node: &&Node| matches!(node.kind, "struct" | "enum" | "union" | "type");
        let is_told = |node: &&Node| errors.iter().any(|error| error.words.contains(&node.name));
        let types = list.iter().filter(is_type).filter(is_told);
        let types: HashSet<&str> = types.map(|node| node.name.as_str()).collect();
        let is_meant = |i: &usize| {
            let node = &list[*i];
            match node.role {
                Role::Method => called.contains(node.name.as_str()),
                Role::TraitImpl => {
                    let is_called = |of: usize| called.contains(list[of].name.as_str());
                    let (first, end) = self.tokens_of(*i);
                    let names_type = || (first..end).any(|k| types.contains(self.tokens.at(k)));
                    self.standing_in(*i).any(is_called)
                        && (traits.contains(node.of_trait.as_str()) || names_type())
                }
                _ => false,
            }
        };
        batch.iter().copied().filter(is_meant).collect()
    }

    /// What is missed by its name: there may be several, and imports lead to it; `imported`: as of [`Self::located`].
    fn missed(
        &self,
        errors: &[Message],
        closed: &BTreeSet<usize>,
        growth: &Growth,
        imported: &[(usize, BTreeSet<usize>)],
    ) -> BTreeSet<usize> {
        let batch = &growth.batch;
        let quoted = missed_names(errors);
        let is_missed = |i: &usize| quoted.contains(&self.nodes.list[*i].name);
        let mut asked = BTreeSet::new();
        let gone = imported
            .iter()
            .filter(|(i, _)| closed.contains(i) && is_missed(i));
        for (_, of) in gone {
            asked.extend(of & batch);
        }
        asked.extend(batch.iter().filter(|i| is_missed(i)));
        asked.extend(growth.torn().filter(|i| is_missed(i)));
        let nowhere = |name: &&String| {
            let mut nodes = asked.iter().map(|i| &self.nodes.list[*i]);
            !nodes.any(|node| node.name == **name && node.role != Role::Macro)
        };
        let nowhere: BTreeSet<String> = quoted.iter().filter(nowhere).cloned().collect();
        asked.extend(self.made_of(&nowhere, batch));
        for error in errors.iter().filter(|error| error.code == "E0782") {
            asked.extend(self.called_of_trait(error, batch));
        }
        asked
    }

    /// Imports that errors miss may be ones again, if more is needed now than when nothing brought them back: what they name
    /// was there, and no way led to it. `false` if there are none.
    fn is_tried_again(&self, errors: &[Message], growth: &mut Growth) -> bool {
        let quoted = missed_names(errors);
        let (dead, needed) = (&growth.dead, growth.live.len());
        let may_be = |i: &usize, then: usize| then < needed && quoted.contains(&self.nodes.list[*i].name);
        let again: BTreeSet<usize> = (dead.iter().filter(|&(i, then)| may_be(i, *then)))
            .map(|(i, _)| *i)
            .collect();
        growth.dead.retain(|i, _| !again.contains(i));
        growth.torn.retain(|i| !again.contains(i));
        !again.is_empty()
    }

    /// Calls of macros that have one of these names in their rules, or are given it: they may declare it.
    fn made_of(&self, names: &BTreeSet<String>, batch: &BTreeSet<usize>) -> Vec<usize> {
        let list = &self.nodes.list;
        let says = |node: &&Node| {
            let range = &node.range;
            let mut tokens = self.tokens.from(range.start)..self.tokens.from(range.end);
            tokens.any(|k| names.contains(self.tokens.at(k as isize)))
        };
        let declares = |node: &&Node| node.role == Role::Macro && says(node);
        let macros: HashSet<&str> = (list.iter().filter(declares))
            .map(|node| node.name.as_str())
            .collect();
        let is_call = |i: &usize| {
            let node = &list[*i];
            let is_of = |name: &String| macros.contains(name.as_str());
            node.role == Role::MacroCall
                && (node.needs.iter().any(is_of) || names.iter().any(|name| self.may_declare(node, name)))
        };
        batch.iter().copied().filter(is_call).collect()
    }

    /// Functions of the trait that an error takes for a type, as it has none of the name that is called.
    fn called_of_trait(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let Some((of_trait, place)) = self.stands_at(error).zip(error.spans.first()) else {
            return BTreeSet::new();
        };
        let of_trait = of_trait.rsplit("::").next().unwrap_or_default();
        let next = self.tokens.from(place.end) as isize;
        if self.tokens.at(next) != "::" {
            return BTreeSet::new();
        }
        // In a macro it is what that is called with.
        let module = self.nodes.at(place).map(|i| self.nodes.module_at(i));
        let handed = |node: &&Node| node.role == Role::MacroCall && Some(node.module.as_str()) == module;
        let called: BTreeSet<&str> = match self.tokens.at(next + 1) {
            "$" => list
                .iter()
                .filter(handed)
                .flat_map(|node| &node.needs)
                .map(String::as_str)
                .collect(),
            called => BTreeSet::from([called]),
        };
        let is_it = |i: &usize| {
            let node = &list[*i];
            let is_of = |of: usize| list[of].name == of_trait;
            node.role == Role::TraitItem
                && called.contains(node.name.as_str())
                && node.parent.is_some_and(is_of)
        };
        batch.iter().copied().filter(is_it).collect()
    }

    /// Impls for types that an error names of traits that there is another impl of for such a type, and calls of macros that
    /// another call is live of: where only one impl is left, the compiler takes it for the one that is meant.
    fn of_one_kind(&self, errors: &[Message], batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let mut asked = BTreeSet::new();
        for error in errors {
            // The trait or macro, where it is about a type that is named.
            let kind = |i: &usize| {
                let node = &list[*i];
                let mut said = node.needs.iter();
                match node.role {
                    Role::TraitImpl => error.words.contains(&node.of_type).then_some(&node.of_trait),
                    Role::MacroCall => said
                        .next()
                        .filter(|_| said.any(|word| error.words.contains(word))),
                    _ => None,
                }
            };
            let is_there =
                |i: &usize| !batch.contains(i) && !self.removed.contains(i) && !self.is_inside_removed(*i);
            let live: BTreeSet<&String> = (0..list.len())
                .filter(is_there)
                .filter_map(|i| kind(&i))
                .collect();
            asked.extend(
                batch
                    .iter()
                    .copied()
                    .filter(|i| kind(i).is_some_and(|of| live.contains(of))),
            );
        }
        asked
    }
}

/// Names that errors miss; a macro may have the name of a trait that is missed.
fn missed_names(errors: &[Message]) -> BTreeSet<String> {
    let is_missed = |error: &&Message| {
        MISSED.contains(&error.code.as_str())
            || error.code.is_empty() && error.text.starts_with("cannot find ")
            || error.text.contains(", found macro ")
    };
    let missed = errors.iter().filter(is_missed);
    let quoted = missed.flat_map(|error| error.text.split('`').skip(1).step_by(2));
    let last = |path: &'_ str| path.rsplit("::").next().unwrap_or_default().to_owned();
    quoted.map(last).collect()
}

#[cfg(test)]
mod tests {
    use super::super::nodes::Nodes;
    use super::*;
    use crate::bundle::alone::Compile;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    #[test]
    fn what_is_called_where_an_error_is_may_be_what_is_missing() {
        let text = "trait Cast { fn cast(self) -> u8; } impl Cast for &u8 { fn cast(self) -> u8 { *self } }
                    trait Name { fn name(&self) -> u8; } fn f(x: &dyn Name) -> u8 { Name::name(x) }
                    struct All; impl IntoIterator for Few { type IntoIter = All; fn into_iter(self) -> All { All } }
                    impl IntoIterator for Own { fn into_iter(self) -> Few {} } fn g(of: Few) -> All { of.into_iter() }
                    fn main() { let x = 3u8; print!(\"{}\", (&x).cast()) }";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let nodes = Nodes::new(&tokens).unwrap();
        let shaker = Shaker::new(&tokens, &nodes, &Compile::default(), &|_| {}).unwrap();
        let all: BTreeSet<usize> = (0..shaker.nodes.list.len()).collect();
        let found = |found: BTreeSet<usize>| -> Vec<&str> {
            let texts = found
                .into_iter()
                .map(|i| &text[shaker.nodes.list[i].range.clone()]);
            texts.collect()
        };
        let error = |code: &str, of: &str, last: &str| {
            let at = text.rfind(of).unwrap();
            let mut error = Message::of(code, "expected a type, found a trait");
            error.spans.push(at..text[at..].find(last).unwrap() + at);
            error
        };
        let borrowed = error("E0515", "(&x)", ") }");
        assert_eq!(
            found(shaker.called_where(&[borrowed], &all)),
            ["impl Cast for &u8 { fn cast(self) -> u8 { *self } }"]
        );
        let mut of_all = error("E0308", "of.into", " }");
        of_all.words.insert("All".to_owned());
        assert_eq!(
            found(shaker.called_where(&[of_all], &all)),
            ["impl IntoIterator for Few { type IntoIter = All; fn into_iter(self) -> All { All } }"]
        );
        let of_trait = error("E0782", "Name::", "::");
        assert_eq!(
            found(shaker.called_of_trait(&of_trait, &all)),
            ["fn name(&self) -> u8;"]
        );
    }
}
