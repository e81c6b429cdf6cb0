//! Fifty: exact simulators of five contest games, a shared search core, and bots that answer inside
//! fifty milliseconds.
//!
//! Imports only run downwards: [`kit`] <- [`search`] <- [`games`] <- `bots/` <- `tools/`; no game knows
//! another. Everything here can end up in a single-file submission, so modules are small, import by
//! name, and never panic on input. Code compiles on rustc 1.85 in editions 2021 and 2024.
//!
//! # A first bot
//!
//! A game states its rules once, as a [`Game`](search::game::Game). What a search asks beyond that are opinions, each a
//! type of its own, and a bot is an [`Agent`](kit::agent::Agent): lines in, lines out. Tic-tac-toe, played by the tree
//! search with random playouts, and solved by alpha-beta:
//!
//! ```
//! use fifty::kit::agent::{read_line, Agent};
//! use fifty::kit::clock::{Budget, Clock, Limit};
//! use fifty::kit::cpu::Level;
//! use fifty::kit::rng::Rng;
//! use fifty::search::alphabeta::policy::Policy;
//! use fifty::search::alphabeta::{AlphaBeta, Work};
//! use fifty::search::game::Game;
//! use fifty::search::mcts::{Mcts, Params};
//! use fifty::search::policy::{Playout, Uct, Uniform};
//! use std::io::{self, BufRead, Write};
//!
//! /// Cells 0 to 8, row by row; the stones of each seat as bits. Seat 0 begins.
//! #[derive(Clone, Default)]
//! struct Board([u16; 2]);
//!
//! const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
//!
//! impl Board {
//!     fn taken(&self) -> u16 {
//!         self.0[0] | self.0[1]
//!     }
//!     fn won(&self, seat: usize) -> bool {
//!         LINES.iter().any(|&line| self.0[seat] & line == line)
//!     }
//! }
//!
//! impl Game<2> for Board {
//!     type Move = u8;
//!     fn is_over(&self) -> bool {
//!         self.won(0) || self.won(1) || self.taken() == 0o777
//!     }
//!     fn payoff(&self) -> [f32; 2] {
//!         let first = 0.5 + 0.5 * (f32::from(self.won(0) as u8) - f32::from(self.won(1) as u8));
//!         [first, 1.0 - first]
//!     }
//!     fn to_move(&self) -> usize {
//!         self.taken().count_ones() as usize % 2
//!     }
//!     fn moves(&self, _seat: usize, out: &mut Vec<u8>) {
//!         out.extend((0..9).filter(|cell| self.taken() >> cell & 1 == 0));
//!     }
//!     fn advance(&mut self, joint: &[u8; 2], _draws: &mut Rng) {
//!         let seat = self.to_move();
//!         self.0[seat] |= 1 << joint[seat];
//!     }
//!     fn hash(&self) -> u64 {
//!         (u64::from(self.0[0]) << 9 | u64::from(self.0[1])).wrapping_mul(0x9E37_79B9_7F4A_7C15)
//!     }
//! }
//!
//! /// Each turn the judge sends the cell the other one took, -1 if there is none, and wants ours.
//! struct Bot {
//!     board: Board,
//!     clock: Clock,
//!     search: Mcts<Board, Playout<Uniform<u8>>, Uct, 2>,
//! }
//!
//! impl Bot {
//!     fn new(budget: Budget) -> Self {
//!         let leaf = Playout { choose: Uniform::new(9) };
//!         let (edges, widest, seed) = (10_000, 9, 1);
//!         Self {
//!             board: Board::default(),
//!             clock: Clock::new(budget),
//!             search: Mcts::new(Params::DEFAULT, leaf, Uct, edges, widest, seed),
//!         }
//!     }
//! }
//!
//! impl Agent for Bot {
//!     fn turn(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
//!         let mut line = String::new();
//!         if !read_line(input, &mut line)? {
//!             return Ok(false);
//!         }
//!         self.clock.start();
//!         if let Some(theirs) = line.parse().ok().filter(|&cell| cell < 9) {
//!             self.board.advance(&[theirs; 2], &mut Rng::new(0));
//!         }
//!         let found = self.search.search(&self.board, self.board.to_move(), self.clock.limit());
//!         let ours = found.best.unwrap_or_default();
//!         self.board.advance(&[ours; 2], &mut Rng::new(0));
//!         writeln!(out, "{ours}")?;
//!         self.clock.stop();
//!         Ok(!self.board.is_over())
//!     }
//! }
//!
//! // A bot's `main` is `serve(&mut Bot::new(Budget::from_env(1000, 50)))`. Here it meets the centre with a corner:
//! // every other answer loses.
//! let mut bot = Bot::new(Budget::Work(5_000));
//! let mut answer = Vec::new();
//! assert!(bot.turn(&mut "4\n".as_bytes(), &mut answer)?);
//! assert!(["0\n", "2\n", "6\n", "8\n"].contains(&std::str::from_utf8(&answer).unwrap()));
//!
//! /// Alpha-beta's opinions: moves to the middle of a line first, and nothing is known before the end.
//! struct Solve;
//!
//! impl Policy<Board> for Solve {
//!     type Lazy = ();
//!     fn evaluate<L: Level>(&mut self, _board: &Board) -> i32 {
//!         0
//!     }
//!     fn each<L: Level>(&mut self, board: &Board, _: &mut Work, mut out: impl FnMut(i32, u8)) {
//!         for cell in (0..9).filter(|cell| board.taken() >> cell & 1 == 0) {
//!             out(LINES.iter().filter(|&line| line >> cell & 1 == 1).count() as i32, cell);
//!         }
//!     }
//! }
//!
//! let mut search = AlphaBeta::new(Solve, 1 << 12, 9);
//! let found = search.search(&mut Board::default(), Limit::work(1_000_000));
//! assert_eq!((found.value, found.depth >= 9), (0, true), "nobody wins");
//! # Ok::<(), io::Error>(())
//! ```

pub mod games;
pub mod kit;
pub mod search;
