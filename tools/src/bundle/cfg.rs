//! Conditional compilation decided before the bundle is written.
//!
//! A bundle is compiled without Cargo, so features are gone there: predicates are answered here as far as
//! they are known (features, target, `test`), and what depends on the judge's flags (`debug_assertions`,
//! `target_feature`, `panic`, …) stays in the text.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;

/// What is known when one crate is compiled.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Flags and `key="value"` pairs that hold on the target.
    pub target: BTreeSet<String>,
    /// Features of the crate that are on.
    pub features: BTreeSet<String>,
    /// Those of `target` that only its build script said.
    pub scripted: BTreeSet<String>,
    /// The judge has no target feature beside those of `target`.
    pub is_baseline: bool,
}

/// Answer to a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Holds.
    Yes,
    /// Does not hold.
    No,
    /// Depends on the judge's compiler; the text is what is left to ask.
    Ask(String),
}

/// Names whose answer is left to the compiler that gets the bundle.
const OPEN: [&str; 7] = [
    "debug_assertions",
    "overflow_checks",
    "panic",
    "target_feature",
    "ub_checks",
    "sanitize",
    "relocation_model",
];

/// Target features of other architectures than x86-64, as libraries ask for them.
const FOREIGN: [&str; 14] = [
    "altivec",
    "atomics",
    "bulk-memory",
    "crypto",
    "dotprod",
    "fp16",
    "lse",
    "neon",
    "relaxed-simd",
    "simd128",
    "sve",
    "sve2",
    "vector",
    "vsx",
];

impl Known {
    /// The `cfg`s among these attributes that only the judge's compiler answers, as attributes.
    pub fn open(&self, attrs: &[syn::Attribute]) -> String {
        let mut text = String::new();
        for answer in attrs.iter().flat_map(|attr| self.gates(&attr.meta)) {
            if let Answer::Ask(rest) = answer {
                text += "#[cfg(";
                text += &rest;
                text += ")] ";
            }
        }
        text
    }

    /// Answers to the `cfg`s of an attribute, those inside `cfg_attr` too.
    fn gates(&self, meta: &syn::Meta) -> Vec<Answer> {
        let syn::Meta::List(list) = meta else {
            return Vec::new();
        };
        if list.path.is_ident("cfg") {
            return vec![self.answer(list.tokens.clone())];
        }
        if !list.path.is_ident("cfg_attr") {
            return Vec::new();
        }
        let mut parts = split(list.tokens.clone()).into_iter();
        let outer = self.answer(parts.next().unwrap_or_default());
        if outer == Answer::No {
            return Vec::new();
        }
        let inner = parts.filter_map(|part| syn::parse2(part).ok());
        let inner = inner.flat_map(|meta: syn::Meta| self.gates(&meta));
        match outer {
            Answer::Ask(ask) => inner
                .map(|inner| match inner {
                    Answer::Yes => Answer::Yes,
                    Answer::No => Answer::Ask(format!("not({ask})")),
                    Answer::Ask(rest) => Answer::Ask(format!("any(not({ask}), {rest})")),
                })
                .collect(),
            _ => inner.collect(),
        }
    }

    /// True unless a `cfg` or `#[test]` among `attrs` removes what they stand on.
    pub fn keeps(&self, attrs: &[syn::Attribute]) -> bool {
        let is_test = |attr: &syn::Attribute| attr.path().is_ident("test") || attr.path().is_ident("bench");
        self.is_on(attrs) && !attrs.iter().any(is_test)
    }

    /// True unless a `cfg` among `attrs` is off.
    pub fn is_on(&self, attrs: &[syn::Attribute]) -> bool {
        let is_off = |attr: &syn::Attribute| self.gates(&attr.meta).contains(&Answer::No);
        !attrs.iter().any(is_off)
    }

    /// True of an attribute, without its brackets, that is a `cfg` which is off.
    pub fn forbids(&self, attribute: TokenStream) -> bool {
        let mut trees = attribute.into_iter();
        match (trees.next(), trees.next()) {
            (Some(TokenTree::Ident(cfg)), Some(TokenTree::Group(group))) if cfg == "cfg" => {
                self.answer(group.stream()) == Answer::No
            }
            _ => false,
        }
    }

    /// The host's own `rustc --print cfg`, one predicate a line.
    pub fn from_rustc(lines: &str) -> BTreeSet<String> {
        lines.lines().map(|line| line.trim().to_owned()).collect()
    }

    /// Answers a predicate such as `all(unix, feature = "std")`.
    pub fn answer(&self, predicate: TokenStream) -> Answer {
        let mut tokens = predicate.into_iter();
        let Some(first) = tokens.next() else {
            return Answer::Yes;
        };
        let name = first.to_string();
        match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Group(group)), _) => {
                let parts = split(group.stream()).into_iter().map(|part| self.answer(part));
                match name.as_str() {
                    "not" => match parts.into_iter().next() {
                        Some(Answer::Yes) => Answer::No,
                        Some(Answer::Ask(rest)) => Answer::Ask(format!("not({rest})")),
                        _ => Answer::Yes,
                    },
                    "all" => join("all", parts, &Answer::Yes, &Answer::No),
                    "any" => join("any", parts, &Answer::No, &Answer::Yes),
                    _ => Answer::No,
                }
            }
            (Some(_), Some(value)) => {
                let value = value.to_string();
                let value = value.trim_matches('"');
                if self.is_foreign(&name, value) {
                    return Answer::No;
                }
                let holds = self.target.contains(&format!("{name}=\"{value}\""));
                // What the baseline of the target has, every judge has.
                let is_known = holds || name == "target_feature" && self.is_baseline;
                if !is_known && OPEN.contains(&name.as_str()) {
                    return Answer::Ask(format!("{name} = \"{value}\""));
                }
                yes_no(if name == "feature" {
                    self.features.contains(value)
                } else {
                    holds
                })
            }
            _ if OPEN.contains(&name.as_str()) => Answer::Ask(name),
            _ => yes_no(name == "true" || self.target.contains(&name)),
        }
    }

    /// True of a target feature that no judge of this architecture has.
    fn is_foreign(&self, name: &str, value: &str) -> bool {
        let is_x86 = self.target.contains("target_arch=\"x86_64\"");
        name == "target_feature" && is_x86 && FOREIGN.contains(&value)
    }
}

fn yes_no(holds: bool) -> Answer {
    if holds { Answer::Yes } else { Answer::No }
}

/// `all` and `any`: `unit` parts vanish, one `zero` part decides.
fn join(name: &str, parts: impl Iterator<Item = Answer>, unit: &Answer, zero: &Answer) -> Answer {
    let mut rest = Vec::new();
    for part in parts {
        match part {
            Answer::Ask(text) => rest.push(text),
            part if part == *zero => return part,
            _ => {}
        }
    }
    match rest.len() {
        0 => unit.clone(),
        1 => Answer::Ask(rest.remove(0)),
        _ => Answer::Ask(format!("{name}({})", rest.join(", "))),
    }
}

/// Splits at commas on the top level; empty parts are dropped.
pub fn split(stream: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![Vec::new()];
    for tree in stream {
        match tree {
            TokenTree::Punct(p) if p.as_char() == ',' => parts.push(Vec::new()),
            tree => parts.last_mut().expect("never empty").push(tree),
        }
    }
    parts
        .into_iter()
        .filter(|part: &Vec<TokenTree>| !part.is_empty())
        .map(|part| part.into_iter().collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Answer, Known};

    #[test]
    fn a_cfg_inside_cfg_attr_counts() {
        let known = Known {
            target: Known::from_rustc("unix\n"),
            features: ["std".to_owned()].into(),
            ..Known::default()
        };
        let item = |text: &str| -> Vec<syn::Attribute> { syn::parse_str::<syn::ItemFn>(text).unwrap().attrs };
        for (text, is_on) in [
            ("#[cfg_attr(unix, cfg(windows))] fn f() {}", false),
            (
                "#[cfg_attr(unix, inline, cfg_attr(unix, cfg(windows)))] fn f() {}",
                false,
            ),
            ("#[cfg_attr(windows, cfg(windows))] fn f() {}", true),
            ("#[cfg_attr(unix, cfg(feature = \"std\"))] fn f() {}", true),
        ] {
            assert_eq!(known.is_on(&item(text)), is_on, "{text}");
        }
        let open = item("#[cfg_attr(debug_assertions, cfg(windows))] fn f() {}");
        assert!(known.is_on(&open));
        assert_eq!(known.open(&open), "#[cfg(not(debug_assertions))] ");
    }

    #[test]
    fn predicates_are_answered_or_left_to_the_compiler() {
        let known = Known {
            target: Known::from_rustc("unix\ntarget_os=\"linux\"\n"),
            features: ["std".to_owned()].into(),
            ..Known::default()
        };
        for (text, expected) in [
            ("unix", Answer::Yes),
            ("windows", Answer::No),
            ("test", Answer::No),
            ("feature = \"std\"", Answer::Yes),
            ("all(unix, not(feature = \"serde\"))", Answer::Yes),
            ("any(windows, target_os = \"mac\")", Answer::No),
            ("any()", Answer::No),
            ("all()", Answer::Yes),
            (
                "all(unix, debug_assertions)",
                Answer::Ask("debug_assertions".to_owned()),
            ),
            (
                "not(all(target_feature = \"avx2\", unix))",
                Answer::Ask("not(target_feature = \"avx2\")".to_owned()),
            ),
        ] {
            assert_eq!(known.answer(text.parse().unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn features_of_other_architectures_are_off() {
        let mut known = Known {
            target: Known::from_rustc("target_arch=\"x86_64\"\n"),
            ..Known::default()
        };
        let asked = |known: &Known, text: &str| known.answer(text.parse().unwrap());
        assert_eq!(asked(&known, "target_feature = \"simd128\""), Answer::No);
        assert_eq!(asked(&known, "not(target_feature = \"neon\")"), Answer::Yes);
        let open = |text: &str| Answer::Ask(text.to_owned());
        assert_eq!(
            asked(&known, "target_feature = \"avx2\""),
            open("target_feature = \"avx2\"")
        );
        known.target.clear();
        assert_eq!(
            asked(&known, "target_feature = \"neon\""),
            open("target_feature = \"neon\"")
        );
    }
}
