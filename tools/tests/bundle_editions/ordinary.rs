//! Programs as people write them, in which nothing depends on the edition but the order in which memory is given back: none
//! is refused for a judge of another edition.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "programs stand alike, whatever quotes they have"
)]

use super::{Snippet, check};

/// What the programs share.
const SHARED: &str = r##"#![allow(dead_code, unused)]
use std::{collections::*, rc::*, cell::*, sync::*, fmt};
#[derive(Debug)] enum Err1 { Parse(std::num::ParseIntError), Msg(String) }
impl fmt::Display for Err1 { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { write!(f, "{self:?}") } }
impl std::error::Error for Err1 {}
impl From<std::num::ParseIntError> for Err1 { fn from(e: std::num::ParseIntError) -> Self { Err1::Parse(e) } }
trait Plan { fn go(&mut self, x: i32) -> Option<Vec<i32>>; fn name(&self) -> String; }
struct A { m: HashMap<String, Vec<i32>> , k: Vec<String>}
impl Plan for A { fn go(&mut self, x: i32) -> Option<Vec<i32>> { self.m.entry("a".into()).or_default().push(x); self.m.get("a").cloned() } fn name(&self) -> String { "A".to_string() } }
#[derive(Clone, Debug, Default)] struct Node { kids: Vec<Rc<RefCell<Node>>>, v: i32, w: Option<Weak<RefCell<Node>>> }
fn parse(s: &str) -> Result<Vec<i32>, Box<dyn std::error::Error>> { let mut v = vec![]; for w in s.split(' ') { v.push(w.parse()?); } Ok(v) }
fn parse1(s: &str) -> Result<Vec<i32>, Err1> { s.split(' ').map(|w| w.parse::<i32>().map_err(Err1::from)).collect() }
fn plan(n: i32) -> Box<dyn Plan> { Box::new(A { m: HashMap::new(), k: vec![n.to_string()] }) }
fn main() { let k = vec!["1 x".to_string(), "2".to_string()]; run(&k); let w = k.clone(); if let Ok(v) = parse(&w[1]) { println!("{v:?}") } }
"##;

/// Their names, and what each does in `run`.
const BODIES: [(&str, &str); 39] = [
    (
        "boxerr",
        r##"fn run(k: &[String]) { let v: Vec<String> = k.to_vec(); if let Err(e) = parse(&v[0]) { println!("bad {e}"); } }"##,
    ),
    (
        "own_err",
        r##"fn run(k: &[String]) { let v: Vec<String> = k.to_vec(); match parse1(&v[0]) { Ok(l) => println!("{l:?}"), Err(e) => println!("bad {e}") } }"##,
    ),
    (
        "dynplan",
        r##"fn run(k: &[String]) { let mut plans: Vec<Box<dyn Plan>> = vec![plan(1), plan(2)]; let names: Vec<String> = plans.iter().map(|p| p.name()).collect(); if let Some(v) = plans[0].go(names.len() as i32) { println!("{v:?}"); } }"##,
    ),
    (
        "rcell",
        r##"fn run(k: &[String]) { let n = Rc::new(RefCell::new(Node::default())); let c = Rc::new(RefCell::new(Node { w: Some(Rc::downgrade(&n)), v: 3, ..Default::default() })); n.borrow_mut().kids.push(c.clone()); let x = n.borrow().kids.len() as i32; println!("{x}"); if let Some(p) = c.borrow().w.as_ref().and_then(|w| w.upgrade()) { println!("{}", p.borrow().kids[0].borrow().v); }; }"##,
    ),
    (
        "rctail",
        r##"fn depth(n: &Rc<RefCell<Node>>) -> usize { let b = n.borrow(); b.kids.iter().map(depth).max().map_or(1, |d| d + 1) }
fn run(k: &[String]) { let n = Rc::new(RefCell::new(Node::default())); n.borrow_mut().kids.push(Rc::default()); println!("{}", depth(&n)) }"##,
    ),
    (
        "cellopt",
        r##"fn get(c: &RefCell<HashMap<String, Vec<i32>>>, k: &str) -> i32 { let key = format!("{k}!"); match c.borrow().get(&key) { Some(v) => v.len() as i32, None => -1 } }
fn run(k: &[String]) { let c = RefCell::new(HashMap::new()); c.borrow_mut().insert("a!".to_string(), vec![1,2]); println!("{} {}", get(&c, "a"), get(&c, "b")); }"##,
    ),
    (
        "mutex",
        r##"fn take(m: &Mutex<Vec<String>>) -> Option<String> { let n = String::from("z"); m.lock().unwrap().pop().filter(|s| *s != n) }
fn run(k: &[String]) { let m = Mutex::new(k.to_vec()); println!("{:?} {:?}", take(&m), take(&m)); if let Some(s) = m.lock().unwrap().first() { println!("{s}"); } else { println!("none"); }; }"##,
    ),
    (
        "iflet_else_lock",
        r##"fn run(k: &[String]) { let m = RwLock::new(k.to_vec()); if let Some(s) = m.read().unwrap().get(9) { println!("{s}"); } else { println!("none {}", m.read().unwrap().len()); }; }"##,
    ),
    (
        "borrow_else",
        r##"fn run(k: &[String]) { let m = RefCell::new(k.to_vec()); let n = if let Some(s) = m.borrow().get(1) { s.len() } else { 0 }; m.borrow_mut().push(n.to_string()); println!("{:?}", m.borrow()); }"##,
    ),
    (
        "io",
        r##"fn run(k: &[String]) { use std::io::{stdin, stdout, BufWriter, Write}; let mut s = String::new(); if let Ok(n) = stdin().read_line(&mut s) { println!("{n} {s}"); } let out = stdout(); let mut w = BufWriter::new(out.lock()); writeln!(w, "{}", k.len()).unwrap(); if let Err(e) = w.flush() { println!("{e}") } }"##,
    ),
    (
        "thread",
        r##"fn run(k: &[String]) { let m = Arc::new(Mutex::new(0)); let hs: Vec<_> = (0..4).map(|i| { let m = Arc::clone(&m); std::thread::spawn(move || { *m.lock().unwrap() += i; }) }).collect(); for h in hs { h.join().unwrap(); } println!("{}", *m.lock().unwrap()); if let Ok(g) = m.lock() { println!("{g}"); }; }"##,
    ),
    (
        "chan",
        r##"fn run(k: &[String]) { let (tx, rx) = mpsc::channel::<String>(); let t = tx.clone(); std::thread::spawn(move || { t.send("a".into()).unwrap(); }).join().unwrap(); drop(tx); while let Ok(x) = rx.recv() { println!("{x}"); } let v: Vec<String> = rx.iter().collect(); if let Some(x) = v.first() { println!("{x}"); } }"##,
    ),
    (
        "tailmatchself",
        r##"struct S { q: VecDeque<Vec<String>>, f: Vec<Box<dyn Fn(i32) -> i32>> }
impl S { fn pop(&mut self) -> Option<String> { let n = self.q.len().to_string(); match self.q.pop_front().map(|v| v.join(&n)) { Some(s) if s.len() > 1 => Some(s), _ => None } }
 fn ap(&self, x: i32) -> i32 { let o = vec![x]; self.f.iter().map(|f| f(o[0])).sum() } }
fn run(k: &[String]) { let mut s = S { q: VecDeque::from(vec![vec!["a".into(), "b".into()]]), f: vec![Box::new(|x| x + 1), Box::new(|x| x * 2)] }; println!("{}", s.ap(4)); if let Some(x) = s.pop() { println!("{x}"); } }"##,
    ),
    (
        "opttake",
        r##"struct T { root: Option<Box<T>>, v: i32 }
impl T { fn ins(&mut self, v: i32) { let t = format!("{v}"); match self.root.as_mut() { Some(r) => r.ins(v), None => { self.root = Some(Box::new(T { root: None, v })); println!("{t}") } } }
 fn rm(&mut self) -> Option<i32> { let s = vec![String::new()]; if let Some(b) = self.root.take() { self.root = b.root; Some(b.v + s.len() as i32) } else { None } } }
fn run(k: &[String]) { let mut t = T { root: None, v: 0 }; t.ins(2); t.ins(3); println!("{:?} {:?} {:?}", t.rm(), t.rm(), t.rm()); }"##,
    ),
    (
        "lazy",
        r##"thread_local! { static C: RefCell<HashMap<u64, Vec<i32>>> = RefCell::new(HashMap::new()); }
static G: OnceLock<Mutex<Vec<String>>> = OnceLock::new();
fn memo(n: u64) -> i32 { if let Some(v) = C.with(|c| c.borrow().get(&n).cloned()) { return v[0]; } let r = if n < 2 { 1 } else { memo(n - 1) + memo(n - 2) }; C.with(|c| c.borrow_mut().insert(n, vec![r])); r }
fn run(k: &[String]) { println!("{}", memo(20)); let g = G.get_or_init(|| Mutex::new(vec![])); g.lock().unwrap().push("q".into()); if let Some(x) = G.get().and_then(|g| g.lock().ok()?.pop()) { println!("{x}"); } }"##,
    ),
    (
        "iter_impl",
        r##"fn nb<'a>(g: &'a [Vec<usize>], i: usize) -> impl Iterator<Item = usize> + 'a { let own = vec![i]; g[i].iter().copied().filter(move |j| *j != own[0]) }
fn run(k: &[String]) { let g = vec![vec![0, 1], vec![0]]; let s = String::from("s"); match nb(&g, 0).map(|x| format!("{s}{x}")).collect::<Vec<_>>() { v if v.is_empty() => println!("none"), v => println!("{v:?}") } }"##,
    ),
    (
        "writeln",
        r##"use std::fmt::Write;
fn show(v: &[Vec<char>]) -> String { let mut s = String::new(); for r in v { writeln!(s, "{}", r.iter().collect::<String>()).unwrap(); } s }
fn run(k: &[String]) { let g = vec![vec!['a'; 3]; 2]; print!("{}", show(&g)) }"##,
    ),
    (
        "letelse",
        r##"fn f(s: &str) -> Option<(i32, String)> { let Some((a, b)) = s.split_once('=') else { return None }; let Ok(n) = b.parse::<i32>() else { return None }; Some((n, a.to_owned())) }
fn run(k: &[String]) { let names = k.to_vec(); match f(&names[0]) { Some((n, s)) => println!("{n}{s}"), None => println!("-") } if let Some((n, s)) = f("q=4") { println!("{n}{s}") } }"##,
    ),
    (
        "heap",
        r##"#[derive(PartialEq, Eq, PartialOrd, Ord, Clone)] struct St { c: i32, path: Vec<(i8, i8)>, seen: BTreeSet<(i8, i8)> }
fn run(k: &[String]) { let mut h = BinaryHeap::new(); h.push(std::cmp::Reverse(St { c: 2, path: vec![(0, 0)], seen: BTreeSet::new() })); while let Some(std::cmp::Reverse(mut s)) = h.pop() { if s.c == 0 { println!("{:?}", s.path); break; } s.c -= 1; s.path.push((s.c as i8, 1)); h.push(std::cmp::Reverse(s)); } if let Some(x) = h.peek() { println!("{}", x.0.c) } }"##,
    ),
    (
        "timer",
        r##"struct Timer(&'static str); impl Drop for Timer { fn drop(&mut self) { println!("end {}", self.0) } }
fn f(k: &[String]) -> Option<String> { let _t = Timer("f"); if let Some(s) = k.iter().map(|s| s.clone() + "!").next() { Some(s) } else { None } }
fn g(k: &[String]) -> usize { let _t = Timer("g"); k.iter().map(|s| s.to_uppercase()).collect::<Vec<_>>().len() }
fn run(k: &[String]) { let _t = Timer("run"); println!("{}", g(k)); match f(k) { Some(s) => println!("{s}"), None => {} } }"##,
    ),
    (
        "guard",
        r##"struct Undo<'a>(&'a RefCell<Vec<i32>>); impl<'a> Drop for Undo<'a> { fn drop(&mut self) { self.0.borrow_mut().pop(); } }
fn put<'a>(c: &'a RefCell<Vec<i32>>, x: i32) -> Undo<'a> { c.borrow_mut().push(x); Undo(c) }
fn dfs(c: &RefCell<Vec<i32>>, n: i32) -> i32 { let _u = put(c, n); if n == 0 { c.borrow().iter().sum() } else { dfs(c, n - 1) + c.borrow().len() as i32 } }
fn run(k: &[String]) { let c = RefCell::new(vec![]); println!("{} {}", dfs(&c, 4), c.borrow().len()); }"##,
    ),
    (
        "index",
        r##"struct Grid<T> { w: usize, d: Vec<T> } impl<T> std::ops::Index<(usize, usize)> for Grid<T> { type Output = T; fn index(&self, (x, y): (usize, usize)) -> &T { &self.d[y * self.w + x] } } impl<T> std::ops::IndexMut<(usize, usize)> for Grid<T> { fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut T { let w = self.w; &mut self.d[y * w + x] } }
fn run(k: &[String]) { let mut g = Grid { w: 2, d: vec![String::new(); 4] }; g[(0, 1)].push_str("q"); g[(1, 1)] = g[(0, 1)].clone() + "r"; if let Some(c) = g[(1, 1)].chars().last() { println!("{c}") } }"##,
    ),
    (
        "fromstr",
        r##"#[derive(Debug)] enum Cmd { Move(i32, i32), Say(String), Wait } impl std::str::FromStr for Cmd { type Err = Err1; fn from_str(s: &str) -> Result<Self, Err1> { let p: Vec<&str> = s.split_whitespace().collect(); match p.as_slice() { ["MOVE", x, y] => Ok(Cmd::Move(x.parse()?, y.parse()?)), ["SAY", rest @ ..] => Ok(Cmd::Say(rest.join(" "))), ["WAIT"] => Ok(Cmd::Wait), _ => Err(Err1::Msg(s.to_string())) } } }
fn run(k: &[String]) { for l in ["MOVE 1 2", "SAY a b", "WAIT", "MOVE x 1", "?"] { match l.parse::<Cmd>() { Ok(c) => println!("{c:?}"), Err(e) => println!("{e}") } } }"##,
    ),
    (
        "iter",
        r##"struct Bits(u64); impl Iterator for Bits { type Item = u32; fn next(&mut self) -> Option<u32> { if self.0 == 0 { None } else { let b = self.0.trailing_zeros(); self.0 &= self.0 - 1; Some(b) } } }
fn run(k: &[String]) { let v: Vec<_> = Bits(0b1011).chain([9, 8]).collect(); for x in [1, 2, 3].iter().zip(v.iter()) { print!("{x:?}"); } println!("{}", v.iter().map(|x| x.to_string()).collect::<Vec<_>>().join(",")) }"##,
    ),
    (
        "closures",
        r##"fn make(n: i32) -> impl Fn(i32) -> i32 { let v = vec![n; 3]; move |x| x + v.iter().sum::<i32>() }
fn boxed(n: i32) -> Box<dyn FnMut() -> i32> { let mut s = String::new(); Box::new(move || { s.push('a'); s.len() as i32 * n }) }
fn run(k: &[String]) { let mut a = A { m: HashMap::new(), k: k.to_vec() }; let mut log = vec![]; let mut add = |x: i32| { log.push(a.k.len() as i32 + x); a.go(x) }; add(1); let r = add(2); let mut b = boxed(3); println!("{} {:?} {:?} {} {}", make(2)(3), r, log, b(), b()); }"##,
    ),
    (
        "labels",
        r##"fn run(k: &[String]) { let g = vec![vec![1, 0, 3], vec![4, 5, 0]]; let r = 'o: loop { for (i, r) in g.iter().enumerate() { for (j, &c) in r.iter().enumerate() { if c == 0 && i == 1 { break 'o Some((i, j)); } if c == 9 { continue 'o; } } } break None; }; let z = 'b: { if r.is_none() { break 'b 1; } 2 }; println!("{r:?} {z}") }"##,
    ),
    (
        "catch",
        r##"fn run(k: &[String]) { std::panic::set_hook(Box::new(|i| println!("panic {}", i.payload().downcast_ref::<String>().cloned().unwrap_or_default()))); let r = std::panic::catch_unwind(|| { let v: Vec<i32> = vec![]; if v.len() < 1 { panic!("empty {}", v.len()); } v[0] }); println!("{}", r.is_err()); }"##,
    ),
    (
        "exit",
        r##"fn bail(m: &str) -> ! { println!("{m}"); std::process::exit(3) }
fn run(k: &[String]) { let n: i32 = k[1].parse().unwrap_or_else(|_| bail("bad")); let m: i32 = match k[0].split(' ').next().map(|x| x.parse()) { Some(Ok(m)) => m, _ => bail("no") }; println!("{}", n + m); if n + m > 100 { bail("big") } }"##,
    ),
    (
        "generic",
        r##"trait Monoid { type T: Clone + fmt::Debug; fn id() -> Self::T; fn op(a: &Self::T, b: &Self::T) -> Self::T; } struct Cat; impl Monoid for Cat { type T = String; fn id() -> String { String::new() } fn op(a: &String, b: &String) -> String { format!("{a}{b}") } }
struct Seg<M: Monoid> { n: usize, d: Vec<M::T> } impl<M: Monoid> Seg<M> { fn new(v: &[M::T]) -> Self { let n = v.len().next_power_of_two(); let mut d = vec![M::id(); 2 * n]; d[n..n + v.len()].clone_from_slice(v); for i in (1..n).rev() { d[i] = M::op(&d[2 * i], &d[2 * i + 1]); } Seg { n, d } } fn get(&self, mut l: usize, mut r: usize) -> M::T { l += self.n; r += self.n; let (mut a, mut b) = (M::id(), M::id()); while l < r { if l & 1 == 1 { a = M::op(&a, &self.d[l]); l += 1; } if r & 1 == 1 { r -= 1; b = M::op(&self.d[r], &b); } l /= 2; r /= 2; } M::op(&a, &b) } }
fn run(k: &[String]) { let s = Seg::<Cat>::new(k); println!("{:?}", s.get(0, 2)); match s.get(0, 1).as_str() { "" => println!("e"), x => println!("{x}") } }"##,
    ),
    (
        "anyres",
        r##"type Res<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;
fn load(k: &[String]) -> Res<BTreeMap<String, i32>> { let mut m = BTreeMap::new(); for s in k { let (a, b) = s.split_once(' ').ok_or("no blank")?; m.insert(b.to_owned(), a.parse()?); } Ok(m) }
fn step(k: &[String]) -> Res<()> { let m = load(&k[..1])?; let names: Vec<String> = m.keys().cloned().collect(); if names.is_empty() { return Err("empty".into()); } println!("{names:?}"); match load(k) { Ok(m) => { println!("{m:?}"); Ok(()) } Err(e) => Err(format!("inner: {e}").into()) } }
fn run(k: &[String]) { let keep = k.to_vec(); if let Err(e) = step(&keep) { println!("{e}"); } }"##,
    ),
    (
        "arena",
        r##"struct Tree { n: Vec<N> } #[derive(Default)] struct N { ch: HashMap<char, usize>, end: bool } impl Tree { fn add(&mut self, s: &str) { let mut at = 0; for c in s.chars() { at = match self.n[at].ch.get(&c) { Some(&x) => x, None => { self.n.push(N::default()); let x = self.n.len() - 1; self.n[at].ch.insert(c, x); x } }; } self.n[at].end = true; } fn has(&self, s: &str) -> bool { let mut at = &self.n[0]; for c in s.chars() { if let Some(x) = at.ch.get(&c) { at = &self.n[*x] } else { return false } } at.end } }
fn run(k: &[String]) { let mut t = Tree { n: vec![N::default()] }; for s in k { t.add(s); } println!("{} {}", t.has("2"), t.has("3")) }"##,
    ),
    (
        "llist",
        r##"struct L<T> { head: Option<Box<P<T>>>, len: usize } struct P<T> { v: T, next: Option<Box<P<T>>> } impl<T: fmt::Debug> L<T> { fn push(&mut self, v: T) { let old = self.head.take(); self.head = Some(Box::new(P { v, next: old })); self.len += 1; } fn pop(&mut self) -> Option<T> { self.head.take().map(|b| { self.head = b.next; self.len -= 1; b.v }) } fn rev(&mut self) { let mut p = None; let mut c = self.head.take(); while let Some(mut b) = c { c = b.next.take(); b.next = p; p = Some(b); } self.head = p; } fn peek(&self) -> Option<&T> { self.head.as_ref().map(|b| &b.v) } }
impl<T> Drop for L<T> { fn drop(&mut self) { let mut c = self.head.take(); while let Some(mut b) = c { c = b.next.take(); } } }
fn run(k: &[String]) { let mut l = L { head: None, len: 0 }; for s in k { l.push(s.clone()); } l.rev(); println!("{:?}", l.peek()); if let Some(x) = l.pop() { println!("{x} {}", l.len) } }"##,
    ),
    (
        "dropgen",
        r##"struct Pool { free: RefCell<Vec<Vec<u8>>> } struct Buf<'a> { p: &'a Pool, v: Vec<u8> } impl Drop for Buf<'_> { fn drop(&mut self) { self.p.free.borrow_mut().push(std::mem::take(&mut self.v)); } } impl Pool { fn get(&self) -> Buf<'_> { let v = self.free.borrow_mut().pop().unwrap_or_default(); Buf { p: self, v } } }
fn run(k: &[String]) { let p = Pool { free: RefCell::new(vec![]) }; { let mut b = p.get(); b.v.extend_from_slice(k[0].as_bytes()); println!("{}", b.v.len()) } let n = p.free.borrow().len(); println!("{n} {}", p.get().v.len()); if p.get().v.is_empty() { println!("e") } }"##,
    ),
    (
        "async",
        r##"use std::{future::Future, pin::Pin, task::{Context, Poll, RawWaker, RawWakerVTable, Waker}};
fn rw() -> RawWaker { fn c(_: *const ()) -> RawWaker { rw() } fn n(_: *const ()) {} static V: RawWakerVTable = RawWakerVTable::new(c, n, n, n); RawWaker::new(std::ptr::null(), &V) }
fn block<F: Future>(f: F) -> F::Output { let mut f = Box::pin(f); let w = unsafe { Waker::from_raw(rw()) }; let mut cx = Context::from_waker(&w); loop { if let Poll::Ready(x) = f.as_mut().poll(&mut cx) { return x; } } }
struct Y(bool); impl Future for Y { type Output = (); fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> { if self.0 { Poll::Ready(()) } else { self.0 = true; cx.waker().wake_by_ref(); Poll::Pending } } }
async fn one(q: &RefCell<Vec<String>>, n: usize) -> usize { let s = n.to_string(); for _ in 0..n { q.borrow_mut().push(s.clone()); Y(false).await; } match q.borrow().last() { Some(x) => x.len(), None => 0 } }
fn run(k: &[String]) { let q = RefCell::new(vec![]); let n = block(async { let a = one(&q, 2).await; a + one(&q, 3).await }); println!("{n} {:?}", q.borrow()); }"##,
    ),
    (
        "static",
        r##"static mut BUF: [i32; 4] = [0; 4]; static NAMES: &[&str] = &["a", "b"]; const fn tab() -> [u8; 8] { let mut t = [0; 8]; let mut i = 0; while i < 8 { t[i] = (i * i) as u8; i += 1; } t } static T: [u8; 8] = tab();
fn run(k: &[String]) { unsafe { BUF[1] = 5; let s: i32 = (0..4).map(|i| BUF[i]).sum(); println!("{s}"); } println!("{:?} {:?}", T, NAMES.iter().rev().collect::<Vec<_>>()); }"##,
    ),
    (
        "macro",
        r##"macro_rules! chmin { ($a:expr, $b:expr) => { if $b < $a { $a = $b; true } else { false } } } macro_rules! hm { ($($k:expr => $v:expr),* $(,)?) => {{ let mut m = BTreeMap::new(); $(m.insert($k, $v);)* m }} } macro_rules! each { ($n:ident in $e:expr => $b:block) => { for $n in $e $b } } macro_rules! opt { ($e:expr) => { match $e { Some(x) => x, None => return } } }
fn run(k: &[String]) { let mut a = 5; println!("{} {} {a}", chmin!(a, 3), chmin!(a, 4)); let m = hm! { "x".to_string() => vec![1], "y".to_string() => vec![] }; each!(n in m.values() => { println!("{n:?}"); }); let v = opt!(m.get("x")); println!("{}", opt!(v.first())); if let Some(z) = m.get("z") { println!("{z:?}") } }"##,
    ),
    (
        "where",
        r##"fn best<'a, T, K, F>(v: &'a [T], f: F) -> Option<&'a T> where F: Fn(&T) -> K, K: PartialOrd { let mut r: Option<(&T, K)> = None; for x in v { let k = f(x); match &r { Some((_, b)) if *b >= k => {} _ => r = Some((x, k)) } } r.map(|x| x.0) }
fn run(k: &[String]) { let v = vec![vec![1.5, 2.0], vec![9.0]]; println!("{:?}", best(&v, |x| x.iter().sum::<f64>())); if let Some(s) = best(k, |s| s.len()) { println!("{s}") } }"##,
    ),
    (
        "opt_chain",
        r##"#[derive(Clone)] struct U { name: Option<String>, pos: Option<(i32, i32)>, tags: Vec<String> } fn near<'a>(us: &'a [U], p: (i32, i32)) -> Option<&'a U> { us.iter().filter(|u| u.pos.is_some()).min_by_key(|u| { let q = u.pos.unwrap(); (q.0 - p.0).abs() + (q.1 - p.1).abs() }) }
fn run(k: &[String]) { let us = vec![U { name: Some("a".into()), pos: Some((1, 1)), tags: k.to_vec() }, U { name: None, pos: None, tags: vec![] }]; if let Some(U { name: Some(n), tags, .. }) = near(&us, (0, 0)).cloned() { println!("{n} {}", tags.len()) } }"##,
    ),
    (
        "strings",
        r##"fn caesar(s: &str, n: u8) -> String { s.bytes().map(|b| match b { b'a'..=b'z' => ((b - b'a' + n) % 26 + b'a') as char, _ => b as char }).collect() }
fn run(k: &[String]) { let t = r#"a "q" b"#; println!("{} {} {}", caesar("xyz!", 3), t, concat!("a", 1)); let w: Cow2 = t.split('"').map(str::trim).filter(|s| !s.is_empty()).map(String::from).collect(); println!("{w:?}"); print!("{:>5}|{:<5}|{:^5}|{:+}|{:#x}|{:08.3}\n", 1, 2, 3, 4, 255, 3.14159) }
type Cow2 = VecDeque<String>;"##,
    ),
];

/// Bundles every `step`-th program of each edition for a judge of another, and compares.
pub fn are_taken(step: usize) {
    let dir = tempfile::tempdir().unwrap();
    let all = BODIES
        .iter()
        .flat_map(|body| [2018, 2021, 2024].map(|edition| (body, edition)));
    let mut failed = Vec::new();
    for ((name, body), edition) in all.step_by(step) {
        let snippet = Snippet {
            name: format!("{name}_{edition}"),
            edition,
            text: format!("{SHARED}{body}\n"),
            made: None,
            told: Vec::new(),
        };
        let target = if edition == 2024 { "codingame" } else { "nypc" };
        if let Err(error) = check(&snippet, target, dir.path()) {
            failed.push(format!("{} for {target}: {error}", snippet.name));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
