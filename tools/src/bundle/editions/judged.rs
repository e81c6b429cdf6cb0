//! Whether what macros of other editions made means among their callers' words what it means in its own edition.
//!
//! The callers' crates are read as the older edition has it, and the lints about the newer one are asked. Where they see
//! nothing in the functions concerned, both editions agree there; else the bundle is refused by name: the words of the
//! macro and those of its caller, beside each other, cannot be of two editions. Nothing is translated here.

use super::across::Macros;
use super::clones::clones_closure;
use super::drops::Ends;
use super::foreign::{Foreign, Kind};
use super::mixed::{Keeps, OF_2021, with_prelude};
use super::touched::Functions;
use super::whole::measures_closure;
use super::{Editions, STEPS, at_least_2018, held, is_between, moved, part_at};
use crate::bundle::alone::Compile;
use crate::bundle::lex::Tokens;
use crate::bundle::rejected::parsed;
use anyhow::{Result, bail, ensure};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// Characters of a line that are shown: macros make long ones.
const SHOWN: usize = 100;

/// What a lint is about; none if it is about something that is the same for all words of a crate.
fn kind_of(lint: &str) -> Option<Kind> {
    match lint {
        "rust_2021_incompatible_closure_captures" => Some(Kind::Closure),
        "array_into_iter" | "boxed_slice_into_iter" => Some(Kind::IntoIter),
        "if_let_rescope" => Some(Kind::IfLet),
        "tail_expr_drop_order" => Some(Kind::Tail),
        _ => None,
    }
}

/// An error where something that a macro of another edition made would do something else as its caller's words.
pub fn judged(text: &str, editions: &Editions, compile: &Compile, say: &dyn Fn(&str)) -> Result<()> {
    for (written, later, lints) in STEPS {
        let crosses =
            |(module, made): &&(String, Foreign)| is_between(made.edition, editions.of(module), later);
        let concerned: Vec<&(String, Foreign)> = editions.foreign.iter().filter(crosses).collect();
        if !concerned.is_empty() {
            say("judging what macros of other editions made");
            Step {
                editions,
                concerned: &concerned,
                written,
                later,
                lints,
            }
            .judge(text, compile, say)?;
        }
    }
    Ok(())
}

/// Macros by rules, as `name!`, and where.
fn rules(tokens: &Tokens<'_>) -> Vec<(String, Range<usize>)> {
    let rules = tokens.macros().into_iter();
    rules
        .map(|i| (format!("{}!", tokens.at(i as isize + 2)), tokens.definition(i)))
        .collect()
}

/// Macros and their editions.
fn named<'f>(made: impl IntoIterator<Item = &'f Foreign>) -> String {
    let told = |made: &Foreign| format!("{} of edition {}", made.by, made.edition);
    let names: BTreeSet<String> = made.into_iter().map(told).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// The rest of the line at this place, or its beginning.
fn told(text: &str, place: usize) -> &str {
    let line = text[place..].lines().next().unwrap_or_default();
    let end = line.char_indices().nth(SHOWN).map_or(line.len(), |(end, _)| end);
    line[..end].trim()
}

/// Where something that was made may be.
struct Area<'s> {
    /// The caller's module.
    module: &'s str,
    made: &'s Foreign,
    /// Functions of the name; none for what is in no function.
    ranges: Option<Vec<Range<usize>>>,
}

impl Area<'_> {
    fn is_there(&self) -> bool {
        self.ranges.as_ref().is_none_or(|ranges| !ranges.is_empty())
    }

    /// True if it may be in these bytes of `module`, which are in no function if `is_outside`.
    fn overlaps(&self, (module, is_outside): (&str, bool), of: &Range<usize>) -> bool {
        let is_in = |ranges: &Vec<Range<usize>>| ranges.iter().any(|range| overlap(range, of));
        self.module == module && self.ranges.as_ref().map_or(is_outside, is_in)
    }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

struct Step<'s> {
    editions: &'s Editions,
    concerned: &'s [&'s (String, Foreign)],
    written: u16,
    later: u16,
    lints: &'s str,
}

impl Step<'_> {
    fn judge(&self, text: &str, compile: &Compile, say: &dyn Fn(&str)) -> Result<()> {
        // What is in scope since 2021 has to be there for those who are read as older.
        let with = (self.written < 2021)
            .then(|| with_prelude(text, OF_2021))
            .transpose()?;
        let text = with.as_deref().unwrap_or(text);
        let parts = self.editions.parts(text)?;
        let tokens = Tokens::new(text, Path::new("bundle"))?;
        let mut functions = Functions::of(text)?.0;
        functions.extend(rules(&tokens));
        let module_at = |byte: usize| part_at(&parts, byte).map_or("", |part| part.0.as_str());
        let areas = self.concerned.iter().map(|(module, made)| {
            let is_one = |function: &str, (name, range): &(String, Range<usize>)| {
                name == function && module_at(range.start) == module
            };
            let ranges = made.construct.function.as_ref().map(|function| {
                let those = functions.iter().filter(|one| is_one(function, one));
                those.map(|(_, range)| range.clone()).collect()
            });
            Area { module, made, ranges }
        });
        // What the program does not reach is gone.
        let areas: Vec<Area<'_>> = areas.filter(Area::is_there).collect();
        if areas.is_empty() {
            return Ok(());
        }
        let is_of_fragments = |area: &&Area<'_>| area.made.construct.kind == Kind::Fragment;
        let mut of_fragments = areas
            .iter()
            .filter(is_of_fragments)
            .map(|area| area.made)
            .peekable();
        ensure!(
            of_fragments.peek().is_none(),
            "the rules that are made by {} take `$x:pat` or `$x:expr` as that edition has them, and in one text with what \
             calls them they would take less",
            named(of_fragments)
        );
        // Of what is measured or cloned no lint tells.
        let measures = |range: &Range<usize>| {
            let within = tokens.from(range.start)..tokens.from(range.end);
            measures_closure(&tokens, within.clone()) || clones_closure(&tokens, within)
        };
        let is_measured = |area: &&Area<'_>| {
            let ranges = area.ranges.as_ref();
            area.made.construct.kind == Kind::Closure && ranges.is_some_and(|all| all.iter().any(measures))
        };
        let mut of_measured = areas.iter().filter(is_measured).map(|area| area.made).peekable();
        ensure!(
            self.later != 2021 || of_measured.peek().is_none(),
            "closures that are made by {} hold there what they do in that edition, and what measures or clones them would \
             find something else in edition {}",
            named(of_measured),
            compile.edition
        );
        let made_in = |of: Range<usize>| {
            let is_outside = !functions.iter().any(|(_, range)| overlap(range, &of));
            let place = (module_at(of.start), is_outside);
            areas.iter().filter(move |area| area.overlaps(place, &of))
        };
        let is_in_rules =
            |area: &Area<'_>| matches!(&area.made.construct.function, Some(name) if name.ends_with('!'));
        let macros = Macros::new(&tokens, &|byte| made_in(byte..byte + 1).any(is_in_rules));
        let keeps = |of: &Range<usize>| made_in(of.clone()).next().is_some() || macros.may_be_called(of);
        let Some(linted) = self.linted(text, &keeps, compile, say)? else {
            bail!(
                "whether it does in its caller's edition what it does in its own cannot be told, as the program does \
                 not compile in edition {}: what is made by {}",
                self.written,
                named(areas.iter().map(|area| area.made))
            );
        };
        // What the lints miss.
        let held = held::places(&parsed(text)?);
        let held = held.plain.into_iter().chain(held.macros);
        for (kind, place) in linted.into_iter().chain(held.map(|place| (Kind::IfLet, place))) {
            let mut made = made_in(place..place + 1)
                .map(|area| area.made)
                .filter(|made| made.construct.kind == kind)
                .peekable();
            ensure!(
                made.peek().is_none(),
                "what is made by {} is read in that edition, its own, and not in its caller's; in one text with what \
                 calls it this would do something else: `{}`",
                named(made),
                told(text, place)
            );
        }
        let is_tail = |area: &&Area<'_>| area.made.construct.kind == Kind::Tail;
        let tails: Vec<&Area<'_>> = areas.iter().filter(is_tail).collect();
        self.compared(text, (&functions, &macros), &tails, (compile, &keeps), say)
    }

    /// An error where a block that is part of an expression holds something longer in one edition than in the other: of that
    /// the lints tell only where something else is dropped in between.
    fn compared(
        &self,
        text: &str,
        (functions, macros): (&[(String, Range<usize>)], &Macros<'_>),
        tails: &[&Area<'_>],
        (compile, keeps): (&Compile, Keeps<'_>),
        say: &dyn Fn(&str),
    ) -> Result<()> {
        if self.later < 2024 || tails.is_empty() {
            return Ok(());
        }
        let parts = self.editions.parts(text)?;
        let tokens = Tokens::new(text, Path::new("bundle"))?;
        let module_at = |byte: usize| part_at(&parts, byte).map_or("", |part| part.0.as_str());
        let is_there = |open: &usize| {
            let place = tokens.list[*open].range.clone();
            let is_outside = !functions.iter().any(|(_, range)| overlap(range, &place));
            let at = (module_at(place.start), is_outside);
            tails.iter().any(|area| area.overlaps(at, &place))
        };
        let mut blocks = (0..tokens.list.len()).filter(|open| moved::is_operand(&tokens, *open));
        if !blocks.any(|open| is_there(&open)) {
            return Ok(());
        }
        let both = if compile.edition >= 2024 {
            (2024, 2021)
        } else {
            (2021, 2024)
        };
        // What a closure that never returns has for a value is a matter of the crate, not of a macro's words.
        let mut callers = self.concerned.iter().map(|(module, _)| self.editions.of(module));
        let never = if callers.any(|edition| edition >= 2024) {
            "never"
        } else {
            "unit"
        };
        let same = moved::fallback(never);
        let same = same.each_ref().map(String::as_str);
        let stays = |edition: u16| self.stays(edition);
        let mut others = None;
        let ends = Ends::of(&Tokens::new(text, Path::new("bundle"))?);
        for flags in [&same[..], &[]] {
            let asked = (&stays as &dyn Fn(u16) -> bool, keeps);
            others = moved::other(text, self.editions, compile, (both, flags), asked, &ends, say)?;
            if others.is_some() {
                break;
            }
        }
        let Some(others) = others else {
            bail!(
                "whether it drops in its caller's edition what it does in its own cannot be told, as the program does not \
                 compile in both editions {} and {}: what is made by {}",
                both.0,
                both.1,
                named(tails.iter().map(|area| area.made))
            );
        };
        for other in &others {
            let is_known = |name: &str| other.path.iter().any(|word| word == name);
            let calls = |rules: &[Range<usize>]| {
                let places: Vec<usize> = rules.iter().map(|range| range.start).collect();
                let leading = macros.leading_to(&places);
                let mut of = functions.iter().filter(|(name, _)| is_known(name));
                of.any(|(_, range)| macros.may_lead(range, &leading))
            };
            let is_one = |area: &&&Area<'_>| match (&area.made.construct.function, &area.ranges) {
                (Some(name), Some(rules)) if name.ends_with('!') => calls(rules),
                (Some(name), _) => area.module == module_at(other.place) && is_known(name),
                (None, _) => {
                    let is_function = functions.iter().any(|(name, _)| is_known(name));
                    area.module == module_at(other.place) && !is_function
                }
            };
            let mut made = tails.iter().filter(is_one).map(|area| area.made).peekable();
            ensure!(
                made.peek().is_none(),
                "what is made by {} is read in that edition, its own, and not in its caller's; in one text with what \
                 calls it `{}` would drop something at another moment",
                named(made),
                other.path.join("::")
            );
        }
        Ok(())
    }

    /// True for the edition of a caller.
    fn stays(&self, edition: u16) -> bool {
        let mut callers = self.concerned.iter().map(|(module, _)| self.editions.of(module));
        callers.any(|of| at_least_2018(of) == edition)
    }

    /// What the lints say of the callers, read as the older edition has it, and where; of other functions than those that
    /// `keeps` names nothing. None where they cannot be asked.
    fn linted(
        &self,
        text: &str,
        keeps: &dyn Fn(&Range<usize>) -> bool,
        compile: &Compile,
        say: &dyn Fn(&str),
    ) -> Result<Option<Vec<(Kind, usize)>>> {
        let editions = self.editions;
        let step = (self.written, self.lints);
        let asked = super::linted(
            text,
            editions,
            compile,
            step,
            &|edition| self.stays(edition),
            keeps,
            say,
        )?;
        Ok(asked.map(|(mixed, places)| {
            let known = places.iter().filter_map(|linted| {
                let kind = kind_of(&linted.lint)?;
                Some((kind, mixed.back(&linted.place).start))
            });
            known.collect()
        }))
    }
}
