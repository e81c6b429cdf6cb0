//! The frame of the matches: players, contests, equal time, and a line of the table.

use cpu_time::ProcessTime;
use fifty::kit::rng::Rng;
use fifty::search::game::Game;

/// Asked for a move; cleared before each game.
pub trait Player<G: Game<N>, const N: usize = 2> {
    /// A legal move of `seat` in a position that is not over.
    fn choose(&mut self, state: &G, seat: usize) -> G::Move;
    /// Forgets everything.
    fn clear(&mut self);
}

/// A player of a game, whatever it is made of.
pub type Seat<D, const N: usize = 2> = Box<dyn Player<<D as Contest<N>>::State, N>>;

/// A technique and the baseline it is compared with.
pub type Pair<D, const N: usize = 2> = (Seat<D, N>, Seat<D, N>);

/// A game, and how it plays the techniques of the common list that apply to it.
pub trait Contest<const N: usize = 2>: Sized + 'static {
    /// The game.
    type State: Game<N> + 'static;
    /// Shown above its table.
    const TITLE: &'static str;
    /// A position to begin from.
    fn opening(rng: &mut Rng) -> Self::State;
    /// The technique and the baseline it is compared with, of two that differ only in being off the one that is on
    /// first; `None` where it does not apply.
    fn pair(name: &str, work: Work) -> Option<Pair<Self, N>>;
    /// That a move is legal, where its list of moves is not all of them.
    fn legal(state: &Self::State, seat: usize, m: <Self::State as Game<N>>::Move) -> bool {
        let mut all = Vec::new();
        state.moves(seat, &mut all);
        all.contains(&m)
    }
}

/// Work of both sides of a pair.
#[derive(Clone, Copy)]
pub struct Work {
    /// Part of the usual work that both get: less where only running is checked.
    pub part: f64,
    /// What the technique gets of it for equal time, found by measuring.
    factor: f64,
}

impl Work {
    /// The usual work, or a part of it.
    pub fn part(part: f64) -> Self {
        Self { part, factor: 1.0 }
    }

    /// What the baseline gets.
    pub fn base(self, work: u64) -> u64 {
        (work as f64 * self.part).round().max(1.0) as u64
    }

    /// What costs as much as [`Work::base`] costs the baseline.
    pub fn of(self, work: u64) -> u64 {
        (work as f64 * self.part * self.factor).round().max(1.0) as u64
    }
}

/// CPU seconds and moves of technique and baseline.
type Spent = [(f64, u32); 2];

/// Mean seconds a move.
fn each(spent: (f64, u32)) -> f64 {
    spent.0 / f64::from(spent.1.max(1))
}

/// The technique, and the baseline once for every other seat.
struct Table<D: Contest<N>, const N: usize> {
    technique: Seat<D, N>,
    others: Vec<Seat<D, N>>,
    spent: Spent,
}

impl<D: Contest<N>, const N: usize> Table<D, N> {
    /// Panics for a technique that does not apply: ask [`Contest::pair`] first.
    fn new(name: &str, work: Work) -> Self {
        let pair = || D::pair(name, work).expect("it applies");
        let (technique, first) = pair();
        let mut others = vec![first];
        others.extend((2..N).map(|_| pair().1));
        Self {
            technique,
            others,
            spent: Spent::default(),
        }
    }

    /// One game from an opening, in which the technique has seat `seat`; the share of the others it beats, equal
    /// payoffs as half.
    fn game(&mut self, opening: &D::State, seat: usize) -> f64 {
        let mut state = opening.clone();
        self.technique.clear();
        for other in &mut self.others {
            other.clear();
        }
        let mut rng = Rng::new(1);
        while !state.is_over() {
            let mut joint = [<D::State as Game<N>>::Move::default(); N];
            for (mover, m) in joint.iter_mut().enumerate() {
                if !D::State::SIMULTANEOUS && mover != state.to_move() {
                    continue;
                }
                let start = ProcessTime::now();
                // Seats after the technique's shift by one.
                let (who, player) = match mover.cmp(&seat) {
                    core::cmp::Ordering::Equal => (0, &mut self.technique),
                    core::cmp::Ordering::Less => (1, &mut self.others[mover]),
                    core::cmp::Ordering::Greater => (1, &mut self.others[mover - 1]),
                };
                *m = player.choose(&state, mover);
                self.spent[who].0 += start.elapsed().as_secs_f64();
                self.spent[who].1 += 1;
                assert!(D::legal(&state, mover, *m), "{m:?} is not legal");
            }
            state.advance(&joint, &mut rng);
        }
        let payoff = state.payoff();
        let beaten = (0..N).filter(|&other| other != seat).map(|other| {
            let gap = payoff[seat] - payoff[other];
            0.5 + 0.5 * f64::from(i8::from(gap > 0.0) - i8::from(gap < 0.0))
        });
        beaten.sum::<f64>() / (N - 1) as f64
    }
}

/// The factor that makes the technique as slow as its baseline, from a few games, twice.
fn calibrate<D: Contest<N>, const N: usize>(name: &str, mut work: Work) -> Work {
    if name.contains("double") {
        return work;
    }
    for round in 0..2 {
        let mut table = Table::<D, N>::new(name, work);
        let mut rng = Rng::new(77 + round);
        for _ in 0..12 / N {
            let start = D::opening(&mut rng);
            for seat in 0..N {
                table.game(&start, seat);
            }
        }
        let [technique, baseline] = table.spent.map(each);
        work.factor = (work.factor * baseline / technique.max(1e-9)).clamp(0.01, 100.0);
    }
    work
}

/// One technique's line: about `games` games, at least one opening with every seat.
fn line<D: Contest<N>, const N: usize>(name: &str, games: usize, part: f64, equal_time: bool) {
    let mut work = Work::part(part);
    if equal_time {
        work = calibrate::<D, N>(name, work);
    }
    let mut table = Table::<D, N>::new(name, work);
    let mut rng = Rng::new(2026);
    let (mut sum, mut squares) = (0.0, 0.0);
    let openings = (games / N).max(1);
    for _ in 0..openings {
        let start = D::opening(&mut rng);
        // An opening with all its seats is one sample: their results lean on each other.
        let score = (0..N).map(|seat| table.game(&start, seat)).sum::<f64>() / N as f64;
        sum += score;
        squares += score * score;
    }
    let n = openings as f64;
    let mean = sum / n;
    let error = 1.96 * ((squares / n - mean * mean).max(0.0) / n).sqrt();
    let elo = |p: f64| -400.0 * (1.0 / p.clamp(0.001, 0.999) - 1.0).log10();
    println!(
        "{name:18} {:4} games  score {mean:.3}  Elo {:+.0} ({:+.0} to {:+.0})  work x{:.2}, {:.0} / {:.0} µs a move",
        openings * N,
        elo(mean),
        elo(mean - error),
        elo(mean + error),
        work.factor,
        each(table.spent[0]) * 1e6,
        each(table.spent[1]) * 1e6,
    );
}

/// A game's table: those of `names` that apply to it. Returns how many did.
pub fn table<D: Contest<N>, const N: usize>(
    names: &[&str],
    games: usize,
    part: f64,
    equal_time: bool,
) -> usize {
    println!("{}", D::TITLE);
    let known = |name: &&&str| D::pair(name, Work::part(part)).is_some();
    let played: Vec<_> = names.iter().filter(known).collect();
    for name in &played {
        line::<D, N>(name, games, part, equal_time);
    }
    played.len()
}
