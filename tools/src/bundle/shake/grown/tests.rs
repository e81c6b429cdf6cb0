//! What is left of small texts, proven.

use super::*;

/// What is left of a text, proven; parts of it that are `too_little` to be worth it.
fn left_of(text: &str, too_little: &[usize]) -> String {
    let tokens = Tokens::new(text, Path::new("text")).unwrap();
    let compile = Compile {
        edition: 2021,
        ..Compile::default()
    };
    let nodes = Nodes::new(&tokens).unwrap();
    let mut shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
    shaker.begin(None);
    for worth in too_little {
        assert!(!shaker.grow(*worth).unwrap());
    }
    assert!(shaker.grow(100).unwrap());
    let left = shaker.result().text;
    shaker.prove(&Code::told(text, &compile)).unwrap();
    assert_eq!(shaker.result().text, left);
    left
}

/// Asserts what went and what is there.
fn check(left: &str, gone: &[&str], there: &[&str]) {
    for gone in gone {
        assert!(!left.contains(gone), "{gone} is left in {left}");
    }
    for there in there {
        assert!(left.contains(there), "{there} is missing in {left}");
    }
}

#[test]
fn what_has_code_asks_for_the_rest() {
    let text = "
mod a {
    pub trait Size { const SIZE: usize; fn size(&self) -> usize { Self::SIZE } }
    pub trait Mark {}
    macro_rules! sized { ($($of:ty: $size:literal),*) => { $(impl Size for $of { const SIZE: usize = $size; })* } }
    sized!(u8: 1);
    sized!(u16: 2);
    impl Mark for u8 {}
    impl<T: Mark, const N: usize> Mark for [T; N] {}
    impl Mark for u16 {}
    pub fn of<T: Size + Mark>(of: T) -> usize { of.size() }
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Unused(u16);
    impl Size for Unused { const SIZE: usize = 3; fn size(&self) -> usize { of(self.0) } }
    impl From<Unused> for usize { fn from(of: Unused) -> usize { of.size() } }
    #[derive(Clone, Copy)]
    pub struct Used(pub u8);
    impl Used { pub fn twice(self) -> usize { self.0 as usize * 2 } pub fn never(self) -> Unused { Unused(3) } }
    pub struct Held(pub Used);
    impl std::ops::Deref for Held { type Target = Used; fn deref(&self) -> &Used { &self.0 } }
    impl Drop for Held { fn drop(&mut self) { println!(\"{}\", self.twice()); } }
}
use a::{Held, Unused, Used};
fn unused(of: Unused) -> usize { of.into() }
fn main() {
    let used = Used(4);
    println!(\"{} {}\", a::of(used.clone().0), Held(used).twice());
}
";
    let left = left_of(text, &[5]);
    check(
        &left,
        &[
            "Unused",
            "u16",
            "From",
            "[T; N]",
            "fn never",
            "fn unused",
            "PartialEq",
        ],
        &[
            "sized!(u8: 1)",
            "impl Mark for u8",
            "Clone, Copy",
            "impl Drop",
            "Deref",
        ],
    );
}

#[test]
fn what_is_copied_stays_so() {
    let text = "
mod error {
    #[derive(Debug, Clone, Copy)] pub enum Needed { Unknown, Size(u8) }
    pub enum Mode<E> { Incomplete(Needed), Back(E) }
    impl<E> Mode<E> {
        pub fn or(self, other: Self) -> Self {
            match (self, other) {
                (Mode::Back(e), Mode::Back(_)) => Mode::Back(e),
                (Mode::Incomplete(e), _) | (_, Mode::Incomplete(e)) => Mode::Incomplete(e),
            }
        }
    }
}
fn main() { let _ = error::Mode::Back(String::new()).or(error::Mode::Back(String::from(\"a\"))); }
";
    check(&left_of(text, &[]), &["Debug"], &["Clone, Copy"]);
}

#[test]
fn what_the_library_chooses_other_code_by_stays() {
    let text = "
mod count {
    #[derive(Clone)] pub struct Once<I>(pub I);
    impl<I: Iterator> Iterator for Once<I> { type Item = I::Item; fn next(&mut self) -> Option<I::Item> { self.0.next() } }
    impl<I: std::iter::FusedIterator> std::iter::FusedIterator for Once<I> {}
    pub struct Never<I>(pub I);
    impl<I: Iterator> Iterator for Never<I> { type Item = I::Item; fn next(&mut self) -> Option<I::Item> { self.0.next() } }
    impl<I: std::iter::FusedIterator> std::iter::FusedIterator for Never<I> {}
}
fn main() {
    let mut of = count::Once([3u8, 4].iter()).fuse();
    println!(\"{:?} {:?} {:?}\", of.next(), of.next(), of.next());
}
";
    let left = left_of(text, &[]);
    check(&left, &["Never"], &["FusedIterator for Once"]);
}

#[test]
fn what_a_trait_requires_and_nobody_asks_for_goes_from_its_impls() {
    let text = "
mod vector {
    pub trait Machine: Sized { type Narrow: Lane<Self>; type Wide: Wider<Self>; const SIZE: usize; fn new() -> Self; }
    pub trait Lane<M: Machine> { fn sum(self) -> u32; fn swapped(self) -> Self; fn turned(self) -> Self; }
    pub trait Wider<M: Machine>: Into<M::Narrow> { fn wide(self) -> Half; }
    macro_rules! own { ($name:ident) => { fn $name(self) -> Self { Self(self.0 * 3) } } }
    pub struct Half; pub struct Sse; pub struct One(pub u32); pub struct Two(u64);
    impl Machine for Sse { type Narrow = One; type Wide = Two; const SIZE: usize = 4; fn new() -> Self { Sse } }
    impl Lane<Sse> for One { fn sum(self) -> u32 { self.0 } own!(swapped); own!(turned); }
    impl Wider<Sse> for Two { fn wide(self) -> Half { Half } }
    impl From<Two> for One { fn from(of: Two) -> Self { One(of.0 as u32) } }
}
use vector::{Lane, Machine, One, Sse};
fn sum<M: Machine>(of: M::Narrow) -> u32 { let _ = M::new(); of.turned().sum() }
fn main() { println!(\"{}\", sum::<Sse>(One(4))); }
";
    let left = left_of(text, &[]);
    check(
        &left,
        &["Wide", "Two", "SIZE", "swapped", "Half"],
        &["type Narrow = One", "own!(turned)", "fn new"],
    );
}

#[test]
fn impls_of_macros_are_told_by_their_types_and_functions_with_bodies_go() {
    let text = "
trait Number { fn next(self) -> Self; fn never(&self) -> Unused { Unused } }
struct Unused;
macro_rules! number { ($of:ty) => { impl Number for $of { fn next(self) -> Self { self + 1 } } } }
number!(u8);
number!(i64);
number!(u16);
fn next<T: Number>(of: T) -> T { of.next() }
fn main() { let four: i64 = next(3); println!(\"{four}\"); }
";
    let left = left_of(text, &[]);
    assert!(left.contains("number!(i64);"), "{left}");
    for gone in ["u8", "u16", "Unused", "never"] {
        assert!(!left.contains(gone), "{gone} is left in {left}");
    }
}

#[test]
fn calls_in_a_constant_without_a_name_come_back_one_by_one() {
    let text = "
trait Size { const SIZE: usize; }
macro_rules! sized { ($of:ty: $size:literal) => { impl Size for $of { const SIZE: usize = $size; } } }
macro_rules! checked { ($of:ty) => { assert!(<$of as Size>::SIZE < 9); } }
const _: () = { sized!(u8: 1); sized!(u16: 2); sized!(u32: 4); };
const _: () = { checked!(u16); };
fn of<T: Size>(_: T) -> usize { T::SIZE }
fn main() { println!(\"{}\", of(3u8) + of(5u32)); }
";
    let left = left_of(text, &[]);
    assert!(
        left.contains("{ sized!(u8: 1);  sized!(u32: 4); }") && !left.contains("u16"),
        "{left}"
    );
}

#[test]
fn an_import_is_tried_again_when_a_way_leads_to_what_a_macro_made() {
    let text = "
mod deep {
    pub mod de {
        macro_rules! declare { ($name:ident: $of:ident) => { pub trait $name: Sized { fn custom() -> Self; } } }
        declare!(Error: Sized);
        pub trait Read { type Failed: Error; fn read(&self) -> Result<u8, Self::Failed>; }
        pub struct Never;
    }
    pub mod all { pub use super::de; }
}
mod outer { pub use crate::deep::all::de; pub mod ways { pub use super::de; } }
mod private {
    use crate::outer::ways::de::{Error, Never, Read};
    pub fn missing<E: Error>() -> E { E::custom() }
    pub fn never() -> Never { Never }
    pub fn of<R: Read>(of: R) -> u8 { of.read().unwrap_or_else(|_| 7) }
}
struct Of(u8);
struct Wrong;
impl outer::de::Error for Wrong { fn custom() -> Self { Wrong } }
impl outer::de::Read for Of {
    type Failed = Wrong;
    fn read(&self) -> Result<u8, Wrong> { if self.0 > 3 { Ok(self.0) } else { Err(private::missing()) } }
}
fn main() { println!(\"{} {}\", private::of(Of(2)), private::of(Of(4))); }
";
    let left = left_of(text, &[]);
    assert!(
        left.contains("declare!(Error") && !left.contains("Never"),
        "{left}"
    );
}

#[test]
fn neither_a_static_that_nothing_reads_nor_an_import_brings_anything_back() {
    let text = "
mod pool {
    mod join { use super::Registry; pub fn join() -> Registry { Registry(3) } pub fn near() -> u8 { 4 } }
    pub use self::join::{join, near};
    pub mod all { pub use super::join; pub use super::kinds::{self, Kind}; }
    pub mod kinds { pub struct Kind(pub super::Registry); }
    pub struct Registry(pub u8);
    impl Registry { fn get(&self) -> u8 { self.0 + 5 } }
    impl Drop for Registry { fn drop(&mut self) { println!(\"{}\", self.get()); } }
    pub static SET: fn() -> Registry = join;
    thread_local! { pub static STATE: Registry = join(); }
    pub trait Many { fn map(&self, by: Registry) -> u8 { by.get() } }
    impl Many for [u8] {}
}
use pool::Many;
fn unused(of: &[u8]) -> u8 { of.map(pool::join()) }
fn main() { println!(\"{} {:?}\", pool::near(), [3u8, 4].iter().map(|of| of + 1).max()); }
";
    let left = left_of(text, &[]);
    check(&left, &["Registry", "SET", "STATE", "Kind", "Many"], &["fn near"]);
}

#[test]
fn of_one_name_only_what_a_path_leads_to_comes_back() {
    let text = "
mod low {
    pub mod de { pub trait Error { fn custom() -> Self; } pub trait Visit { fn a(&self) -> u8 { 1 } fn b(&self) -> u8 { 2 } } }
    pub mod ser { pub trait Error { fn custom() -> Self; } }
}
mod high { pub use crate::low::*; pub use std::error::Error as StdError; }
mod one {
    use crate::high::{de, ser, StdError};
    #[derive(Debug)]
    pub struct Error;
    impl std::fmt::Display for Error { fn fmt(&self, _: &mut std::fmt::Formatter) -> std::fmt::Result { Ok(()) } }
    impl StdError for Error {}
    impl de::Error for Error { fn custom() -> Self { Error } }
    impl ser::Error for Error { fn custom() -> Self { Error } }
    impl de::Visit for Error { fn a(&self) -> u8 { 3 } fn b(&self) -> u8 { 4 } }
}
mod two {
    use crate::high::{de, ser, StdError};
    #[derive(Debug)]
    pub struct Error;
    impl std::fmt::Display for Error { fn fmt(&self, _: &mut std::fmt::Formatter) -> std::fmt::Result { Ok(()) } }
    impl StdError for Error {}
    impl de::Error for Error { fn custom() -> Self { Error } }
    impl ser::Error for Error { fn custom() -> Self { Error } }
}
fn of<E: high::de::Error + high::de::Visit + high::StdError>() -> u8 { E::custom().a() }
fn main() { println!(\"{}\", of::<one::Error>()); }
";
    let left = left_of(text, &[]);
    check(
        &left,
        &["mod two", "mod ser", "ser::Error", "fn b"],
        &[
            "impl StdError for Error",
            "impl de::Error for Error",
            "fn a(&self) -> u8 { 3 }",
        ],
    );
}

#[test]
fn impls_that_macros_make_for_types_without_a_name_come_back_alone() {
    let text = "
mod kit {
    pub trait Plain {}
    pub trait Safe { fn size(&self) -> usize; }
    macro_rules! plain { ($($of:ty),*) => { $(impl Plain for $of {})* }; (in $t:ident for $of:ty) => { impl<$t: Plain> Plain for $of {} } }
    macro_rules! later { ($($of:ty),*) => { plain!($($of),*); } }
    plain!(u8);
    plain!(u16);
    later!(u32);
    later!(u64);
    plain!(in T for [T]);
    plain!(in T for (T, T));
    plain!(in T for Option<T>);
    impl<T: Plain + ?Sized> Safe for T { fn size(&self) -> usize { std::mem::size_of_val(self) } }
}
use kit::Safe;
fn main() { println!(\"{} {}\", [1u8, 2][..].size(), 7u32.size()); }
";
    let left = left_of(text, &[]);
    check(
        &left,
        &["plain!(u16)", "later!(u64)", "for (T, T)", "Option"],
        &["plain!(u8)", "later!(u32)", "for [T]"],
    );
}
#[test]
fn what_a_method_or_a_dereference_misses_comes_back_alone() {
    let text = "
mod kit {
    macro_rules! declare { ($($name:ident: $by:ident),*) => { $(pub trait $name { fn $by(&self) -> u8; })* } }
    declare!(Bound: bound);
    declare!(Never: never);
    pub struct Graph(pub u8);
    impl Bound for Graph { fn bound(&self) -> u8 { self.0 } }
    impl Never for Graph { fn never(&self) -> u8 { 1 } }
    pub struct Held(pub u8);
    impl std::ops::Deref for Held { type Target = u8; fn deref(&self) -> &u8 { &self.0 } }
    pub struct Count(pub u8);
    impl Iterator for Count { type Item = u8; fn next(&mut self) -> Option<u8> { self.0 = self.0.checked_sub(1)?; Some(self.0) } }
    impl Iterator for Graph { type Item = u8; fn next(&mut self) -> Option<u8> { None } }
}
mod user {
    use crate::kit::{Bound, Count, Graph, Held, Never};
    pub fn never(of: &Graph) -> u8 { of.never() }
    pub fn of(of: &Graph) -> u8 { of.bound() + *Held(3) + u8::from(Count(of.0).any(|n| n == 2)) }
}
fn main() { println!(\"{}\", user::of(&kit::Graph(4))); }
";
    check(
        &left_of(text, &[]),
        &[
            "Never: never",
            "impl Never",
            "impl Iterator for Graph",
            "fn never",
        ],
        &[
            "Bound: bound",
            "impl Bound",
            "impl std::ops::Deref",
            "impl Iterator for Count",
        ],
    );
}
#[test]
fn functions_in_one_without_code_go_with_it() {
    let text = "
mod set {
    pub struct Set(pub u8);
    fn is_covariant() {
    fn set(v: Set) -> Set {
        v
    }
    fn other<'new>(v: &'new Set) -> &'new Set {
        v
    }
    }
    impl PartialEq for Set { fn eq(&self, other: &Set) -> bool { is_covariant(); self.0 == other.0 } }
    impl Set { pub fn never(&self) -> bool { is_covariant(); *self == Set(3) } }
}
fn main() { println!(\"{}\", set::Set(3).0); }
";
    check(
        &left_of(text, &[]),
        &["never", "fn set", "fn other"],
        &["struct Set"],
    );
}
#[test]
fn a_function_that_a_macro_makes_in_an_impl_comes_back_without_an_error() {
    let text = "\
macro_rules! hint { () => { fn size_hint(&self) -> (usize, Option<usize>) { (self.0, Some(self.0)) } } }
struct Three(usize);
struct Never(usize);
impl Iterator for Three {
    type Item = usize;
    fn next(&mut self) -> Option<usize> { self.0 = self.0.checked_sub(1)?; Some(self.0) }
    hint!();
}
impl Iterator for Never { type Item = u8; fn next(&mut self) -> Option<u8> { None } hint!(); }
fn main() { println!(\"{:?}\", Three(3).collect::<Vec<_>>()); }
";
    check(&left_of(text, &[]), &["Never"], &["hint!();", "Three"]);
}

#[test]
fn what_operators_demand_of_types_comes_back_without_an_error() {
    let text = "
mod number {
    use std::ops::Rem;
    pub trait Num {}
    macro_rules! num { ($($of:ty)*) => { $(impl Num for $of {})* } }
    num!(f32);
    num!(u8);
    pub struct Complex<T>(pub T);
    impl<T: Clone + Num> Rem<Complex<T>> for Complex<T> { type Output = Self; fn rem(self, _: Self) -> Self { self } }
    pub struct List(u8);
    macro_rules! list { ($of:ident $by:ident) => { impl $of<u8> for List { type Output = u8; fn $by(self, _: u8) -> u8 { self.0 } } } }
    list!(Rem rem);
    macro_rules! real { ($($of:ty)*) => { $(impl Rem<Complex<$of>> for $of {
        type Output = Complex<$of>;
        fn rem(self, by: Complex<$of>) -> Complex<$of> { Complex(self) % by }
    })* } }
    real!(f32);
}
use number::Complex;
fn main() { println!(\"{}\", (3f32 % Complex(2f32)).0); }
";
    check(
        &left_of(text, &[]),
        &["num!(u8)", "list!(Rem"],
        &["num!(f32)", "real!(f32)"],
    );
}

#[test]
fn what_leads_to_a_method_comes_back() {
    let text = "
mod array {
    use std::ops::Deref;
    pub struct Array(View);
    pub struct View(Raw);
    pub struct Raw(pub u8);
    pub struct Never(pub u8);
    impl Array { pub fn new(of: u8) -> Self { Array(View(Raw(of))) } }
    impl Deref for Array { type Target = View; fn deref(&self) -> &View { &self.0 } }
    impl Deref for View { type Target = Raw; fn deref(&self) -> &Raw { &self.0 } }
    impl Deref for Never { type Target = u8; fn deref(&self) -> &u8 { &self.0 } }
    impl Raw { pub fn shape(&self) -> u8 { self.0 } }
    pub struct List(pub Vec<u8>);
    impl Deref for List { type Target = [u8]; fn deref(&self) -> &[u8] { &self.0 } }
}
fn main() { println!(\"{} {}\", array::Array::new(3).shape(), array::List(vec![4])[0]); }
";
    check(
        &left_of(text, &[]),
        &["Never"],
        &["Deref for Array", "Deref for View", "Deref for List", "fn shape"],
    );
}
