//! What is to be said of a program that prints what a bundle cannot keep: names of types and modules, places, numbers of types.
//!
//! Told by words alone: it may be said of a program that does not print it.

use super::lex::{Kind, Tokens};
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::Path;

/// The macros that give places.
const PLACES: [&str; 4] = ["module_path", "file", "line", "column"];

/// What of `program` is not as the project has it, each in words.
pub fn of(program: &str) -> Result<Vec<String>> {
    let tokens = Tokens::new(program, Path::new("bundle"))?;
    let all = || 0..tokens.list.len() as isize;
    let mut notes = Vec::new();
    if all().any(|i| tokens.at(i).starts_with("type_name")) {
        notes.push("type_name gives names of the bundle's modules, not of the crates".to_owned());
    }
    if all().any(|i| is_shown(&tokens, i)) {
        notes.push(
            "Debug of a PhantomData gives its type's name with the bundle's modules, not the crates"
                .to_owned(),
        );
    }
    if all().any(|i| is_kept_id(&tokens, i)) {
        notes.push("TypeIds are others than in the project: their order, hash and text as well".to_owned());
    }
    let asked: BTreeSet<&str> = all()
        .filter(|i| tokens.at(i + 1) == "!")
        .map(|i| tokens.at(i))
        .collect();
    let named = PLACES.into_iter().filter(|name| asked.contains(name));
    notes.extend(named.map(|name| {
        format!("{name}!() in a macro or a dependency gives places of the bundle, not of the project")
    }));
    if ["Location::caller", ".location()"]
        .iter()
        .any(|asks| program.contains(asks))
    {
        notes.push(
            "the locations of callers and panics are places of the bundle, not of the project".to_owned(),
        );
    }
    Ok(notes)
}

/// True of the `Debug` of a derive at token `i` on a type with a `PhantomData`.
fn is_shown(tokens: &Tokens<'_>, i: isize) -> bool {
    if tokens.at(i) != "derive" || tokens.at(i + 1) != "(" {
        return false;
    }
    let close = tokens.list[i as usize + 1].pair;
    let is_debug = (i as usize + 2..close).any(|k| tokens.at(k as isize) == "Debug");
    // Behind the attribute the type's own group, or a `;`.
    let mut k = tokens.behind_attributes(close + 2);
    while k < tokens.list.len() && !(tokens.list[k].kind == Kind::Open || tokens.at(k as isize) == ";") {
        k += 1;
    }
    let end = tokens.list.get(k).map_or(k, |open| open.pair);
    is_debug && (k..end).any(|k| tokens.at(k as isize) == "PhantomData")
}

/// True of a `TypeId` at token `i` as a part of another type or among parameters, where it may be put in order or printed.
fn is_kept_id(tokens: &Tokens<'_>, i: isize) -> bool {
    let is_part = match tokens.at(i - 1) {
        "<" | "(" | "," | ":" => true,
        "::" => tokens.at(i - 2) == "any" && matches!(tokens.at(i + 1), ">" | "," | ")"),
        _ => false,
    };
    tokens.at(i) == "TypeId" && is_part && matches!(tokens.at(i + 1), ">" | "," | ")" | "}" | ";")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_of_types_are_noted() {
        for (text, word) in [
            (
                "fn main() { println!(\"{}\", std::any::type_name::<u8>()); }",
                "type_name",
            ),
            (
                "#[derive(Clone, Debug)] struct A<T>(std::marker::PhantomData<T>); fn main() {}",
                "PhantomData",
            ),
            (
                "use std::any::TypeId; fn main() { let m: BTreeMap<TypeId, u8>; }",
                "TypeIds",
            ),
            (
                "struct W { all: std::collections::HashMap<std::any::TypeId, u8> } fn main() {}",
                "TypeIds",
            ),
            ("fn main() { let _ = line!(); }", "line!()"),
        ] {
            let notes = of(text).unwrap();
            assert!(notes.len() == 1 && notes[0].contains(word), "{text}: {notes:?}");
        }
        for text in [
            "#[derive(Clone)] struct A<T>(std::marker::PhantomData<T>); #[derive(Debug)] struct B(u8); fn main() {}",
            "use std::any::TypeId; fn is(of: &dyn std::any::Any) -> bool { of.type_id() == TypeId::of::<u8>() } fn main() {}",
            "fn id() -> std::any::TypeId { std::any::TypeId::of::<u8>() } fn main() {}",
        ] {
            assert_eq!(of(text).unwrap(), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn only_what_asks_for_its_place_is_told() {
        let told = of("fn main() { out_line!(1); let line = !0; println!(\"file!\", column!()); }").unwrap();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("column!()"), "{told:?}");
    }
}
