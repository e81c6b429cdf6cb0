//! Pieces of programs that `cfg` decides about. Each defines `fn {N}() -> u64`, in the root of a crate or in a module
//! with `use super::*`.
//!
//! `{P}` and `{Q}` stand for predicates, `{A}`, `{B}`, `{C}` for numbers. What follows `=== FILE` is the text of
//! `{N}_file.rs` beside the crate's root; a piece with a file stands in the root.

/// Oldest and newest edition, and the text.
pub const PIECES: [(u16, u16, &str); 36] = [
    // Items.
    (2015, 2024, "#[cfg({P})] fn {N}() -> u64 { {A} } #[cfg(not({P}))] fn {N}() -> u64 { {B} }"),
    (2015, 2024, "#[cfg({P})] const X{N}: u64 = {A}; #[cfg(not({P}))] static X{N}: u64 = {B}; fn {N}() -> u64 { X{N} }"),
    (2015, 2024, "#[cfg(all({P}, {Q}))] type T{N} = u8; #[cfg(not(all({P}, {Q})))] type T{N} = u32;
fn {N}() -> u64 { ::std::mem::size_of::<T{N}>() as u64 }"),
    // Fields, with their patterns.
    (2015, 2024, "#[derive(Debug, Clone, PartialEq, PartialOrd, Default, Hash)] struct S{N} { a: u64, #[cfg({P})] b: u64, #[cfg({Q})] c: [u8; 3] }
fn {N}() -> u64 { let s = S{N} { a: {A}, #[cfg({P})] b: {B}, #[cfg({Q})] c: [1; 3] }; let t = s.clone();
 assert!(s >= S{N}::default()); println!(\"{:?} {}\", t, t == s);
 let S{N} { a, #[cfg({P})] b, .. } = t; let mut n = a; #[cfg({P})] { n += b; } n }"),
    (2015, 2024, "struct S{N}(#[cfg({P})] u64, u8, #[cfg({Q})] [u8; {C}]);
fn {N}() -> u64 { let s = S{N}(#[cfg({P})] {A}, 7, #[cfg({Q})] [3; {C}]); ::std::mem::size_of_val(&s) as u64 }"),
    // Variants, arms.
    (2015, 2024, "#[derive(Debug, Clone, Copy)] enum E{N} { #[cfg({P})] First, Second, #[cfg({Q})] Third }
fn {N}() -> u64 { let all = [#[cfg({P})] E{N}::First, E{N}::Second, #[cfg({Q})] E{N}::Third];
 all.iter().map(|e| match *e { #[cfg({P})] E{N}::First => {A}, E{N}::Second => e.clone() as u64 + 40, #[cfg({Q})] E{N}::Third => {B} }).sum() }"),
    (2015, 2024, "fn {N}() -> u64 { (0..6u64).map(|x| match x { #[cfg({P})] 1 | 2 => {A}, #[cfg(not({Q}))] 2..=4 => {B}, _ => x }).sum() }"),
    // Statements, tails, parameters and arguments.
    (2015, 2024, "fn {N}() -> u64 { #[cfg({P})] let x = {A}; #[cfg(not({P}))] let x = {B}; let mut v = vec![x as u64]; #[cfg({Q})] v.push({C}); #[cfg({Q})] { v.push(1); } v.iter().sum() }"),
    (2015, 2024, "fn {N}() -> u64 { #[cfg({P})] { {A} } #[cfg(not({P}))] { {B} } }"),
    (2015, 2024, "fn {N}() -> u64 { #[cfg({P})] { if {A} > 3 { return {A}; } } #[cfg({Q})] return {B}; #[cfg(not({Q}))] {C} }"),
    (2015, 2024, "fn f{N}(a: u64, #[cfg({P})] b: u64) -> u64 { #[cfg({P})] let a = a + b; a } fn {N}() -> u64 { f{N}({A}, #[cfg({P})] {B}) }"),
    (2015, 2024, "fn f{N}<#[cfg({P})] T: Default + Into<u64>>() -> u64 { #[cfg({P})] let n: u64 = T::default().into() + {A}; #[cfg(not({P}))] let n = {B}; n }
fn {N}() -> u64 { #[cfg({P})] let n = f{N}::<u8>(); #[cfg(not({P}))] let n = f{N}(); n }"),
    (2015, 2024, "fn {N}() -> u64 { let f = |x: u64, #[cfg({P})] y: u64| -> u64 { #[cfg({P})] let x = x * y; x + 1 }; let t = ({A}, #[cfg({Q})] 3u8); ::std::mem::size_of_val(&t) as u64 + f({B}, #[cfg({P})] {C}) }"),
    // `cfg!`.
    (2015, 2024, "fn {N}() -> u64 { if cfg!({P}) { {A} } else if cfg!({Q}) { {B} } else { {C} } }"),
    (2015, 2024, "const L{N}: usize = 2 + cfg!({P}) as usize; static T{N}: [u8; L{N}] = [if cfg!({Q}) { 5 } else { 6 }; L{N}]; fn {N}() -> u64 { T{N}.iter().map(|x| *x as u64).sum() }"),
    (2015, 2024, "fn {N}() -> u64 { let mut n = {A}; while cfg!({P}) && n < 90 { n += {B}; } match cfg!(not({Q})) { true => n, false => n + 1 } }"),
    (2015, 2024, "fn {N}() -> u64 { println!(\"{} {}\", cfg!(any({P}, {Q})), stringify!(cfg!({P}))); assert!(cfg!({P}) || !cfg!({P})); {A} }"),
    // `cfg_attr`.
    (2015, 2024, "#[cfg_attr({P}, repr(align(64)))] struct A{N}(#[allow(dead_code)] u8); fn {N}() -> u64 { ::std::mem::size_of::<A{N}>() as u64 }"),
    (2015, 2024, "#[cfg_attr({P}, derive(Debug), derive(Clone))] #[cfg_attr(not({P}), derive(Default))] #[allow(dead_code)] struct A{N}(u64);
fn {N}() -> u64 { #[cfg({P})] let a = A{N}({A}).clone(); #[cfg({P})] println!(\"{:?}\", a); #[cfg(not({P}))] let a = A{N}::default(); a.0 }"),
    (2015, 2024, "#[cfg_attr({P}, cfg({Q}))] fn f{N}() -> u64 { {A} } #[cfg(all({P}, not({Q})))] #[cfg_attr(unix, doc = \"none\", inline)] fn f{N}() -> u64 { {B} } fn {N}() -> u64 { f{N}() }"),
    (2015, 2024, "#[cfg_attr({P}, path = \"{N}_file.rs\")] #[cfg_attr(not({P}), path = \"{N}_file.rs\")] mod m{N}; #[cfg(windows)] mod nowhere_{N};
fn {N}() -> u64 { m{N}::f() }\n=== FILE\n#![cfg(any({P}, not({P})))]\npub fn f() -> u64 { #![cfg_attr({Q}, allow(unused))] let x = {A}; #[cfg({Q})] let x = x + {B}; x }\n"),
    // Modules, imports.
    (2015, 2024, "mod a{N} { pub fn f() -> u64 { {A} } } mod b{N} { pub fn f() -> u64 { {B} } pub fn g() -> u64 { 1 } }
fn {N}() -> u64 { #[cfg({P})] use self::a{N}::f; #[cfg(not({P}))] use self::b{N}::{f, g}; #[cfg(not({P}))] let f = || f() + g(); f() }"),
    (2015, 2024, "#[cfg({P})] mod a{N} { pub fn f{N}() -> u64 { {A} } } #[cfg(not({P}))] mod a{N} { #[cfg({Q})] pub fn f{N}() -> u64 { {B} } #[cfg(not({Q}))] pub use self::g{N} as f{N}; #[cfg(not({Q}))] pub fn g{N}() -> u64 { {C} } }
use self::a{N}::*; fn {N}() -> u64 { f{N}() }"),
    // Traits and impls.
    (2015, 2024, "trait T{N} { fn a(&self) -> u64 { {A} } #[cfg({P})] fn b(&self) -> u64; }
struct S{N}; impl T{N} for S{N} { #[cfg({Q})] fn a(&self) -> u64 { {B} } #[cfg({P})] fn b(&self) -> u64 { self.a() + 1 } }
fn {N}() -> u64 { let s = S{N}; #[cfg({P})] let n = s.b(); #[cfg(not({P}))] let n = s.a(); n }"),
    (2015, 2024, "struct S{N}; impl S{N} { #[cfg({P})] fn len(&self) -> u64 { {A} } } trait L{N} { fn len(&self) -> u64 { {B} } } impl L{N} for S{N} {} fn {N}() -> u64 { S{N}.len() }"),
    (2015, 2024, "struct S{N}; #[cfg({P})] impl Drop for S{N} { fn drop(&mut self) { println!(\"drop {N}\"); } } fn {N}() -> u64 { let _s = S{N}; ::std::mem::needs_drop::<S{N}>() as u64 + {A} }"),
    (2015, 2018, "trait T{N} { fn a(&self) -> u64; } struct S{N}; impl T{N} for S{N} { fn a(&self) -> u64 { if cfg!({P}) { {A} } else { {B} } } } fn {N}() -> u64 { let b: Box<T{N}> = Box::new(S{N}); b.a() }"),
    (2015, 2015, "trait T{N} { fn a(u64) -> u64; } struct S{N}; #[cfg({P})] impl T{N} for S{N} { fn a(async: u64) -> u64 { async + {A} } } #[cfg(not({P}))] impl T{N} for S{N} { fn a(x: u64) -> u64 { x } } fn {N}() -> u64 { S{N}::a({B}) }"),
    // Macros.
    (2015, 2024, "macro_rules! m{N} { ($(#[$m:meta])* $n:ident = $v:expr) => { $(#[$m])* pub fn $n() -> u64 { $v } } } m{N}!(#[cfg({P})] {N} = {A}); m{N}!(#[cfg(not({P}))] {N} = {B});"),
    (2015, 2024, "macro_rules! m{N} { (if #[cfg($p:meta)] { $a:expr } else { $b:expr }) => {{ #[cfg($p)] let r = $a; #[cfg(not($p))] let r = $b; r }} } fn {N}() -> u64 { m{N}!(if #[cfg({P})] { {A} } else { m{N}!(if #[cfg({Q})] { {B} } else { {C} }) }) }"),
    (2015, 2024, "#[cfg({P})] macro_rules! m{N} { () => { {A} } } #[cfg(not({P}))] macro_rules! m{N} { () => { if cfg!({Q}) { {B} } else { {C} } } } fn {N}() -> u64 { m{N}!() }"),
    (2015, 2024, "macro_rules! m{N} { ($($t:tt)*) => { if cfg!($($t)*) { {A} } else { {B} } } } fn {N}() -> u64 { m{N}!({P}) + m{N}!(not({Q})) }"),
    (2015, 2024, "macro_rules! m{N} { ($($i:item)*) => { $(#[cfg({P})] $i)* } } m{N}! { fn g{N}() -> u64 { {A} } #[cfg({Q})] fn h{N}() -> u64 { {B} } }
fn {N}() -> u64 { #[allow(unused_mut)] let mut n = 1; #[cfg({P})] { n += g{N}(); } #[cfg(all({P}, {Q}))] { n += h{N}(); } n }"),
    (2015, 2024, "macro_rules! m{N} { ($($(#[$m:meta])* $n:ident),*) => { #[derive(Debug)] enum E{N} { $($(#[$m])* $n),* } impl E{N} { fn all() -> Vec<E{N}> { vec![$($(#[$m])* E{N}::$n),*] } } } } m{N}!(A, #[cfg({P})] B, #[cfg({Q})] C);
fn {N}() -> u64 { println!(\"{:?}\", E{N}::all()); E{N}::all().len() as u64 }"),
    // What Cargo tells a crate.
    (2015, 2024, "fn {N}() -> u64 { let name = env!(\"CARGO_PKG_NAME\"); #[cfg({P})] println!(concat!(\"{} \", env!(\"CARGO_PKG_VERSION\")), name); option_env!(\"CARGO_PKG_VERSION_MINOR\").map_or({A}, |v| v.len() as u64 + name.len() as u64) }"),
    (2018, 2021, "fn {N}() -> u64 { let gen = {A}; #[cfg({P})] let gen = gen + {B}; let v: [u64; 2] = [gen, {C}]; v.iter().copied().max().unwrap() }"),
];
