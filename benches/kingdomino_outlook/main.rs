//! What a network over counts foretells of a game of kingdomino, beside the playouts that the bot believes.
//!
//! `cargo bench --bench kingdomino_outlook -- [GAMES [ITERATIONS]]` lets the bot play itself, fits a network to how the
//! games ended (first to games of greedy players), and prints for the games kept apart the Brier score of the word of
//! the score now, of the mean of 64 playouts, of the network and of the mean of both, after turns 4, 6 and 8. Each is
//! read as a chance with the scale that suits the turn best; a coin scores .25. Fixed work: the same figures on any
//! machine. `cargo test --bench kingdomino_outlook` plays a few games.

mod fit;
mod play;
mod view;

use fifty::kit::rng::Rng;
use fit::score;
use play::{play, quick, Sample};

/// One game in so many is kept apart to test on.
const APART: usize = 8;
/// Turns whose ends are predicted one by one.
const TESTED: [u8; 3] = [4, 6, 8];
/// Times that a game of greedy players is learned from, and the rate.
const BEGIN: (usize, f32) = (4, 0.002);
/// The same of searched games.
const LEARN: (usize, f32) = (10, 0.001);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let measured = arguments.iter().any(|a| a == "--bench");
    let mut numbers = arguments.iter().filter_map(|a| a.parse::<u64>().ok());
    let (games, greedy) = if measured {
        (numbers.next().unwrap_or(4_000), 40_000)
    } else {
        (16, 16)
    };
    let work = numbers.next().unwrap_or(80);
    let mut rng = Rng::new(5);
    let played = all(&(0..games).map(|_| rng.next_u64()).collect::<Vec<_>>(), |seed| {
        play(work, seed)
    });
    let begin = all(&(0..greedy).map(|_| rng.next_u64()).collect::<Vec<_>>(), quick);
    let (tested, learned) = played.split_at(played.len() / APART);
    let mut net = fit::fresh(rng.next_u64());
    fit::fit(&mut net, &begin, BEGIN.0, BEGIN.1, rng.next_u64());
    fit::fit(&mut net, learned, LEARN.0, LEARN.1, rng.next_u64());
    println!(
        "{games} games, {} positions",
        played.iter().map(Vec::len).sum::<usize>()
    );
    report(&net, tested);
}

/// Games in the order of their seeds, played by all cores.
fn all(seeds: &[u64], game: impl Fn(u64) -> Vec<Sample> + Sync) -> Vec<Vec<Sample>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let part = seeds.len().div_ceil(cores).max(1);
    std::thread::scope(|scope| {
        let game = &game;
        let parts = seeds
            .chunks(part)
            .map(|part| scope.spawn(move || part.iter().map(|&seed| game(seed)).collect()));
        let parts: Vec<_> = parts.collect();
        parts
            .into_iter()
            .flat_map(|part| -> Vec<Vec<Sample>> { part.join().expect("games end") })
            .collect()
    })
}

/// What foretells: its name and the margin of seat 0 it says.
type Teller<'a> = (&'a str, &'a dyn Fn(&Sample) -> f32);

/// Brier scores, each teller's margins read with the scale that suits the turn best; what a coin scores is .25.
fn report(net: &[f32], games: &[Vec<Sample>]) {
    let word = |sample: &Sample| score(net, &sample.views[0]) - score(net, &sample.views[1]);
    let tellers: [Teller; 4] = [
        ("score now", &|sample| {
            sample.views[0].score - sample.views[1].score
        }),
        ("playouts", &|sample| sample.playouts),
        ("network", &word),
        ("both", &|sample| (word(sample) + sample.playouts) / 2.0),
    ];
    for turn in TESTED {
        let here: Vec<&Sample> = games
            .iter()
            .flatten()
            .filter(|sample| sample.turn == turn + 1)
            .collect();
        print!("   after turn {turn}, {} positions, Brier score:", here.len());
        for (name, tell) in &tellers {
            let margins: Vec<(f32, f32)> = here.iter().map(|&sample| (tell(sample), sample.won)).collect();
            let (score, scale) = best(&margins);
            print!("  {name} {score:.4} (scale {scale:.0})");
        }
        println!();
    }
    let off: f32 = games
        .iter()
        .flatten()
        .map(|s| (word(s) - (s.scores[0] - s.scores[1])).powi(2))
        .sum();
    let count = games.iter().map(Vec::len).sum::<usize>().max(1);
    println!("   margins off by {:.1} points", (off / count as f32).sqrt());
}

/// The best Brier score of a logistic reading of margins, and its scale.
fn best(margins: &[(f32, f32)]) -> (f32, f32) {
    let scales = (2..=60).map(|scale| scale as f32);
    let score = |scale: f32| {
        let sum: f32 = margins
            .iter()
            .map(|(m, won)| (1.0 / (1.0 + (-m / scale).exp()) - won).powi(2))
            .sum();
        sum / margins.len().max(1) as f32
    };
    scales
        .map(|scale| (score(scale), scale))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .unwrap_or((0.25, 1.0))
}
