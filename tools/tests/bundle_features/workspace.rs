//! A workspace made from a seed: a program `app` above one to three crates, as texts. Cargo alone decides what is on.

use super::pieces::PIECES;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

const NAMES: [&str; 4] = ["app", "one", "two", "three"];
const FEATURES: [&str; 3] = ["fast", "wide", "extra"];
/// Conditions of `[target]` tables, and the same as predicates.
const TARGETS: [(&str, &str); 5] = [
    ("cfg(unix)", "unix"),
    ("cfg(windows)", "windows"),
    (
        "cfg(not(target_pointer_width = \"32\"))",
        "not(target_pointer_width = \"32\")",
    ),
    (
        "cfg(any(windows, target_os = \"linux\"))",
        "any(windows, target_os = \"linux\")",
    ),
    (
        "x86_64-unknown-linux-gnu",
        "all(target_arch = \"x86_64\", target_os = \"linux\", target_env = \"gnu\")",
    ),
];
/// Predicates that have the same answer in every crate.
const PLAIN: [&str; 7] = [
    "unix",
    "windows",
    "target_endian = \"little\"",
    "not(debug_assertions)",
    "target_feature = \"sse2\"",
    "panic = \"unwind\"",
    "test",
];

/// Files by name, and how the program is asked for.
pub struct Workspace {
    pub features: Vec<String>,
    pub no_default_features: bool,
    files: BTreeMap<String, String>,
}

/// Marsaglia's xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn some(&mut self, list: &[String]) -> Vec<String> {
        list.iter().filter(|_| self.one_in(2)).cloned().collect()
    }
}

/// A crate above another one.
struct Dep {
    /// Its name in this manifest.
    local: String,
    to: usize,
    is_optional: bool,
    /// A feature of its own name switches it on.
    is_implicit: bool,
    /// Index into [`TARGETS`].
    target: Option<usize>,
    line: String,
}

struct Crate {
    name: &'static str,
    edition: u16,
    has_script: bool,
    deps: Vec<Dep>,
    /// What each enables.
    features: BTreeMap<String, Vec<String>>,
    default: Vec<String>,
}

impl Crate {
    /// What has to hold for `dep` to be there.
    fn presence(&self, dep: &Dep) -> String {
        let mut all = Vec::new();
        if let Some(target) = dep.target {
            all.push(TARGETS[target].1.to_owned());
        }
        if dep.is_implicit {
            all.push(format!("feature = \"{}\"", dep.local));
        } else if dep.is_optional {
            let (by_name, strong) = (format!("dep:{}", dep.local), format!("{}/", dep.local));
            let names = self.features.iter().filter(|(_, what)| {
                what.iter()
                    .any(|what| *what == by_name || what.starts_with(&strong))
            });
            let names: Vec<String> = names.map(|(name, _)| format!("feature = \"{name}\"")).collect();
            all.push(format!("any({})", names.join(", ")));
        }
        format!("all({})", all.join(", "))
    }

    /// Names that Cargo knows as features.
    fn names(&self) -> Vec<String> {
        let own = self.features.keys().cloned();
        own.chain(
            self.deps
                .iter()
                .filter(|dep| dep.is_implicit)
                .map(|dep| dep.local.clone()),
        )
        .collect()
    }

    fn manifest(&self, dice: &mut Dice) -> String {
        let mut text = format!(
            "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"{}\"\n",
            self.name, self.edition
        );
        if self.has_script {
            text += "build = \"make.rs\"\n";
        }
        let _ = writeln!(text, "[features]\ndefault = {:?}", self.default);
        for (name, what) in &self.features {
            let _ = writeln!(text, "{name} = {what:?}");
        }
        for dep in &self.deps {
            let table = dep.target.map_or_else(
                || "dependencies".to_owned(),
                |target| format!("target.'{}'.dependencies", TARGETS[target].0),
            );
            let _ = writeln!(text, "[{table}.{}]\n{}", dep.local, dep.line);
        }
        // What only tests or build scripts ask for reaches the program under some resolvers.
        let leaf = NAMES[3];
        if self.name != leaf && dice.one_in(4) && self.deps.iter().all(|dep| dep.to != 3) {
            let table = if self.has_script && dice.one_in(2) {
                "build-dependencies"
            } else {
                "dev-dependencies"
            };
            let _ = writeln!(
                text,
                "[{table}.{leaf}]\npath = \"../{leaf}\"\nfeatures = [\"fast\"]"
            );
        }
        text
    }

    fn predicate(&self, dice: &mut Dice, depth: usize) -> String {
        match dice.below(9) {
            0 | 1 if depth > 0 => format!("not({})", self.predicate(dice, depth - 1)),
            2 if depth > 0 => {
                let (a, b) = (self.predicate(dice, depth - 1), self.predicate(dice, depth - 1));
                format!("{}({a}, {b})", dice.of(&["all", "any"]))
            }
            3 => dice.of(&PLAIN).to_owned(),
            4 if self.has_script => dice.of(&["built_a", "built_b", "level = \"2\""]).to_owned(),
            _ => {
                let names = self.names();
                format!("feature = \"{}\"", names[dice.below(names.len())])
            }
        }
    }

    /// A piece as the text of this crate, with its file.
    fn piece(&self, dice: &mut Dice, name: &str) -> (String, Option<String>) {
        let (oldest, newest, text) = loop {
            let piece = dice.of(&PIECES);
            if (piece.0..=piece.1).contains(&self.edition) {
                break piece;
            }
        };
        debug_assert!(oldest <= newest);
        let number = |dice: &mut Dice| (1 + dice.below(80)).to_string();
        let text = text
            .replace("fn {N}()", "pub fn {N}()")
            .replace("{P}", &self.predicate(dice, 2))
            .replace("{Q}", &self.predicate(dice, 1))
            .replace("{A}", &number(dice))
            .replace("{B}", &number(dice))
            .replace("{C}", &number(dice))
            .replace("{N}", name);
        match text.split_once("=== FILE\n") {
            Some((text, file)) => (text.to_owned(), Some(file.to_owned())),
            None => (text, None),
        }
    }

    /// The crate's root and the files beside it.
    fn source(&self, dice: &mut Dice, crates: &BTreeMap<usize, Self>) -> (String, Vec<(String, String)>) {
        let (mut head, mut body, mut calls) = (String::new(), String::new(), String::new());
        let mut files = Vec::new();
        for n in 0..4 + dice.below(6) {
            let name = format!("n{n}");
            let (text, file) = self.piece(dice, &name);
            let is_used = !dice.one_in(4);
            let path = if file.is_none() && dice.one_in(3) {
                let _ = writeln!(body, "pub mod w{n} {{ use super::*;\n{text} }}");
                format!("w{n}::{name}")
            } else {
                let _ = writeln!(body, "{text}");
                name.clone()
            };
            files.extend(file.map(|text| (format!("{name}_file.rs"), text)));
            if is_used {
                let _ = writeln!(
                    calls,
                    " let n = {path}(); println!(\"{} {name} {{}}\", n); t = t.wrapping_mul(31).wrapping_add(n);",
                    self.name
                );
            }
        }
        if self.has_script {
            calls += " println!(\"{} {}\", env!(\"BUILT\"), include!(concat!(env!(\"OUT_DIR\"), \"/table.rs\")).len());\n";
        }
        for dep in &self.deps {
            let (there, to) = (self.presence(dep), &crates[&dep.to]);
            let local = dep.local.replace('-', "_");
            if self.edition == 2015 || dice.one_in(4) {
                let _ = writeln!(head, "#[cfg({there})] extern crate {local};");
            }
            let _ = writeln!(
                calls,
                " #[cfg({there})] {{ t = t.wrapping_add(::{local}::report()); }}"
            );
            let more = [
                (2, format!("t += ::{local}::own_{}!(t % 7);", to.name)),
                (2, format!("println!(\"{{:?}}\", ::{local}::Thing::default());")),
                (12, format!("t += ::{local}::asks_{}!();", to.name)),
            ];
            for (n, call) in more {
                if dice.one_in(n) {
                    let _ = writeln!(calls, " #[cfg({there})] {{ {call} }}");
                }
            }
            if dice.one_in(3) {
                let _ = writeln!(
                    body,
                    "#[cfg({there})] pub use ::{local}::Thing as {}Thing;",
                    to.name
                );
            }
        }
        let name = self.name;
        let (p, q) = (self.predicate(dice, 1), self.predicate(dice, 1));
        let shared = format!(
            "#[derive(Debug, Default)] pub struct Thing {{ pub {name}: u8, #[cfg({p})] pub more: u16 }}
#[doc(hidden)] pub fn hidden_{name}() -> u64 {{ if cfg!({q}) {{ 3 }} else {{ 4 }} }}
#[macro_export] macro_rules! own_{name} {{ ($e:expr) => {{ $e + $crate::hidden_{name}() }} }}
#[macro_export] macro_rules! asks_{name} {{ () => {{ if cfg!(feature = \"fast\") {{ 1 }} else {{ 2 }} }} }}\n"
        );
        let shared = if self.name == "app" { String::new() } else { shared };
        let mut text = format!("#![allow(warnings)]\n{head}{body}{shared}");
        let _ = writeln!(
            text,
            "pub fn report() -> u64 {{\n let mut t = 0u64;\n{calls} t\n}}"
        );
        if self.name == "app" {
            text += "fn main() { println!(\"app {}\", report()); }\n";
        }
        (text, files)
    }
}

impl Workspace {
    pub fn of(seed: u64) -> Self {
        let mut dice = Dice((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for _ in 0..8 {
            dice.below(2);
        }
        let count = 2 + dice.below(3);
        let mut crates: BTreeMap<usize, Crate> = BTreeMap::new();
        for index in (0..4).rev().filter(|index| *index < count || *index == 3) {
            let krate = new_crate(index, &mut dice, &crates);
            crates.insert(index, krate);
        }
        let mut files = BTreeMap::new();
        let members: Vec<&str> = crates.values().map(|krate| krate.name).collect();
        files.insert(
            "Cargo.toml".to_owned(),
            format!(
                "[workspace]\nmembers = {members:?}\nresolver = \"{}\"\n",
                dice.of(&["1", "2", "3"])
            ),
        );
        for krate in crates.values() {
            let name = krate.name;
            files.insert(format!("{name}/Cargo.toml"), krate.manifest(&mut dice));
            let (text, beside) = krate.source(&mut dice, &crates);
            let root = if name == "app" { "main.rs" } else { "lib.rs" };
            files.insert(format!("{name}/src/{root}"), text);
            for (file, text) in beside {
                files.insert(format!("{name}/src/{file}"), text);
            }
            if krate.has_script {
                files.insert(format!("{name}/make.rs"), script(krate, &mut dice));
            }
        }
        let names: Vec<String> = crates[&0].features.keys().cloned().collect();
        let features = if dice.one_in(2) {
            dice.some(&names)
        } else {
            Vec::new()
        };
        Self {
            features,
            no_default_features: dice.one_in(4),
            files,
        }
    }

    pub fn write(&self, dir: &Path) {
        for (name, text) in &self.files {
            let path = dir.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut all = format!(
            "--features {:?} --no-default-features {}\n",
            self.features, self.no_default_features
        );
        for (name, text) in &self.files {
            let _ = writeln!(all, "==== {name}\n{text}");
        }
        all
    }
}

/// A crate above some of those that there are.
fn new_crate(index: usize, dice: &mut Dice, below: &BTreeMap<usize, Crate>) -> Crate {
    let mut features: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let own: Vec<String> = FEATURES[..=dice.below(3)]
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    for (at, name) in own.iter().enumerate() {
        let later = own[at + 1..].to_vec();
        features.insert(
            name.clone(),
            if dice.one_in(3) {
                dice.some(&later)
            } else {
                Vec::new()
            },
        );
    }
    let mut deps: Vec<Dep> = Vec::new();
    for (to, krate) in below {
        // Whatever else, the program has something below it.
        let must = index == 0 && deps.is_empty();
        if must || dice.one_in(2) {
            let dep = new_dep(dice, *to, krate, &own, &mut features);
            deps.push(dep);
        }
    }
    let default = if dice.one_in(4) {
        Vec::new()
    } else {
        dice.some(&own)
    };
    Crate {
        name: NAMES[index],
        edition: dice.of(&[2015, 2018, 2021, 2021, 2024, 2024]),
        has_script: dice.one_in(3),
        deps,
        features,
        default,
    }
}

fn new_dep(
    dice: &mut Dice,
    to: usize,
    krate: &Crate,
    own: &[String],
    features: &mut BTreeMap<String, Vec<String>>,
) -> Dep {
    let is_renamed = dice.one_in(3);
    let local = if is_renamed {
        format!("{}{}", dice.of(&["my-", "as_"]), krate.name)
    } else {
        krate.name.to_owned()
    };
    let is_optional = dice.one_in(2);
    let is_implicit = is_optional && dice.one_in(3);
    if is_optional {
        let name = dice.below(own.len());
        let word = if is_implicit {
            local.clone()
        } else {
            format!("dep:{local}")
        };
        features.get_mut(&own[name]).expect("its own").push(word);
    }
    let theirs: Vec<String> = krate.features.keys().cloned().collect();
    if dice.one_in(2) {
        let sign = if is_optional && dice.one_in(2) { "?/" } else { "/" };
        let name = dice.below(own.len());
        let word = format!("{local}{sign}{}", theirs[dice.below(theirs.len())]);
        features.get_mut(&own[name]).expect("its own").push(word);
    }
    let mut line = format!("path = \"../{}\"\n", krate.name);
    if is_renamed {
        let _ = writeln!(line, "package = \"{}\"", krate.name);
    }
    if is_optional {
        line += "optional = true\n";
    }
    if dice.one_in(2) {
        line += "default-features = false\n";
    }
    if dice.one_in(2) {
        let _ = writeln!(line, "features = {:?}", dice.some(&theirs));
    }
    Dep {
        local,
        to,
        is_optional,
        is_implicit,
        target: dice.one_in(4).then(|| dice.below(TARGETS.len())),
        line,
    }
}

/// A build script that passes on what Cargo tells it.
fn script(krate: &Crate, dice: &mut Dice) -> String {
    let names = krate.names();
    let name = names[dice.below(names.len())].to_uppercase().replace('-', "_");
    format!(
        "use std::env::var;
fn main() {{
    if var(\"CARGO_FEATURE_{name}\").is_ok() {{ println!(\"cargo:rustc-cfg=built_a\"); println!(\"cargo:rustc-cfg=level=\\\"2\\\"\"); }}
    else {{ println!(\"cargo:rustc-cfg=built_b\"); }}
    println!(\"cargo:rustc-env=BUILT={{}} {}\", var(\"CARGO_CFG_TARGET_OS\").unwrap());
    let path = std::path::Path::new(&var(\"OUT_DIR\").unwrap()).join(\"table.rs\");
    let fast = if cfg!(feature = \"fast\") {{ 3 }} else {{ 4 }};
    std::fs::write(path, format!(\"[{{}}u8; {{}}]\", fast, fast)).unwrap();
}}\n",
        krate.name
    )
}
