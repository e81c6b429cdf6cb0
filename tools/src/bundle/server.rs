//! Running procedural macros: tokens in, tokens out, by the server that comes with every Rust toolchain.
//!
//! The compiler can print expanded code, but only with everything expanded, `println!` and `vec!` down to
//! what is private to the standard library. The server (rust-analyzer's, one line of JSON each way) runs one
//! macro on the tokens it is given and touches nothing else.

use super::marks::{mixed, mixed_format};
use anyhow::{Context, Result, anyhow, bail};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use syn::ext::IdentExt;

/// How a macro is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacroKind {
    /// `#[derive(X)]`.
    Derive,
    /// `#[x]`.
    Attribute,
    /// `x!(…)`.
    Bang,
}

/// A running server.
pub struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    version: u64,
    /// Where it copies the libraries to that it loads; it leaves them behind.
    _folder: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// From this version on a subtree has the place of its end as well.
const CLOSE_SPANS: u64 = 2;
/// Where the caller's words are.
const GIVEN: u64 = 0;
/// The place of words that are the macro's own wherever it is called.
const OWN: u64 = 1;
/// The place of words that are the macro's own and mean what they mean where it is called.
const CALLED: u64 = 2;
/// From this version on a place can be told that keeps who wrote a word apart from where it stands: without that what is
/// `resolved_at` another place is taken for what stands there.
const TABLES: u64 = 3;
/// Numbers of a place in a table: file, item, start, end, who wrote it.
const ROW: usize = 5;
/// From this version on literals carry their kind and words whether they are raw.
const KINDS: u64 = 5;

/// What a macro makes.
#[derive(Debug, Default)]
pub struct Expansion {
    /// The text, in which its own words are [`mixed`].
    pub text: String,
    /// Bytes at which words and signs begin that are the macro's and not its caller's, ascending.
    pub own: Vec<usize>,
}

impl Server {
    /// Starts the toolchain's server.
    pub fn start() -> Result<Self> {
        let out = Command::new("rustc")
            .args(["--print", "sysroot"])
            .output()
            .context("rustc cannot be started")?;
        let sysroot = PathBuf::from(String::from_utf8_lossy(&out.stdout).trim());
        let program = sysroot.join("libexec").join("rust-analyzer-proc-macro-srv");
        let folder = tempfile::tempdir().context("no temporary directory")?;
        let mut child = Command::new(&program)
            .envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path())))
            .env("RUST_ANALYZER_INTERNALS_DO_NOT_USE", "this is unstable")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{}: cannot be started", program.display()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("{}: no pipe", program.display());
        };
        let mut server = Self {
            child,
            input,
            output: BufReader::new(output),
            version: 0,
            _folder: folder,
        };
        let answer = server.ask(&json!({"ApiVersionCheck": {}}))?;
        server.version = answer["ApiVersionCheck"]
            .as_u64()
            .with_context(|| format!("{}: answers {answer}", program.display()))?;
        if server.version >= TABLES {
            server.ask(&json!({"SetConfig": {"span_mode": "RustAnalyzer"}}))?;
        }
        Ok(server)
    }

    fn ask(&mut self, request: &Value) -> Result<Value> {
        let asked = writeln!(self.input, "{request}").and_then(|()| self.input.flush());
        // Its end is no reader's who has seen enough.
        asked.map_err(|error| anyhow!("the macro server does not listen: {error}"))?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the macro server ended");
            }
            // A macro may print.
            if line.starts_with('{') {
                let mut reader = serde_json::Deserializer::from_str(&line);
                return serde::Deserialize::deserialize(&mut reader).context("the macro server's answer");
            }
        }
    }

    /// Macros of a library.
    pub fn list(&mut self, library: &Path) -> Result<Vec<(String, MacroKind)>> {
        let answer = self.ask(&json!({"ListMacros": {"dylib_path": library}}))?;
        let answer = &answer["ListMacros"];
        let Some(list) = answer["Ok"].as_array() else {
            bail!("{}: {}", library.display(), answer["Err"]);
        };
        let kind = |kind: &Value| match kind.as_str().unwrap_or_default() {
            "CustomDerive" => MacroKind::Derive,
            "Attr" => MacroKind::Attribute,
            _ => MacroKind::Bang,
        };
        Ok(list
            .iter()
            .map(|pair| (pair[0].as_str().unwrap_or_default().to_owned(), kind(&pair[1])))
            .collect())
    }

    /// What a macro makes of a body and its attributes, in a folder.
    pub fn expand(
        &mut self,
        library: &Path,
        name: &str,
        (body, attributes): (TokenStream, Option<TokenStream>),
        env: &BTreeMap<String, String>,
        folder: &Path,
    ) -> Result<Expansion> {
        let env: Vec<(&String, &String)> = env.iter().collect();
        let table: Vec<u64> = [GIVEN, OWN, CALLED]
            .iter()
            .flat_map(|writer| [1, 0, 0, 1, *writer])
            .collect();
        let mut request = json!({"ExpandMacro": {
            "lib": library,
            "env": env,
            "current_dir": folder,
            "macro_body": Flat::of(body).json(self.version),
            "macro_name": name,
            "attributes": attributes.map(|tokens| Flat::of(tokens).json(self.version)),
            "has_global_spans": {"serialize": true, "def_site": OWN, "call_site": CALLED, "mixed_site": OWN},
        }});
        if self.version >= TABLES {
            request["ExpandMacro"]["span_data_table"] = json!(table);
        }
        let answer = self.ask(&request)?;
        let has_table = !answer["ExpandMacroExtended"].is_null();
        let answer = &answer[if has_table {
            "ExpandMacroExtended"
        } else {
            "ExpandMacro"
        }];
        if answer["Ok"].is_null() {
            let why = answer["Err"].as_str().unwrap_or("no answer").trim();
            bail!("{why}");
        }
        let made = if has_table {
            made(
                &answer["Ok"]["tree"],
                Some(&answer["Ok"]["span_data_table"]),
                self.version,
            )
        } else {
            made(&answer["Ok"], None, self.version)
        };
        made.context("the macro server's tokens cannot be read")
    }
}

/// A token stream as lists of numbers.
#[derive(Default)]
struct Flat {
    subtree: Vec<[u32; 3]>,
    /// Text, kind, number of `#`, suffix.
    literal: Vec<(u32, u32, u32, Option<u32>, u32)>,
    punct: Vec<[u32; 2]>,
    /// Text, raw, whole text.
    ident: Vec<(u32, bool, u32)>,
    token_tree: Vec<u32>,
    text: Vec<String>,
    known: HashMap<String, u32>,
}

impl Flat {
    fn of(stream: TokenStream) -> Self {
        let mut flat = Self::default();
        flat.subtree.push([0, 0, 0]);
        flat.group(0, stream);
        flat
    }

    fn intern(&mut self, text: &str) -> u32 {
        if let Some(index) = self.known.get(text) {
            return *index;
        }
        let index = self.text.len() as u32;
        self.text.push(text.to_owned());
        self.known.insert(text.to_owned(), index);
        index
    }

    fn group(&mut self, index: usize, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let first = self.token_tree.len();
        self.token_tree.resize(first + trees.len(), 0);
        self.subtree[index][1] = first as u32;
        self.subtree[index][2] = (first + trees.len()) as u32;
        for (n, tree) in trees.into_iter().enumerate() {
            let tag = match tree {
                TokenTree::Group(group) => {
                    let kind = match group.delimiter() {
                        Delimiter::None => 0,
                        Delimiter::Parenthesis => 1,
                        Delimiter::Brace => 2,
                        Delimiter::Bracket => 3,
                    };
                    let at = self.subtree.len();
                    self.subtree.push([kind, 0, 0]);
                    self.group(at, group.stream());
                    at << 2
                }
                TokenTree::Literal(literal) => {
                    let whole = literal.to_string();
                    let (kind, hashes, text, suffix) = parts(&whole);
                    let text = self.intern(text);
                    let suffix = suffix.map(|suffix| self.intern(suffix));
                    let whole = self.intern(&whole);
                    self.literal.push((text, kind, hashes, suffix, whole));
                    ((self.literal.len() - 1) << 2) | 1
                }
                TokenTree::Punct(punct) => {
                    let joint = u32::from(punct.spacing() == Spacing::Joint);
                    self.punct.push([punct.as_char() as u32, joint]);
                    ((self.punct.len() - 1) << 2) | 2
                }
                TokenTree::Ident(ident) => {
                    let whole = ident.to_string();
                    let raw = whole.starts_with("r#");
                    let text = self.intern(&ident.unraw().to_string());
                    let whole = self.intern(&whole);
                    self.ident.push((text, raw, whole));
                    ((self.ident.len() - 1) << 2) | 3
                }
            };
            self.token_tree[first + n] = tag as u32;
        }
    }

    fn json(&self, version: u64) -> Value {
        let mut subtree: Vec<u32> = Vec::new();
        for [kind, from, to] in &self.subtree {
            let places = if version >= CLOSE_SPANS { &[0, 0][..] } else { &[0] };
            subtree.extend(places);
            subtree.extend([kind, from, to]);
        }
        let mut literal: Vec<u32> = Vec::new();
        for (text, kind, hashes, suffix, whole) in &self.literal {
            if version >= KINDS {
                literal.extend([0, *text, kind | (hashes << 8), suffix.unwrap_or(u32::MAX)]);
            } else {
                literal.extend([0, *whole]);
            }
        }
        let mut ident: Vec<u32> = Vec::new();
        for (text, raw, whole) in &self.ident {
            if version >= KINDS {
                ident.extend([0, *text, u32::from(*raw)]);
            } else {
                ident.extend([0, *whole]);
            }
        }
        let punct: Vec<u32> = self.punct.iter().flat_map(|[c, joint]| [0, *c, *joint]).collect();
        json!({
            "subtree": subtree,
            "literal": literal,
            "punct": punct,
            "ident": ident,
            "token_tree": self.token_tree,
            "text": self.text,
        })
    }
}

/// Kind, number of `#`, text between the quotes, suffix.
fn parts(whole: &str) -> (u32, u32, &str, Option<&str>) {
    if whole.starts_with(|c: char| c.is_ascii_digit()) {
        let (is_float, suffix) = match syn::parse_str::<syn::Lit>(whole) {
            Ok(syn::Lit::Float(float)) => (true, float.suffix().len()),
            Ok(syn::Lit::Int(int)) => (false, int.suffix().len()),
            _ => (false, 0),
        };
        let (text, suffix) = whole.split_at(whole.len() - suffix);
        let suffix = (!suffix.is_empty()).then_some(suffix);
        return (if is_float { 4 } else { 3 }, 0, text, suffix);
    }
    let start = whole.find(['"', '\'']).unwrap_or(0);
    let prefix = &whole[..start];
    let quote = &whole[start..=start];
    let hashes = prefix.matches('#').count();
    let end = whole.rfind(quote).unwrap_or(whole.len());
    let text = &whole[(start + 1).min(end)..end];
    let suffix = &whole[(end + 1 + hashes).min(whole.len())..];
    let kind = match (prefix.trim_end_matches('#'), quote) {
        ("b", "'") => 1,
        (_, "'") => 2,
        ("", _) => 5,
        ("r", _) => 6,
        ("b", _) => 7,
        ("br", _) => 8,
        ("c", _) => 9,
        _ => 10,
    };
    (kind, hashes as u32, text, (!suffix.is_empty()).then_some(suffix))
}

/// A literal's text from its parts.
fn literal(kind: u64, text: &str, suffix: &str) -> String {
    let hashes = "#".repeat((kind >> 8) as usize);
    let quoted = match kind & 255 {
        1 => format!("b'{text}'"),
        2 => format!("'{text}'"),
        5 => format!("\"{text}\""),
        6 => format!("r{hashes}\"{text}\"{hashes}"),
        7 => format!("b\"{text}\""),
        8 => format!("br{hashes}\"{text}\"{hashes}"),
        9 => format!("c\"{text}\""),
        10 => format!("cr{hashes}\"{text}\"{hashes}"),
        _ => text.to_owned(),
    };
    quoted + suffix
}

/// What stands in a stream that came back, with a table of its places if it has one.
fn made(tree: &Value, table: Option<&Value>, version: u64) -> Option<Expansion> {
    let numbers = |list: &Value| -> Option<Vec<u64>> { list.as_array()?.iter().map(Value::as_u64).collect() };
    let list = |key: &str| numbers(&tree[key]);
    let table = table.map(numbers);
    let writers = match table {
        Some(table) => Some(table?.chunks(ROW).filter_map(|row| row.last().copied()).collect()),
        None => None,
    };
    let reader = Reader {
        places: if version >= CLOSE_SPANS { 2 } else { 1 },
        kinds: version >= KINDS,
        writers,
        subtree: list("subtree")?,
        literal: list("literal")?,
        punct: list("punct")?,
        ident: list("ident")?,
        token_tree: list("token_tree")?,
        text: tree["text"]
            .as_array()?
            .iter()
            .map(|t| t.as_str().unwrap_or_default().to_owned())
            .collect(),
    };
    let mut out = Expansion::default();
    reader.group(0, &mut out)?;
    Some(out)
}

struct Reader {
    places: usize,
    kinds: bool,
    /// Who wrote what is at each place of the table; without one the places themselves say so.
    writers: Option<Vec<u64>>,
    subtree: Vec<u64>,
    literal: Vec<u64>,
    punct: Vec<u64>,
    ident: Vec<u64>,
    token_tree: Vec<u64>,
    text: Vec<String>,
}

impl Reader {
    /// Who wrote what is at this place.
    fn writer(&self, place: u64) -> Option<u64> {
        match &self.writers {
            Some(writers) => writers.get(place as usize).copied(),
            None => Some(place),
        }
    }

    fn group(&self, index: usize, out: &mut Expansion) -> Option<()> {
        let width = self.places + 3;
        let tree = self.subtree.get(index * width..(index + 1) * width)?;
        let (place, tree) = (tree[0], &tree[self.places..]);
        let place = self.writer(place)?;
        let (open, close) = [("", ""), ("(", ")"), ("{", "}"), ("[", "]")].get(tree[0] as usize)?;
        // Without brackets of its own what a macro makes is read as if it were no group: `2 * 1 + 2`, if `1 + 2` was one.
        if !open.is_empty() {
            out.begins(place);
        }
        out.text += open;
        for &tag in self.token_tree.get(tree[1] as usize..tree[2] as usize)? {
            let at = (tag >> 2) as usize;
            let name = |list: &[u64], place: usize| self.text.get(*list.get(place)? as usize);
            match tag & 3 {
                0 => {
                    self.group(at, out)?;
                    out.text.push(' ');
                }
                1 if self.kinds => {
                    let kind = *self.literal.get(at * 4 + 2)?;
                    let suffix = self.literal.get(at * 4 + 3)?;
                    let suffix = self.text.get(*suffix as usize).map_or("", String::as_str);
                    let text = literal(kind, name(&self.literal, at * 4 + 1)?, suffix);
                    let place = self.writer(*self.literal.get(at * 4)?)?;
                    out.begins(place);
                    out.text += &if place == OWN { mixed_format(&text) } else { text };
                    out.text.push(' ');
                }
                1 => {
                    out.begins(self.writer(*self.literal.get(at * 2)?)?);
                    out.text += name(&self.literal, at * 2 + 1)?;
                    out.text.push(' ');
                }
                2 => {
                    out.begins(self.writer(*self.punct.get(at * 3)?)?);
                    out.text
                        .push(char::from_u32(*self.punct.get(at * 3 + 1)? as u32)?);
                    if *self.punct.get(at * 3 + 2)? == 0 {
                        out.text.push(' ');
                    }
                }
                _ => {
                    let width = if self.kinds { 3 } else { 2 };
                    let place = self.writer(*self.ident.get(at * width)?)?;
                    out.begins(place);
                    if self.kinds && *self.ident.get(at * width + 2)? == 1 {
                        out.text += "r#";
                    }
                    let word = name(&self.ident, at * width + 1)?;
                    out.text += &if place == OWN { mixed(word) } else { word.clone() };
                    out.text.push(' ');
                }
            }
        }
        out.text += close;
        Some(())
    }
}

impl Expansion {
    /// The next word or sign is of this place.
    fn begins(&mut self, place: u64) {
        if place != GIVEN {
            self.own.push(self.text.len());
        }
    }
}
