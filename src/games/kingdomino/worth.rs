//! What placements of one tile are worth at once, in points: score won and to be won, less what it costs in shape.
//!
//! A worth is a sum over both halves of what their squares say, so that all squares are looked at together, a set of
//! squares at a time, and a placement costs one addition. What the two halves do to one another is left out but for what
//! equal terrains win. Units: bytes hold eighths of points, words 32nds. Nothing here allocates.

use super::kingdom::{around, Kingdom, Put, Puts};
use super::tile::{Square, Tile};
use super::weights::Weights;
use super::zones::{Sight, Zones};
use crate::kit::bits::Bits;
use crate::kit::cpu::Level;
use crate::kit::lanes::{add_bytes, add_words, Bytes, Words};
use crate::kit::rng::Rng;

/// 32nds of a point in a point.
pub const UNIT: f32 = 32.0;
/// Tiles of a full kingdom.
const FULL: usize = 24;

/// What playouts from here have learned, in units, by [`kind`] and square.
pub type Learned = [[i16; 64]; 12];
/// Nothing learned.
pub const UNLEARNED: Learned = [[0; 64]; 12];

/// A terrain without or with crowns.
#[inline(always)]
pub const fn kind(terrain: usize, crowned: bool) -> usize {
    terrain + 6 * crowned as usize
}

/// The weights of placements for one number of tiles placed, in units.
#[derive(Clone, Copy, Debug)]
struct Stage {
    hole: i8,
    narrow: i8,
    grow: i8,
    touch: [i8; 6],
    contact: i8,
    block: i8,
    castle: i8,
    join: i32,
    /// 256ths of a point.
    keep: i32,
    /// 256ths of a point.
    reach: i32,
}

/// The weights as the playouts use them.
#[derive(Clone, Debug)]
pub struct Taste {
    stages: [Stage; FULL + 1],
    noise: i32,
    /// The weights of picks.
    pub weights: Weights,
}

/// Squares of each terrain in the box, against the mean of 16: `n / 16 - 1`.
pub const COMMON: [f32; 8] = [0.625, 0.375, -0.125, 0.125, -0.375, -0.625, 0.0, 0.0];

impl Taste {
    /// Of these weights.
    pub fn new(weights: &Weights) -> Self {
        let w = weights;
        let stages = core::array::from_fn(|tiles| {
            let late = tiles as f32 / FULL as f32;
            let fade = |first: f32, last: f32| first + (last - first) * late;
            let byte = |x: f32| (x * 8.0).round().clamp(-120.0, 120.0) as i8;
            let touch = fade(w.touch, w.touch_late);
            let block = byte(fade(w.block, w.block_late));
            Stage {
                hole: byte(fade(w.hole, w.hole_late)),
                narrow: byte(fade(w.narrow, w.narrow_late)),
                grow: byte(w.grow),
                touch: core::array::from_fn(|terrain| byte(touch + w.touch_common * COMMON[terrain])),
                contact: byte(fade(w.contact, w.contact_late)),
                block,
                castle: byte(fade(w.castle, w.castle_late)),
                join: (fade(w.join, w.join_late) * UNIT).round() as i32,
                keep: (fade(w.keep, w.keep_late) * 256.0).round() as i32,
                reach: (fade(w.reach, w.reach_late) * 256.0).round() as i32,
            }
        });
        Self {
            stages,
            noise: (w.noise * UNIT).round() as i32,
            weights: weights.clone(),
        }
    }
}

/// The worth of every placement of one tile by [`Put::index`], in units, without noise; a constant of all is left out.
/// Of illegal ones it says nothing, and of rotations without a placement in `puts` 0. `next` is the tile that the same
/// seat places after this one, if it is known.
#[inline(always)]
pub fn table<L: Level>(
    kingdom: &Kingdom,
    sight: &Sight,
    (tile, puts, next): (Tile, &Puts, Tile),
    taste: &Taste,
    learned: &Learned,
) -> [i16; 256] {
    let w = &taste.stages[(kingdom.squares() as usize / 2).min(FULL)];
    let open = kingdom.open();
    let halves = [tile.first(), tile.second()];
    let same = halves[0].terrain == halves[1].terrain;
    let (mut bytes, mut words) = ([shape::<L>(kingdom, open, w); 2], [[0; 64]; 2]);
    if next != Tile::NONE {
        for wanted in [next.first(), next.second()] {
            keep::<L>(sight, wanted, halves, open, w, &mut bytes);
        }
    }
    for half in 0..2 {
        let (bytes, words, terrain) = (&mut bytes[half], &mut words[half], halves[half].terrain.min(5));
        let (own, touch) = (kingdom.terrain[terrain as usize], w.touch[terrain as usize]);
        touching::<L>(bytes, own, open, touch);
        let mut edge = 0;
        for other in 0..6 {
            let zones = sight.zones(other);
            edge |= if other == terrain { 0 } else { zones.edge() };
        }
        add_bytes::<L>(bytes, edge & open, -w.block);
        let (zones, crowns) = (sight.zones(terrain), halves[half].crowns.into());
        reach::<L>(zones, crowns, open, w, bytes);
        if !same {
            gains::<L>(zones, (1, crowns), w.join, 0, open, words);
        }
        let learned = &learned[kind(terrain as usize, crowns > 0)];
        for i in 0..64 {
            words[i] = words[i]
                .wrapping_add(i16::from(bytes[i]) * 4)
                .wrapping_add(learned[i]);
        }
    }
    // The second half's numbers twice in a row, to be read at any turn.
    let mut second = [0; 128];
    second[..64].copy_from_slice(&words[1]);
    second[64..].copy_from_slice(&words[1]);
    let mut table = [0; 256];
    for rotation in 0..4 {
        if puts[rotation] == 0 {
            continue;
        }
        let (mut first, step) = (words[0], Put::step(rotation));
        if same {
            // Halves of one terrain win together.
            let (zones, crowns) = (
                sight.zones(halves[0].terrain),
                halves[0].crowns + halves[1].crowns,
            );
            gains::<L>(zones, (2, crowns.into()), w.join, step, open, &mut first);
        }
        let (row, second) = (
            &mut table[64 * rotation..][..64],
            &second[step as usize & 63..][..64],
        );
        for i in 0..64 {
            row[i] = first[i].wrapping_add(second[i]);
        }
    }
    table
}

/// The best of some placements by a [`table`], a little noise added; of equals the last.
#[inline(always)]
pub fn best(table: &[i16; 256], puts: &Puts, taste: &Taste, rng: &mut Rng) -> Option<Put> {
    let (mut best, mut chance) = (i32::MIN, rng.next_u64());
    for (rotation, &set) in puts.iter().enumerate() {
        for cell in Bits(set) {
            let put = Put::new(cell, rotation).index();
            // Upper bits of products with an odd number are chance enough.
            chance = chance.wrapping_mul(0xD134_2543_DE82_EF95);
            let noise = ((chance >> 48) as i32 * taste.noise) >> 16;
            // The worth above, the placement below.
            best = best.max(((i32::from(table[put]) + noise) << 8) + put as i32);
        }
    }
    (best > i32::MIN).then(|| Put::from_index(best as usize & 255))
}

/// How many of its four neighbours are in a set, for every square: counts of one or three, of two or more.
#[inline(always)]
const fn neighbours(set: u64) -> (u64, u64) {
    let (a, b) = (set.rotate_left(1), set.rotate_right(1));
    let (c, d) = (set.rotate_left(8), set.rotate_right(8));
    let (x, p, y, q) = (a ^ b, a & b, c ^ d, c & d);
    let (t, four) = (x & y, p & q);
    // Four counts as three.
    (x ^ y | four, p ^ q ^ t | four)
}

/// Adds `value` for each neighbour in `set` to the open squares.
#[inline(always)]
fn touching<L: Level>(bytes: &mut Bytes, set: u64, open: u64, value: i8) {
    let (odd, two) = neighbours(set);
    add_bytes::<L>(bytes, odd & open, value);
    add_bytes::<L>(bytes, two & open, value.saturating_mul(2));
}

/// What any half says: holes and narrow squares made, the box, what it touches.
#[inline(always)]
fn shape<L: Level>(kingdom: &Kingdom, open: u64, w: &Stage) -> Bytes {
    let mut bytes = [0; 64];
    let (odd, two) = neighbours(open);
    let (one, pair) = (open & odd & !two, open & two & !odd);
    // A square filled takes one neighbour from those around it: ends become holes, those with two become ends.
    // The other half is among them and will be filled: one less of its kind, which its own square says.
    let lost = w.narrow.saturating_sub(w.hole);
    add_bytes::<L>(&mut bytes, one, w.hole);
    add_bytes::<L>(&mut bytes, pair, w.narrow);
    touching::<L>(&mut bytes, one, open, lost);
    touching::<L>(&mut bytes, pair, open, -w.narrow);
    add_bytes::<L>(&mut bytes, open & !kingdom.inside(), -w.grow);
    touching::<L>(&mut bytes, kingdom.occupied, open, w.contact);
    add_bytes::<L>(&mut bytes, around(kingdom.castle()) & open, w.castle);
    bytes
}

/// What the next tile's half loses where another terrain takes a square that it may want.
#[inline(always)]
fn keep<L: Level>(
    sight: &Sight,
    wanted: Square,
    halves: [Square; 2],
    open: u64,
    w: &Stage,
    bytes: &mut [Bytes; 2],
) {
    let zones = sight.zones(wanted.terrain);
    for i in 0..zones.count() {
        let (near, s, k) = zones.zone(i);
        let (near, points) = (near & open, s * i32::from(wanted.crowns) + k);
        if near == 0 || points == 0 {
            continue;
        }
        let lost = ((w.keep * points / near.count_ones() as i32) >> 5).min(120) as i8;
        for half in 0..2 {
            if halves[half].terrain != wanted.terrain {
                add_bytes::<L>(&mut bytes[half], near, -lost);
            }
        }
    }
}

/// Points won by joining zones with some squares more that carry some crowns, beyond those of the squares alone;
/// the squares are one and the one a `step` further.
#[inline(always)]
fn gains<L: Level>(
    zones: &Zones,
    (squares, crowns): (i32, i32),
    join: i32,
    step: u32,
    open: u64,
    words: &mut Words,
) {
    for i in 0..zones.count() {
        let (near, s, k) = zones.zone(i);
        let near = (near | near.rotate_right(step)) & open;
        if near == 0 {
            continue;
        }
        let points = s * crowns + squares * k;
        add_words::<L>(words, near, (32 * points + join * s) as i16);
        for j in 0..i {
            let (other, t, l) = zones.zone(j);
            let meet = near & (other | other.rotate_right(step));
            if meet != 0 {
                add_words::<L>(words, meet, (32 * (s * l + t * k)) as i16);
            }
        }
    }
}

/// Eighths of a point for `x` crowns times empty squares.
#[inline(always)]
fn eighths(w: &Stage, x: i32) -> i8 {
    ((w.reach * x) >> 5).clamp(-120, 120) as i8
}

/// What a zone may still become: its crowns times its empty neighbours, at most four, beyond what it had.
#[inline(always)]
fn reach<L: Level>(zones: &Zones, crowns: i32, open: u64, w: &Stage, bytes: &mut Bytes) {
    for i in 0..zones.count() {
        let (near, _, k) = zones.zone(i);
        let near = near & open;
        let sum = k + crowns;
        if near == 0 || sum == 0 {
            continue;
        }
        // Filled are the square itself and its other half; new are those around it.
        let free = near.count_ones() as i32;
        let (less, then, more) = ((free - 2).clamp(0, 4), (free - 1).clamp(0, 4), free.min(4));
        add_bytes::<L>(bytes, near, eighths(w, sum * less - k * more));
        if free < 6 {
            let (odd, two) = neighbours(open & !near);
            add_bytes::<L>(bytes, near & (odd | two), eighths(w, sum * (then - less)));
            add_bytes::<L>(bytes, near & two, eighths(w, sum * (more - then)));
        }
    }
}
