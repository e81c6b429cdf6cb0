//! What the network sees of two kingdoms before a draw, tiles in hand placed greedily first.
//!
//! Kingdoms meet in the draft alone, so each is looked at for its own score, beside what the other wants of what the
//! deck still holds. Inputs are scaled to about 1.

use fifty::games::kingdomino::kingdom::{around, flood, Kingdom};
use fifty::games::kingdomino::playout::{greedy_put, open};
use fifty::games::kingdomino::state::State;
use fifty::games::kingdomino::tile::Tile;
use fifty::games::kingdomino::weights::Weights;
use fifty::games::kingdomino::zones::Sight;
use fifty::kit::bits::Bits;
use fifty::kit::rng::Rng;

/// What is seen of one terrain.
pub const SEEN: usize = 21;
/// What is seen of the whole kingdom.
pub const WHOLE: usize = 18;

/// What is seen of one kingdom.
#[derive(Clone, Debug)]
pub struct View {
    /// Its score now.
    pub score: f32,
    /// By terrain.
    pub terrain: [[f32; SEEN]; 6],
    /// Of the whole.
    pub whole: [f32; WHOLE],
}

/// Counts of one terrain: squares, crowns, score; size, crowns, exits and reach of the most promising zone that can
/// grow; crowns times exits (at most four) of all zones; largest zone that can grow, and of those without crowns;
/// zones; score of zones that can grow.
type Counts = [f32; 12];

fn counts(kingdom: &Kingdom, terrain: usize, open: u64) -> Counts {
    let mut out = [0.0; 12];
    let mut top = 0.0;
    let all = kingdom.terrain[terrain];
    let mut rest = all;
    while rest != 0 {
        let zone = flood(rest & rest.wrapping_neg(), all);
        rest &= !zone;
        let (size, crowns) = (zone.count_ones() as f32, kingdom.crowns_in(zone) as f32);
        let free = around(zone) & open;
        let exits = free.count_ones() as f32;
        out[0] += size;
        out[1] += crowns;
        out[2] += size * crowns;
        out[10] += 1.0;
        if free == 0 {
            continue;
        }
        out[7] += crowns * exits.min(4.0);
        out[8] = size.max(out[8]);
        out[9] = if crowns == 0.0 { size.max(out[9]) } else { out[9] };
        out[11] += size * crowns;
        let promise = (size + 1.0) * (crowns + 1.0);
        if promise > top {
            top = promise;
            let reach = (free | around(free) & open).count_ones() as f32;
            out[3..7].copy_from_slice(&[size, crowns, exits.min(8.0), reach.min(16.0)]);
        }
    }
    out
}

/// What is seen of both kingdoms. `deck`: ids undrawn; `first`: how much earlier seat 0 picks, -1 to 1.
fn views(kingdoms: &[Kingdom; 2], deck: u64, first: f32) -> [View; 2] {
    let mut left = [[0.0f32; 2]; 6];
    for tile in Bits(deck).map(|id| Tile::of_box(id as u8)) {
        for half in [tile.first(), tile.second()] {
            left[half.terrain as usize % 6][0] += 1.0;
            left[half.terrain as usize % 6][1] += f32::from(half.crowns);
        }
    }
    let tiles = deck.count_ones() as f32;
    let open = [0, 1].map(|seat: usize| open(&kingdoms[seat]));
    let counts: [[Counts; 6]; 2] = std::array::from_fn(|seat| {
        std::array::from_fn(|terrain| counts(&kingdoms[seat], terrain, open[seat]))
    });
    let scores = [0, 1].map(|seat: usize| counts[seat].iter().map(|c| c[2]).sum::<f32>());
    for (kingdom, score) in kingdoms.iter().zip(scores) {
        debug_assert_eq!(kingdom.score() as f32, score, "zones as the rules count them");
    }
    std::array::from_fn(|seat| {
        let (kingdom, open, other) = (&kingdoms[seat], open[seat], 1 - seat);
        let terrain = std::array::from_fn(|t| {
            let (own, foe, [squares, crowns]) = (&counts[seat][t], &counts[other][t], left[t]);
            [
                own[0] / 8.0,
                own[1] / 4.0,
                own[2] / 32.0,
                own[3] / 8.0,
                own[4] / 4.0,
                own[5] / 8.0,
                own[6] / 16.0,
                own[7] / 12.0,
                own[8] / 8.0,
                own[9] / 8.0,
                own[10] / 4.0,
                own[11] / 32.0,
                own[3] * own[4] / 32.0,
                squares / 16.0,
                crowns / 6.0,
                own[7] * squares / 96.0,
                own[8] * crowns / 24.0,
                foe[3] / 8.0,
                foe[4] / 4.0,
                foe[7] / 12.0,
                foe[8] / 8.0,
            ]
        });
        let (width, height) = kingdom.size();
        let inside = rectangle(width, height).rotate_left(kingdom.corner()) & !kingdom.occupied;
        let (lying, standing) = kingdom.free_pairs();
        let degree = |cell: u64| (around(cell) & open).count_ones();
        let mut narrow = 0;
        let mut rest = open;
        while rest != 0 {
            narrow += u32::from(degree(rest & rest.wrapping_neg()) < 2);
            rest &= rest - 1;
        }
        let alive = counts[seat].iter().filter(|c| c[8] > 0.0).count();
        let total = |k: usize| counts[seat].iter().map(|c| c[k]).sum::<f32>();
        let whole = [
            scores[seat] / 64.0,
            (48.0 - tiles - kingdom.squares() as f32) / 4.0,
            open.count_ones() as f32 / 32.0,
            (inside & !open).count_ones() as f32 / 4.0,
            narrow as f32 / 8.0,
            f32::from(width.max(height)) / 7.0,
            f32::from(width.min(height)) / 7.0,
            (lying.count_ones() + standing.count_ones()) as f32 / 32.0,
            if seat == 0 { first } else { -first },
            tiles / 48.0,
            (tiles / 48.0) * (tiles / 48.0),
            (around(kingdom.castle()) & open).count_ones() as f32 / 4.0,
            alive as f32 / 6.0,
            scores[other] / 64.0,
            total(1) / 8.0,
            left.iter().map(|l| l[1]).sum::<f32>() / 32.0,
            total(7) * tiles / 1024.0,
            total(11) * tiles / 2048.0,
        ];
        View {
            score: scores[seat],
            terrain,
            whole,
        }
    })
}

/// A box with its corner at bit 0.
const fn rectangle(width: u8, height: u8) -> u64 {
    let row = (1u64 << width) - 1;
    row * (0x0101_0101_0101_0101u64 >> (64 - 8 * height as u32))
}

/// What is seen of a position before a draw.
pub fn seen(state: &State<2>, rng: &mut Rng) -> [View; 2] {
    let mut kingdoms = state.kingdoms;
    let mut first = 0.0;
    for at in 0..state.row.len as usize {
        let (owner, tile) = (state.row.owners[at] as usize, state.row.tiles[at]);
        first += (1.5 - at as f32) * if owner == 0 { 0.25 } else { -0.25 };
        let kingdom = &mut kingdoms[owner];
        if tile != Tile::NONE {
            if let Some(put) = greedy_put(kingdom, &Sight::new(kingdom), tile, &Weights::DEFAULT, rng) {
                kingdom.play(tile, put);
            }
        }
    }
    views(&kingdoms, state.deck, first)
}
