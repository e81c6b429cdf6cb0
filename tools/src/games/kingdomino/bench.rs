//! Fixed positions, fixed work: playouts and searches.

use crate::room::BenchLine;
use fifty::games::kingdomino::playout::{Deck, greedy_playout, random_playout};
use fifty::games::kingdomino::state::{State, Variant};
use fifty::games::kingdomino::tile::Tile;
use fifty::games::kingdomino::weights::Weights;
use fifty::kit::cpu::{Kernel, Level, run};
use fifty::kit::rng::Rng;

/// Whole games from turn 1; greedy or random.
struct Playouts {
    count: u32,
    greedy: bool,
}

impl Kernel for Playouts {
    type Out = u64;

    #[inline(always)]
    fn run<L: Level>(self) -> u64 {
        let mut start = State::<2>::new(Variant::MAIN);
        let mut rng = Rng::new(1);
        start.draw(&mut rng, Tile::of_box);
        let mut deck = Deck::new(start.deck, Tile::of_box);
        let mut signature = 0u64;
        for _ in 0..self.count {
            let mut state = start.clone();
            deck.shuffle(&mut rng);
            if self.greedy {
                greedy_playout::<L, 2>(&mut state, &mut deck, &Weights::DEFAULT, &mut rng);
            } else {
                random_playout::<L, 2>(&mut state, &mut deck, &mut rng);
            }
            for kingdom in &state.kingdoms {
                signature = (signature ^ u64::from(kingdom.score())).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            }
        }
        signature
    }
}

/// All lines of the game.
pub fn lines() -> Vec<BenchLine> {
    [
        ("random playouts from turn 1", 100_000, false),
        ("greedy playouts from turn 1", 30_000, true),
    ]
    .map(|(name, count, greedy)| {
        let begun = cpu_seconds();
        let signature = run(Playouts { count, greedy });
        BenchLine {
            name: name.into(),
            work: u64::from(count),
            unit: "playouts",
            seconds: cpu_seconds() - begun,
            signature,
        }
    })
    .into()
}

/// CPU seconds of this process.
fn cpu_seconds() -> f64 {
    let mut usage = std::mem::MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: the pointer is to a timespec of our own; a failed call leaves its zeroes.
    #[allow(unsafe_code)]
    let time = unsafe {
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, usage.as_mut_ptr());
        usage.assume_init()
    };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
