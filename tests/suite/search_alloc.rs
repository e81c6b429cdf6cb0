//! No search allocates after construction: every allocation of a thread is counted.

use crate::search_alphabeta::random_position;
use crate::search_beam::{beam, Walk};
use crate::search_mcts::{Centre, Die, Lines, Rounds};
use crate::search_policy::{Blank, Heap, Ones};
use fifty::games::rails::duel::Duel;
use fifty::games::rails::map::Rules;
use fifty::games::rails::search::Planner;
use fifty::games::rails::state::State;
use fifty::games::rails::unshipped::mapgen::generate;
use fifty::games::rails::weights::Weights;
use fifty::games::{kingdomino, slime};
use fifty::kit::clock::Limit;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::AlphaBeta;
use fifty::search::beam::{self, Beam};
use fifty::search::game::Game;
use fifty::search::mcts::{Mcts, Params};
use fifty::search::policy::{Implicit, Leaf, Playout, TreePolicy, Uct, Uniform};
use fifty_connect4::entries::Fast;
use fifty_connect4::game::{Connect4, Lines as Deep};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: hands every call on to the system's allocator unchanged; the counter is a plain cell without a
// destructor, so that it can be touched at any time of a thread's life.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: as called.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as called.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: as called.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<T>(work: impl FnOnce() -> T) -> u64 {
    let before = COUNT.get();
    let done = work();
    let after = COUNT.get();
    drop(done);
    after - before
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| vec![1u8; 100]) >= 1);
    assert_eq!(allocations(|| 1 + 1), 0);
}

#[test]
fn alpha_beta_and_beam_do_not_allocate() {
    let mut rng = Rng::new(3);
    let mut deep = AlphaBeta::new(Deep, 1 << 12, 7);
    for _ in 0..10 {
        let mut state = random_position(&mut rng, 12);
        assert_eq!(allocations(|| deep.search(&mut state, Limit::work(20_000))), 0);
    }
    let mut search = beam(beam::Params::DEFAULT);
    for seed in 0..5 {
        let walk = Walk::new(seed, 20);
        assert_eq!(
            allocations(|| search.search(&walk, 0, &[], Limit::work(u64::MAX))),
            0
        );
    }
}

/// Both plans of some turns with one beam, as the rails bot makes them.
#[test]
fn plans_of_whole_turns_do_not_allocate() {
    let rules = Rules::inking(3);
    let map = Arc::new(generate(5, true, rules));
    let weights = Weights::DEFAULT;
    let branching = weights.most_sets() * weights.regions.max(1) as usize;
    let params = beam::Params {
        layers: 4,
        widest: 20,
        ..beam::Params::DEFAULT
    };
    let mut search = Beam::new(params, Planner::new(&map, weights), branching);
    let mut duel = Duel {
        map,
        state: State::new(),
    };
    for turn in 0..12 {
        let joint = [0, 1].map(|seat| {
            let count = allocations(|| {
                search.opinions.aim(&duel.map, seat, &[], turn);
                search.search(&duel, seat, &[], Limit::work(30))
            });
            assert_eq!(count, 0, "turn {turn}");
            search.plan()[0]
        });
        duel.advance(&joint, &mut Rng::new(1));
    }
}

/// A game's worth of searches with reuse, small pool and large.
fn tree<G: Game<N>, V: Leaf<G, N>, P: TreePolicy<G, N>, const N: usize>(
    mut search: Mcts<G, V, P, N>,
    start: &G,
    name: &str,
) {
    let mut rng = Rng::new(1);
    let mut moves = Vec::new();
    for _ in 0..3 {
        let mut state = start.clone();
        while !state.is_over() {
            let seats: Vec<usize> = if G::SIMULTANEOUS {
                (0..N).collect()
            } else {
                vec![state.to_move()]
            };
            let mut joint = [G::Move::default(); N];
            for &seat in &seats {
                let mut best = None;
                let count = allocations(|| best = search.search(&state, seat, Limit::work(2_000)).best);
                joint[seat] = best.expect("open");
                assert_eq!(count, 0, "{name}");
                moves.clear();
                state.moves(seat, &mut moves);
                assert!(moves.contains(&joint[seat]), "{name}");
            }
            let mover = seats[0];
            state.advance(&joint, &mut rng);
            if G::HIDDEN {
                assert_eq!(
                    allocations(|| search.keep(&[joint], &[mover], &state)),
                    0,
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn tree_search_does_not_allocate() {
    let four = Connect4::EMPTY;
    for edges in [64, 100_000] {
        let base = Params::DEFAULT;
        tree(Mcts::new(base.clone(), Fast, Uct, edges, 7, 1), &four, "plain");
        let leaf = Playout {
            choose: Uniform::new(7),
        };
        tree(
            Mcts::new(base.clone(), leaf, Centre::<true> { widen: 0.0 }, edges, 7, 1),
            &four,
            "puct",
        );
        let wide = Centre::<false> { widen: 1.0 };
        tree(
            Mcts::new(base.clone(), Fast, wide, edges, 7, 1),
            &four,
            "widening",
        );
        let leaf = Implicit {
            leaf: Fast,
            evaluate: Lines,
        };
        let implicit = Params {
            implicit: 0.2,
            ..base.clone()
        };
        tree(Mcts::new(implicit, leaf, Uct, edges, 7, 1), &four, "implicit");
        let rounds = Rounds {
            left: 4,
            score: 0,
            trap: false,
        };
        let leaf = Playout {
            choose: Uniform::new(3),
        };
        tree(
            Mcts::new(base.clone(), leaf, Uct, edges, 3, 1),
            &rounds,
            "simultaneous",
        );
        let die = Die {
            good: 3,
            rolled: None,
            over: None,
        };
        let leaf = Playout {
            choose: Uniform::new(3),
        };
        tree(Mcts::new(base, leaf, Uct, edges, 3, 1), &die, "hidden");
    }
}

#[test]
fn searches_with_models_and_those_of_the_bots_do_not_allocate() {
    for edges in [8, 5_000] {
        let policy = Ones::<false> {
            one: [false, true, true],
        };
        let mut search = Mcts::new(Params::DEFAULT, Blank, policy, edges, 3, 1);
        for left in (1..=21).rev() {
            let heap = Heap { left, seat: 0 };
            assert_eq!(allocations(|| search.search(&heap, 0, Limit::work(500))), 0);
        }
    }
    let mut slime = slime::search::Search::new(&slime::weights::Weights::DEFAULT, 1);
    for model in slime::models::MODELS {
        let state = slime::state::State::start(8);
        assert_eq!(
            allocations(|| slime.best(&state, [model; 4], Limit::work(2_000))),
            0
        );
    }
    let mut kingdoms = kingdomino::search::Search::<2>::new(&kingdomino::weights::Weights::DEFAULT, 1);
    let mut rng = Rng::new(4);
    let mut state = kingdomino::state::State::new(kingdomino::state::Variant::MAIN);
    for _ in 0..24 {
        if state.wants_draw() {
            state.draw(&mut rng, kingdomino::tile::Tile::of_box);
        }
        let deck = kingdomino::playout::Deck::new(state.deck, kingdomino::tile::Tile::of_box);
        let mut found = None;
        assert_eq!(
            allocations(|| found = kingdoms.search(&state, deck, Limit::work(100)).best),
            0
        );
        let action = found.expect("open");
        assert!(state.is_legal(action));
        state.play(action);
    }
}
