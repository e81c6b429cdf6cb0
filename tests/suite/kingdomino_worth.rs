//! Kingdomino: what a placement is worth, set by set, against counting what it does square by square.

use fifty::games::kingdomino::kingdom::{around, Kingdom, Places, Put};
use fifty::games::kingdomino::playout::random_put;
use fifty::games::kingdomino::tile::Tile;
use fifty::games::kingdomino::weights::Weights;
use fifty::games::kingdomino::worth::{best, kind, table, Learned, Taste, UNIT, UNLEARNED};
use fifty::games::kingdomino::zones::Sight;
use fifty::kit::bits::Bits;
use fifty::kit::cpu::{run, Kernel, Level, Plain};
use fifty::kit::rng::Rng;

/// Everything that a placement is worth and the best of all, for one tile.
struct All<'a> {
    kingdom: &'a Kingdom,
    tile: Tile,
    next: Tile,
    taste: &'a Taste,
    learned: &'a Learned,
}

impl Kernel for All<'_> {
    type Out = ([i16; 256], Option<Put>);

    #[inline(always)]
    fn run<L: Level>(self) -> Self::Out {
        let sight = Sight::new(self.kingdom);
        let puts = self.kingdom.distinct_puts(self.tile);
        let tiles = (self.tile, &puts, self.next);
        let table = table::<L>(self.kingdom, &sight, tiles, self.taste, self.learned);
        (table, best(&table, &puts, self.taste, &mut Rng::new(1)))
    }
}

/// Only these weights, the others of placements nothing.
fn only(values: &[(&str, f64)]) -> Taste {
    let zero = Weights::LIST.iter().filter(|t| t.min <= 0.0 && t.max > 0.0);
    let mut all: Vec<(String, f64)> = zero.map(|t| (t.name.to_owned(), 0.0)).collect();
    for (name, value) in values {
        all.retain(|(n, _)| n != name);
        all.push(((*name).to_owned(), *value));
    }
    Taste::new(&Weights::with(&all).unwrap())
}

/// Random kingdoms with a tile that fits.
fn positions(count: u64) -> Vec<(Kingdom, Tile)> {
    let mut found = Vec::new();
    for seed in 0..count {
        let mut rng = Rng::new(seed);
        let mut kingdom = Kingdom::new(7);
        let mut ids: Vec<u8> = (1..=48).collect();
        rng.shuffle(&mut ids);
        for id in ids {
            let tile = Tile::of_box(id);
            let puts = kingdom.distinct_puts(tile);
            let Some(put) = random_put::<Plain>(&puts, &mut rng) else {
                continue;
            };
            found.push((kingdom, tile));
            kingdom.play(tile, put);
        }
    }
    found
}

fn worth(table: &[i16; 256], put: Put) -> f32 {
    f32::from(table[put.index()]) / UNIT
}

/// How many of a square's neighbours are in a set.
fn near(bit: u64, set: u64) -> u32 {
    (around(bit) & set).count_ones()
}

/// The worth of each placement less that of the first must be what `count` says, less what it says of the first.
fn agrees(taste: &Taste, learned: &Learned, count: impl Fn(&Kingdom, Tile, Put) -> Option<f32>) {
    let mut compared = 0;
    for (kingdom, tile) in positions(60) {
        let next = Tile::NONE;
        let (table, _) = run(All {
            kingdom: &kingdom,
            tile,
            next,
            taste,
            learned,
        });
        let all: Vec<Put> = Places::of(kingdom.distinct_puts(tile)).collect();
        let Some(base) = count(&kingdom, tile, all[0]) else {
            continue;
        };
        for &put in &all[1..] {
            if let Some(told) = count(&kingdom, tile, put) {
                let (a, b) = (worth(&table, put) - worth(&table, all[0]), told - base);
                assert!(
                    (a - b).abs() < 0.01,
                    "{put:?} of {tile:?}: {a}, counted {b}, in {kingdom:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn kingdomino_worth_without_shape_is_the_score() {
    agrees(&only(&[]), &UNLEARNED, |kingdom, tile, put| {
        let mut after = *kingdom;
        after.play(tile, put);
        Some(after.score() as f32)
    });
}

#[test]
fn kingdomino_worth_counts_holes_and_narrow_squares() {
    for (hole, narrow) in [(2.0, 0.0), (0.0, 1.5), (2.0, 1.5)] {
        let (h, n) = (f64::from(hole), f64::from(narrow));
        let taste = only(&[("hole", h), ("hole_late", h), ("narrow", n), ("narrow_late", n)]);
        agrees(&taste, &UNLEARNED, |kingdom, tile, put| {
            let (first, second) = put.cells();
            let before = kingdom.open();
            let ends: u64 = Bits(before)
                .map(|b| 1 << b)
                .filter(|&b| near(b, before) == 1)
                .sum();
            let left = before & !(first | second);
            let mut after = *kingdom;
            after.play(tile, put);
            let mut sum = after.score() as f32;
            for bit in Bits(left).map(|b| 1u64 << b) {
                sum -= match near(bit, left) {
                    0 => hole,
                    1 => narrow,
                    _ => 0.0,
                };
            }
            // Four ends around one square count as three.
            (near(first, ends) < 4 && near(second, ends) < 4).then_some(sum)
        });
    }
}

#[test]
fn kingdomino_worth_counts_what_squares_touch() {
    let taste = only(&[
        ("touch", 1.0),
        ("touch_late", 1.0),
        ("contact", -0.5),
        ("contact_late", -0.5),
        ("grow", 0.25),
        ("castle", 2.0),
        ("castle_late", 2.0),
    ]);
    agrees(&taste, &UNLEARNED, |kingdom, tile, put| {
        let (first, second) = put.cells();
        let mut after = *kingdom;
        after.play(tile, put);
        let mut sum = after.score() as f32;
        for (bit, half) in [(first, tile.first()), (second, tile.second())] {
            sum += near(bit, kingdom.terrain[usize::from(half.terrain)]) as f32;
            sum -= 0.5 * near(bit, kingdom.occupied) as f32;
            sum -= 0.25 * f32::from(u8::from(bit & kingdom.inside() == 0));
            sum += 2.0 * near(bit, kingdom.castle()) as f32;
        }
        Some(sum)
    });
}

/// Up to four points for or against a terrain on a square.
fn lore() -> Learned {
    let mut rng = Rng::new(7);
    UNLEARNED.map(|squares| squares.map(|_| rng.below(257) as i16 - 128))
}

#[test]
fn kingdomino_worth_adds_what_was_learned_of_both_squares() {
    let learned = lore();
    agrees(&only(&[]), &learned, |kingdom, tile, put| {
        let mut after = *kingdom;
        after.play(tile, put);
        let (first, second) = put.cells();
        let mut sum = after.score() as f32;
        for (bit, half) in [(first, tile.first()), (second, tile.second())] {
            let square = bit.trailing_zeros() as usize;
            sum += f32::from(learned[kind(half.terrain.into(), half.crowns > 0)][square]) / UNIT;
        }
        Some(sum)
    });
}

#[test]
fn kingdomino_best_placement_is_the_tables_and_no_levels() {
    let mut taste = Weights::DEFAULT;
    taste.noise = 0.0;
    let (taste, learned) = (Taste::new(&taste), lore());
    for (kingdom, tile) in positions(60) {
        let next = Tile::of_box(1 + tile.id() % 48);
        let all = || All {
            kingdom: &kingdom,
            tile,
            next,
            taste: &taste,
            learned: &learned,
        };
        let (table, best) = run(all());
        assert_eq!((table, best), all().run::<Plain>());
        let most = Places::of(kingdom.distinct_puts(tile)).map(|put| worth(&table, put));
        assert_eq!(most.reduce(f32::max), best.map(|put| worth(&table, put)));
    }
}
