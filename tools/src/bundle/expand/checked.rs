//! Whether the compiler makes of a call of a procedural macro what the macro server makes of it.
//!
//! The server answers some questions of a macro otherwise: it prints tokens by rules of its own (`quote!(#ty).to_string()`
//! is `[i32 ; 2]`, where a program that Cargo builds has `[i32; 2]`), and does not know where a token stands. Macros of
//! the project's own folders are asked in the compiler as well, and others where a string that they make may be printed
//! tokens. Of printed tokens the blanks become the compiler's; where anything else differs, the macro fails.
//!
//! Not here: hygiene, which what the compiler prints does not show.

use super::{MacroKind, rules};
use crate::bundle::budget::rustc;
use crate::bundle::marks::MIXED;
use crate::bundle::server::Expansion;
use anyhow::{Result, ensure};
use proc_macro2::{Group, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use syn::spanned::Spanned;
use syn::{Item, Lit};

/// A call as its author wrote it.
#[derive(Debug)]
pub struct Written {
    kind: MacroKind,
    /// The item without the attribute, or without the derives that are read by then; what stands in the call's brackets.
    text: String,
    /// What an attribute is given beside its item.
    arguments: String,
    /// The same where a macro made it, with blanks between all tokens: how they stood is not known.
    apart: Option<String>,
}

impl Written {
    /// A call of a function-like macro with these tokens of `text`.
    pub fn call(text: &str, tokens: &TokenStream) -> Self {
        Self {
            kind: MacroKind::Bang,
            text: stands(text, tokens).to_owned(),
            arguments: String::new(),
            apart: None,
        }
    }

    /// An item of `text` without these attributes: one that is given `arguments`, or derives.
    pub fn item(
        text: &str,
        range: Range<usize>,
        gone: &[Range<usize>],
        arguments: Option<&TokenStream>,
    ) -> Self {
        let mut item = text[range.clone()].to_owned();
        for gone in gone
            .iter()
            .filter(|gone| range.start <= gone.start && gone.end <= range.end)
        {
            let blank = " ".repeat(gone.len());
            item.replace_range(gone.start - range.start..gone.end - range.start, &blank);
        }
        Self {
            kind: arguments.map_or(MacroKind::Derive, |_| MacroKind::Attribute),
            text: item,
            arguments: arguments.map_or("", |tokens| stands(text, tokens)).to_owned(),
            apart: None,
        }
    }

    /// As its macro is given it: these tokens where `cfg` is answered in them; if it is not the author's `own`, both.
    pub fn configured(mut self, given: &TokenStream, is_own: bool) -> Self {
        if self.text.contains("cfg") {
            self.text = given.to_string();
        }
        self.apart = (!is_own).then(|| given.to_string());
        self
    }

    /// A program that consists of the call, at a place that no other has; `is_value`: it is an expression.
    fn program(&self, path: &str, text: &str, is_value: bool) -> String {
        let call = self.handed_on(text, is_value, |text, arguments| match self.kind {
            MacroKind::Derive => format!("#[derive({path})] {text}"),
            MacroKind::Attribute => format!("#[{path}({arguments})] {text}"),
            MacroKind::Bang => format!("{path}! {{ {text} }}"),
        });
        format!("{}{call}\n", far())
    }

    /// The same with what the macro made in the call's place.
    fn with(&self, made: &str, is_value: bool) -> String {
        let made = made.replace(MIXED, "");
        let made = match self.kind {
            MacroKind::Derive => made + &self.handed_on(&self.text, false, |text, _| text.to_owned()),
            MacroKind::Attribute => made,
            MacroKind::Bang => block(&made, is_value),
        };
        format!("{}{made}\n", far())
    }

    /// What `call` makes of the text and the arguments, by rules that hand on what rules handed on here.
    fn handed_on(&self, text: &str, is_value: bool, call: impl Fn(&str, &str) -> String) -> String {
        let mut parameters = Vec::new();
        let text = rules::with_parameters(text, &mut parameters);
        let arguments = rules::with_parameters(&self.arguments, &mut parameters);
        let call = call(&text, &arguments);
        let (mut matcher, mut values) = (String::new(), String::new());
        for (n, (kind, value)) in parameters.iter().enumerate() {
            let _ = write!(matcher, "$f{n}:{kind}, ");
            let _ = write!(values, "{value}, ");
        }
        let (mut rules, mut call) = (String::new(), call);
        if !parameters.is_empty() {
            rules = format!("macro_rules! {HANDING} {{ ({matcher}) => {{ {call} }} }} ");
            call = format!("{HANDING}! {{ {values} }}");
        }
        match self.kind {
            MacroKind::Bang => rules + &block(&call, is_value),
            _ => rules + &call,
        }
    }
}

/// A function of a value, or of what else a block may have: statements and items.
fn block(text: &str, is_value: bool) -> String {
    if is_value {
        format!("fn block() {{ let _ = {text}; }}")
    } else {
        format!("fn block() {{ {text} }}")
    }
}

/// So many lines and columns that a macro which asks for them does not get what the server says.
fn far() -> String {
    "\n".repeat(FAR) + &" ".repeat(FAR)
}

/// Rules that hand parts of a call on.
const HANDING: &str = "fifty_handing";

/// See [`far`].
const FAR: usize = 3217;

/// These tokens as they stand.
pub fn stands<'t>(text: &'t str, tokens: &TokenStream) -> &'t str {
    if tokens.is_empty() {
        return "";
    }
    text.get(tokens.span().byte_range()).unwrap_or_default()
}

/// One call of a macro.
pub struct Call<'a> {
    /// The macro's library, its crate and its name there.
    pub library: &'a Path,
    /// See `library`.
    pub krate: &'a str,
    /// See `library`.
    pub name: &'a str,
    /// It is the project's own, and no other edition's: what the compiler makes is to be the same but for blanks.
    pub must_agree: bool,
    /// As its author wrote it.
    pub written: &'a Written,
    /// Of the caller.
    pub edition: u16,
    /// The caller's variables.
    pub env: &'a BTreeMap<String, String>,
    /// Where Cargo has it compiled.
    pub folder: &'a Path,
}

/// What a macro made with the strings that `theirs` has where it has the same with other blanks.
fn respelled(made: &Expansion, theirs: &[Word]) -> Expansion {
    let texts = || {
        theirs.iter().filter_map(|word| match word {
            Word::String(text) => Some(text.trim()),
            Word::Other(_) => None,
        })
    };
    let mut new = Expansion::default();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut at = 0;
    let mut own = made.own.iter().peekable();
    let mut copy = |new: &mut Expansion, from: usize, to: usize| {
        while let Some(byte) = own.next_if(|byte| **byte < to) {
            new.own.push(new.text.len() + byte - from);
        }
        new.text += &made.text[from..to];
    };
    for (range, own) in made.text.parse().map(strings).unwrap_or_default() {
        let bare = own.trim();
        let alike: Vec<&str> = texts().filter(|text| is_same(text, bare)).collect();
        let before = seen.entry(bare.to_owned()).or_default();
        let place = if alike.iter().all(|b| *b == alike[0]) {
            0
        } else {
            *before
        };
        *before += 1;
        if let Some(other) = alike.get(place).filter(|other| **other != bare) {
            let (start, end) = (own.len() - own.trim_start().len(), own.trim_end().len());
            let string = format!("{}{other}{}", &own[..start], &own[end..]);
            // The string itself begins where it began.
            copy(&mut new, at, range.start + 1);
            new.text.pop();
            new.text += &Literal::string(&string).to_string();
            at = range.end;
        }
    }
    copy(&mut new, at, made.text.len());
    new
}

/// What the compiler says of a macro that panics.
const PANICS: [&str; 3] = [
    "proc macro panicked",
    "proc-macro derive panicked",
    "custom attribute panicked",
];

/// A token of what the compiler prints.
#[derive(Clone, Debug, PartialEq)]
enum Word {
    /// The value of a string.
    String(String),
    /// Anything else.
    Other(String),
}

/// Strings without blanks: those of printed tokens differ in nothing else.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// True of strings that are the same tokens: `/// x` is `#[doc = " x"]`.
fn is_same(a: &str, b: &str) -> bool {
    let documents = |text: &str| ["doc", "///", "/**"].iter().any(|doc| text.contains(doc));
    let tokens = |text: &str| text.parse().map(words).ok();
    bare(a) == bare(b) || documents(a) && documents(b) && tokens(a).is_some_and(|a| tokens(b) == Some(a))
}

/// Tokens one by one, a string without its quotes: some are raw.
fn words(stream: TokenStream) -> Vec<Word> {
    let words = stream.into_iter().flat_map(|tree| match tree {
        TokenTree::Group(group) => {
            let around = Group::new(group.delimiter(), TokenStream::new()).to_string();
            std::iter::once(Word::Other(around))
                .chain(words(group.stream()))
                .collect()
        }
        TokenTree::Literal(literal) => match Lit::new(literal.clone()) {
            Lit::Str(string) => vec![Word::String(string.value())],
            Lit::ByteStr(string) => vec![Word::Other(format!("{:?}", string.value()))],
            Lit::Char(char) => vec![Word::Other(format!("{:?}", char.value()))],
            Lit::Byte(byte) => vec![Word::Other(format!("{:?}", byte.value()))],
            _ => vec![Word::Other(literal.to_string())],
        },
        other => vec![Word::Other(other.to_string())],
    });
    words.collect()
}

/// Strings in tokens, with their places, in their order.
fn strings(stream: TokenStream) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    for tree in stream {
        match tree {
            TokenTree::Group(group) => found.extend(strings(group.stream())),
            TokenTree::Literal(literal) => {
                let range = literal.span().byte_range();
                if let Lit::Str(string) = Lit::new(literal) {
                    found.push((range, string.value()));
                }
            }
            _ => {}
        }
    }
    found
}

/// What a call is given.
struct Given {
    bare: String,
    strings: HashSet<String>,
}

/// How often a macro is asked once more that may say something else each time.
const ANEW: usize = 4;

/// Letters on both sides of a sign by which printed tokens are told.
const AROUND: usize = 2;

impl Given {
    fn of(written: &str) -> Self {
        let all = written.parse().map(strings).unwrap_or_default();
        Self {
            bare: bare(written),
            strings: all.into_iter().map(|(_, string)| string).collect(),
        }
    }

    /// Strings among words that may be printed tokens.
    fn printed_in(&self, words: &[Word]) -> Vec<String> {
        let texts = words.iter().filter_map(|word| match word {
            Word::String(text) if self.may_print(text) => Some(text.clone()),
            _ => None,
        });
        texts.collect()
    }

    /// True where a sign in the string has the same letters around it as one in the call.
    fn may_print(&self, string: &str) -> bool {
        let letters: Vec<char> = bare(string).chars().collect();
        let is_sign = |k: &usize| !letters[*k].is_alphanumeric() && letters[*k] != '_';
        let around = |k: usize| {
            let range = k.saturating_sub(AROUND)..(k + AROUND + 1).min(letters.len());
            letters[range].iter().collect::<String>()
        };
        letters.len() > AROUND
            && !self.strings.contains(string)
            && (0..letters.len())
                .filter(is_sign)
                .any(|k| self.bare.contains(&around(k)))
    }
}

impl Call<'_> {
    /// What the server made of it as the compiler makes it: with other blanks in strings that are printed tokens. `anew` asks
    /// another server.
    ///
    /// # Errors
    /// If the compiler makes something else of it.
    pub fn checked(&self, made: Expansion, anew: &dyn Fn() -> Result<Expansion>) -> Result<Expansion> {
        let Ok(stream) = made.text.parse::<TokenStream>() else {
            return Ok(made);
        };
        let given = Given::of(&self.written.text);
        let mut strings = strings(stream);
        strings.retain(|(_, string)| given.may_print(string));
        if strings.is_empty() && !self.must_agree {
            return Ok(made);
        }
        let is_value = syn::parse_str::<syn::Expr>(&made.text).is_ok();
        let path = format!("::{}::{}", self.krate, self.name);
        let printed = |text: &str| self.expanded(&self.written.program(&path, text, is_value));
        // Of what cannot be read nothing is known.
        let Some(theirs) = printed(&self.written.text) else {
            return Ok(made);
        };
        if let Some(apart) = self.written.apart.as_ref().filter(|_| self.must_agree) {
            // What rules hand on stands as it stood where it was written, what they themselves say does not.
            let is_printed = |text: &str| {
                printed(text).is_none_or(|words| given.printed_in(&words) == given.printed_in(&theirs))
            };
            ensure!(
                is_printed(apart) && is_printed(&rules::settled(self.written.text.clone())),
                "it prints tokens that macros hand on, and only the compiler knows the blanks between them"
            );
        }
        let ours = |made: &Expansion| self.expanded(&self.written.with(&made.text, is_value));
        let agrees = |made: &Expansion| ours(made).is_some_and(|ours| ours == theirs);
        let new = respelled(&made, &theirs);
        if !self.must_agree || agrees(&new) {
            return Ok(new);
        }
        // One that counts its calls said something else the first time, and one that goes through a map always may: then
        // of the same words.
        let first = anew()?;
        let mut others = (0..ANEW).map(|_| anew());
        let mut is_unsteady = || others.any(|other| other.is_ok_and(|other| other.text != first.text));
        let is_counting = first.text != made.text && agrees(&respelled(&first, &theirs));
        let is_mixed = || {
            let sorted = |words: &[Word]| {
                let mut words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
                words.sort();
                words
            };
            strings.is_empty() || ours(&new).is_some_and(|ours| sorted(&ours) == sorted(&theirs))
        };
        ensure!(
            is_counting || is_unsteady() && is_mixed(),
            "it makes something else in the compiler, which alone knows where a call stands and how its tokens are spelled"
        );
        Ok(new)
    }

    /// Words of what the compiler makes of a program, item by item; `None` if that cannot be read.
    fn expanded(&self, program: &str) -> Option<Vec<Word>> {
        let folder = tempfile::tempdir().ok()?;
        let source = folder.path().join("call.rs");
        std::fs::write(&source, program).ok()?;
        let out = Command::new(rustc())
            .args(["--crate-type", "lib", "--cap-lints", "allow", "--edition"])
            .arg(self.edition.to_string())
            .arg(format!("--remap-path-prefix={}=call", folder.path().display()))
            .arg("--extern")
            .arg(format!("{}={}", self.krate, self.library.display()))
            .arg("-Zunpretty=expanded")
            .arg(&source)
            .current_dir(self.folder)
            .envs(self.env)
            .env("RUSTC_BOOTSTRAP", "1")
            .output()
            .ok()?;
        // That names lead nowhere here is an error, and all is printed; a macro that fails makes nothing.
        if PANICS
            .iter()
            .any(|said| String::from_utf8_lossy(&out.stderr).contains(said))
        {
            return None;
        }
        let file = syn::parse_file(&String::from_utf8(out.stdout).ok()?).ok()?;
        let is_handing =
            |item: &&Item| matches!(item, Item::Macro(of) if of.ident.as_ref().is_some_and(|i| i == HANDING));
        let mut items: Vec<String> = (file.items.iter())
            .filter(|item| !is_handing(item))
            .map(|item| item.to_token_stream().to_string())
            .collect();
        // Other derives make theirs before or after.
        items.sort_by_cached_key(|item| bare(item));
        let items = items.iter().map(|item| item.parse().map(words).ok());
        items.collect::<Option<Vec<_>>>().map(|items| items.concat())
    }
}
