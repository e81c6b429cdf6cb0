//! What errors of the compiler say in words: which type lacks which trait.

use super::compiler::Message;
use std::collections::BTreeSet;

/// Traits of arithmetic and comparing, by how errors begin that miss them.
const OPERATORS: [(&str, &str); 11] = [
    ("cannot add-assign", "AddAssign"),
    ("cannot subtract-assign", "SubAssign"),
    ("cannot multiply-assign", "MulAssign"),
    ("cannot divide-assign", "DivAssign"),
    ("cannot calculate and assign the remainder", "RemAssign"),
    ("cannot add", "Add"),
    ("cannot subtract", "Sub"),
    ("cannot multiply", "Mul"),
    ("cannot divide", "Div"),
    ("cannot calculate the remainder", "Rem"),
    ("can't compare", "PartialEq"),
];

/// What an error says that some type is not.
pub struct Bound<'a> {
    /// The type as it is written.
    pub whole: &'a str,
    /// Names in the type.
    pub names: Vec<&'a str>,
    /// Path of the type, without what is around it.
    pub of_type: &'a str,
    /// Path of the trait.
    pub of_trait: &'a str,
}

impl<'a> Bound<'a> {
    /// Of a type and a trait as the compiler writes them.
    pub fn of(of_type: &'a str, of_trait: &'a str) -> Self {
        Self {
            whole: of_type,
            names: names(of_type),
            of_type: path(of_type),
            of_trait: of_trait.split('<').next().unwrap_or_default(),
        }
    }

    /// Last name of the trait.
    pub fn last(&self) -> &'a str {
        self.of_trait.rsplit("::").next().unwrap_or_default()
    }
}

/// What an error says that some type is not, if it does.
pub fn bound(error: &Message) -> Option<Bound<'_>> {
    let is_iterator = error.code == "E0599" && error.text.ends_with("` is not an iterator");
    let mut quoted = error.text.split('`').skip(1).step_by(2);
    let first = quoted.next()?;
    if error.code == "E0614" {
        return Some(Bound::of(first, "Deref"));
    }
    if error.code != "E0277" && !is_iterator {
        return None;
    }
    let (of_type, of_trait) = if error.text.starts_with("the trait bound `") {
        first.rsplit_once(": ")?
    } else if error.text.ends_with("` is not an iterator") {
        (first, "Iterator")
    } else if error.text.contains("` doesn't implement `") {
        (first, quoted.next()?)
    } else if error.text.contains("` cannot be mutably indexed by `") {
        (first, "IndexMut")
    } else if error.text.contains("` cannot be indexed by `") {
        (first, "Index")
    } else {
        let of_trait = OPERATORS.iter().find(|(words, _)| error.text.starts_with(words));
        let (_, of_trait) = of_trait?;
        let other = quoted.next()?;
        (
            if error.text.contains(" by `") || error.text.contains(" with `") {
                first
            } else {
                other
            },
            *of_trait,
        )
    };
    Some(Bound::of(of_type, of_trait))
}

/// What an error's label says is not implemented, where its headline (`root`) says another trait: what an impl of that one
/// asks for.
pub fn unmet_leaf<'e>(error: &'e Message, root: &Bound) -> Option<Bound<'e>> {
    let (_, label) = error.rendered.split_once(" the trait `")?;
    let (of_trait, rest) = label.split_once("` is not implemented for `")?;
    let leaf = Bound::of(rest.split('`').next()?, of_trait);
    (root.last() != leaf.last()).then_some(leaf)
}

/// What it says beside that some type is not, for which a method that there is cannot be called, "`A: B`".
pub fn unmet(error: &Message) -> impl Iterator<Item = Bound<'_>> {
    let (_, notes) = error
        .rendered
        .split_once(" bounds were not satisfied:\n")
        .unwrap_or_default();
    let lines = notes.lines().map(str::trim_start);
    let several = lines.take_while(|line| !line.starts_with('=') && !line.starts_with("note:"));
    let several = several.filter(|line| line.starts_with('`'));
    let (_, one) = error.rendered.split_once("trait bound `").unwrap_or_default();
    let quoted = several.filter_map(|line| line.split('`').nth(1));
    let quoted = quoted.chain(one.split('`').next());
    quoted.filter_map(|said| {
        said.rsplit_once(": ")
            .map(|(of, of_trait)| Bound::of(of, of_trait))
    })
}

/// The trait that an error says a type must have before a method of it can be called.
pub fn must_be(error: &Message) -> Option<&str> {
    let (_, rest) = error.rendered.split_once("note: the trait `")?;
    let (of_trait, rest) = rest.split_once('`')?;
    rest.starts_with(" must be implemented").then(|| path(of_trait))
}

/// Traits that have a method which an error misses, and are not in scope where it is.
pub fn not_in_scope(error: &Message) -> impl Iterator<Item = &str> {
    let is_one = error.code == "E0599" && error.rendered.contains("not in scope");
    let lines = error.rendered.lines().filter(move |_| is_one);
    lines.filter_map(|line| {
        let (_, added) = line.split_once("+ ")?;
        let path = added.trim_start().strip_prefix("use ")?;
        path.trim_end_matches(';').rsplit("::").next()
    })
}

/// The traits that define what is no method of a type, "candidate #1: `Iterator`", as bounds of that type.
pub fn candidates(error: &Message) -> impl Iterator<Item = Bound<'_>> {
    let of_type = error.text.split('`').nth(3).unwrap_or_default();
    let lines = error.rendered.lines();
    let traits = lines.filter_map(|line| line.split_once("candidate #")?.1.split('`').nth(1));
    traits.map(move |of_trait| Bound::of(of_type, of_trait))
}

/// The path with which a type begins, as the compiler writes it.
fn path(of_type: &str) -> &str {
    let mut rest = of_type.trim_start_matches('&').trim_start();
    if let Some((lifetime, of)) = rest.split_once(' ').filter(|(of, _)| of.starts_with('\'')) {
        rest = if lifetime.contains('<') { rest } else { of };
    }
    rest = rest.strip_prefix("mut ").unwrap_or(rest);
    let is_of = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    rest.find(|c| !is_of(c)).map_or(rest, |end| &rest[..end])
}

/// Names in a type as the compiler writes it.
pub fn names(of_type: &str) -> Vec<&str> {
    // What an unsuffixed number is taken for.
    let of_type = match of_type {
        "{integer}" => "i32",
        "{float}" => "f64",
        other => other,
    };
    let names = super::words(of_type).filter_map(|(is_word, word)| is_word.then_some(word));
    names.collect()
}

/// The last name of a type's own path: `Of` of `&mut a::Of<b::Other>`.
pub fn outermost(of_type: &str) -> &str {
    let path = of_type.split('<').next().unwrap_or_default();
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    path.rsplit(|c| !is_of_name(c)).next().unwrap_or_default()
}

/// Words of a type, or of a message, without the modules before them.
pub fn last_names(said: &str) -> BTreeSet<&str> {
    let words: Vec<(bool, &str)> = super::words(said).collect();
    let is_last = |at: usize| words[at].0 && words.get(at + 1).is_none_or(|next| !next.1.starts_with("::"));
    (0..words.len())
        .filter(|at| is_last(*at))
        .map(|at| words[at].1)
        .collect()
}

/// Words of a message that are only what names in it stand behind: `a` and `b` of "`a::Of` is no `b::Trait`".
pub fn ways(message: &str) -> BTreeSet<&str> {
    let last = last_names(message);
    names(message)
        .into_iter()
        .filter(|word| !last.contains(word))
        .collect()
}

/// Parameters that a message calls types: nothing has their names.
pub fn parameters(message: &str) -> BTreeSet<&str> {
    let named = message.split("type parameter `").skip(1);
    named.filter_map(|rest| rest.split('`').next()).collect()
}

/// Traits of operators that errors name by their signs, and of the same with assignment.
const SIGNS: [(&str, &str, &str); 10] = [
    ("&", "BitAnd", "BitAndAssign"),
    ("|", "BitOr", "BitOrAssign"),
    ("^", "BitXor", "BitXorAssign"),
    ("<<", "Shl", "ShlAssign"),
    (">>", "Shr", "ShrAssign"),
    ("+", "Add", "AddAssign"),
    ("-", "Sub", "SubAssign"),
    ("*", "Mul", "MulAssign"),
    ("/", "Div", "DivAssign"),
    ("%", "Rem", "RemAssign"),
];

/// The trait of the operator that an error misses.
pub fn operator(error: &Message) -> Option<&'static str> {
    let found = OPERATORS.iter().find(|(words, _)| error.text.starts_with(words));
    if let Some((_, of_trait)) = found.filter(|_| error.code == "E0369") {
        return Some(of_trait);
    }
    let quoted = error.text.split('`').nth(1)?;
    match error.code.as_str() {
        "E0600" => Some(if quoted == "!" { "Not" } else { "Neg" }),
        "E0608" => Some("Index"),
        "E0368" => {
            let sign = quoted.strip_suffix('=')?;
            SIGNS
                .iter()
                .find(|(of, ..)| *of == sign)
                .map(|(.., of_trait)| *of_trait)
        }
        "E0369" if matches!(quoted, "==" | "!=") => Some("PartialEq"),
        "E0369" if matches!(quoted, "<" | ">" | "<=" | ">=") => Some("PartialOrd"),
        "E0369" | "E0277" if error.text.starts_with("no implementation for `") => {
            let is_said = |(sign, ..): &&(&str, _, _)| quoted.contains(&format!(" {sign} "));
            let is_assigned = |(sign, ..): &&(&str, _, _)| quoted.contains(&format!(" {sign}= "));
            let plain = SIGNS.iter().find(is_said).map(|(_, of_trait, _)| *of_trait);
            plain.or_else(|| SIGNS.iter().find(is_assigned).map(|(.., of_trait)| *of_trait))
        }
        _ => None,
    }
}

/// The types on the left and on the right of an operator that an error misses; what is assigned to it is not said.
pub fn operands(error: &Message) -> Option<(&str, &str)> {
    let mut quoted = error.text.split('`').skip(1).step_by(2);
    let (first, second) = (quoted.next()?, quoted.next()?);
    match error.code.as_str() {
        "E0368" => Some((second, second)),
        "E0369" if error.text.contains(" cannot be applied to type ") => Some((second, second)),
        "E0369" if error.text.starts_with("cannot ") => {
            let is_behind = [" to `", " from `"].iter().any(|word| error.text.contains(word));
            Some(if is_behind {
                (second, first)
            } else {
                (first, second)
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_told_by_how_an_error_says_them() {
        let of = |code: &str, text: &str| {
            let error = Message::of(code, text);
            operands(&error).map(|(left, right)| format!("{left} {right}"))
        };
        let is = |said: &str| Some(said.to_owned());
        assert_eq!(of("E0369", "cannot add `A` to `&B`"), is("&B A"));
        assert_eq!(of("E0369", "cannot subtract `A` from `B`"), is("B A"));
        assert_eq!(of("E0369", "cannot multiply `A<C>` by `B`"), is("A<C> B"));
        assert_eq!(
            of("E0369", "binary operation `==` cannot be applied to type `A`"),
            is("A A")
        );
        assert_eq!(
            of(
                "E0368",
                "binary assignment operation `+=` cannot be applied to type `A`"
            ),
            is("A A")
        );
        assert_eq!(of("E0369", "no implementation for `A << B`"), None);
    }

    #[test]
    fn what_another_impl_needs_is_told_from_what_is_asked_for() {
        let of = |is: &str| {
            let mut error = Message::of("E0277", "the trait bound `[u8; 32]: a::Any` is not satisfied");
            error.rendered = format!("  | ^^^^ the trait `{is}` is not implemented for `[u8; 32]`\n");
            unmet_leaf(&error, &bound(&error)?).map(|leaf| format!("{}: {}", leaf.whole, leaf.of_trait))
        };
        assert_eq!(of("pod::Pod").as_deref(), Some("[u8; 32]: pod::Pod"));
        assert_eq!(of("a::Any"), None);
    }

    #[test]
    fn what_names_stand_behind_is_told_from_them() {
        assert_eq!(outermost("&'a mut matrix::Matrix<b::Of<T>, [u8; 2]>"), "Matrix");
        assert_eq!(outermost("usize"), "usize");
        let said = "no method named `xy` found for struct `matrix::Matrix<T>` in a matrix";
        assert_eq!(ways("found for `matrix::Matrix<T>`"), ["matrix"].into());
        assert!(ways(said).is_empty());
    }

    #[test]
    fn bounds_are_read_from_what_the_compiler_says() {
        let of = |text: &str| {
            let error = Message::of("E0277", text);
            bound(&error).map(|of| (of.names.join(" "), of.last().to_owned()))
        };
        let is = |of_type: &str, of_trait: &str| Some((of_type.to_owned(), of_trait.to_owned()));
        assert_eq!(
            of("the trait bound `{integer}: SampleUniform` is not satisfied"),
            is("i32", "SampleUniform")
        );
        assert_eq!(
            of("the trait bound `a::Error: From<b::Error>` is not satisfied"),
            is("a Error", "From")
        );
        assert_eq!(
            of("`a::Error` doesn't implement `std::fmt::Display`"),
            is("a Error", "Display")
        );
        assert_eq!(of("cannot add `&A` to `B<C>`"), is("B C", "Add"));
        assert_eq!(of("cannot multiply-assign `A` by `B`"), is("A", "MulAssign"));
        assert_eq!(of("can't compare `A` with `B`"), is("A", "PartialEq"));
        let indexed = "the type `a::Dim<[usize; 1]>` cannot be mutably indexed by `usize`";
        assert_eq!(of(indexed), is("a Dim usize 1", "IndexMut"));
        assert_eq!(of("`A` is not an iterator"), is("A", "Iterator"));
        assert_eq!(of("`A` is not a future"), None);
    }

    #[test]
    fn a_type_begins_with_its_path() {
        for (of_type, expected) in [
            ("a::B<C>", "a::B"),
            ("&'de mut a::B", "a::B"),
            ("&mut B", "B"),
            ("&B<'a, C>", "B"),
            ("[A; 3]", ""),
        ] {
            assert_eq!(path(of_type), expected, "{of_type}");
        }
    }
}
