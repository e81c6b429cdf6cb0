//! The sparring partner: a beam over whole turns on a map of cell values, after a public design.
//!
//! Another way of playing than our bot's: cells are rated by the cheapest route of the best wish they lie
//! on, all affordable combinations of the 24 best are tried with 4 regions, and the other seat is thought
//! to take the best cells of the same map. It counts boards, not time, so it is the same everywhere.
//! Values are in points from the planning seat's side.

use fifty::games::rails::cells::{BITS, Cell, Cells};
use fifty::games::rails::map::Map;
use fifty::games::rails::routes::{Flood, classes};
use fifty::games::rails::state::{PAINT, Plan, State, TURNS};
use fifty::kit::bits::Bits;
use fifty::kit::cpu::{self, Kernel, Level};

/// Cells combined.
const POOL: usize = 24;
/// Regions tried with every combination.
const REGIONS: usize = 4;
/// Boards kept in a layer.
const WIDTH: usize = 48;
/// Turns looked ahead.
const DEPTH: usize = 4;
/// Turns the income at the end is counted on.
const HORIZON: f32 = 8.0;
/// Points that the value of a new cell is worth, at the most valuable.
const CELL: f32 = 3.0;
/// Cost of a rail and of paint 1, 2, 3 in floods for the cheapest route, and for the shortest.
const COSTS: [[usize; 4]; 2] = [[1, 4, 7, 10], [1, 1, 1, 1]];
/// Weight of a shorter route for a wish that is connected already.
const SHORTER: f32 = 0.55;

/// Value of every open cell, 0 to about 1, and the best ones first.
struct Ratings {
    value: [f32; BITS],
    best: Vec<Cell>,
}

/// The best wish's size less its route's paint, more in towns' regions, less where hits were taken; cells
/// beside a route get a part of it.
#[inline(always)]
fn rate(map: &Map, state: &State, flood: &mut Flood) -> Ratings {
    let class = classes(map, state);
    let free = state.buildable(map);
    let size = (map.width + map.height) as f32;
    let mut value = [0f32; BITS];
    let mut at = 0;
    while at < map.wishes.len() {
        let from = map.wishes[at].from;
        let wishes = at..at + map.wishes[at..].iter().take_while(|w| w.from == from).count();
        at = wishes.end;
        for (kind, cost) in COSTS.into_iter().enumerate() {
            let mut targets = Cells::EMPTY;
            for w in wishes
                .clone()
                .filter(|&w| (state.links[w].length > 0) == (kind == 1))
            {
                targets.insert(map.towns[usize::from(map.wishes[w].to)]);
            }
            if targets.is_empty() {
                continue;
            }
            flood.run(map.towns[usize::from(from)], &targets, &class, cost);
            for w in wishes.clone() {
                let live = state.links[w].length;
                let route = flood.route(map, state, w, &class, cost, 0);
                let Some(route) =
                    route.filter(|r| (live > 0) == (kind == 1) && (live == 0 || r.length < live))
                else {
                    continue;
                };
                let share = if kind == 1 { SHORTER } else { 1.0 };
                for cell in route.bare.iter() {
                    let old = &mut value[cell.index()];
                    *old = old.max(share * (size - f32::from(route.paint)).max(1.0));
                }
            }
        }
    }
    let routes = value;
    for cell in free.iter() {
        let i = cell.index();
        let beside = (0..4).map(|d| routes[cell.step(d).index()]).fold(0.0, f32::max);
        let region = map.region[i];
        let home = if map.town_regions >> region & 1 != 0 {
            size / 4.0
        } else {
            0.0
        };
        let calm = 5.0 - f32::from(state.instability[usize::from(region)]).min(4.0);
        value[i] = (routes[i].max(0.25 * beside) + home * f32::from(u8::from(routes[i] > 0.0))) * calm
            / (5.0 * size);
    }
    let mut best: Vec<Cell> = free.iter().filter(|c| value[c.index()] > 0.0).collect();
    best.sort_by(|a, b| value[b.index()].total_cmp(&value[a.index()]));
    best.truncate(POOL);
    Ratings { value, best }
}

/// What `seat` gets more than the other through each region.
#[inline(always)]
fn nets(map: &Map, state: &State, seat: usize) -> [f32; 64] {
    let mut nets = [0.0; 64];
    for link in &state.links[..map.wishes.len()] {
        let net = f32::from(link.pays[seat]) - f32::from(link.pays[1 - seat]);
        for region in Bits(link.regions).take(if link.length > 0 { 64 } else { 0 }) {
            nets[region as usize] += net;
        }
    }
    nets
}

/// Regions `seat` would hit, best first: where the other seat gets more, then where it has more tracks.
#[inline(always)]
fn targets(map: &Map, state: &State, seat: usize) -> Vec<u8> {
    let nets = nets(map, state, seat);
    let mut list: Vec<(f32, u8)> = (0..map.regions.len() as u8)
        .filter(|&r| state.disruptable(map, r))
        .map(|r| {
            let r8 = usize::from(r);
            let tracks = [0, 1].map(|s: usize| state.tracks[s].and(&map.regions[r8]).len() as f32);
            let hits = f32::from(1 + state.instability[r8]);
            let harm = 0.3 * (tracks[1 - seat] - tracks[seat]) - nets[r8];
            (if harm > 0.0 { harm * hits } else { harm }, r)
        })
        .collect();
    list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    list.into_iter().take(REGIONS).map(|(_, r)| r).collect()
}

/// Combinations of up to three cells within the paint that leave none of it for another cell of the
/// pool, those of most value first.
#[inline(always)]
fn combinations(map: &Map, ratings: &Ratings) -> Vec<[Cell; 3]> {
    let pool = &ratings.best;
    let price = |c: Cell| map.cost[c.index()];
    let mut sets: Vec<(f32, [Cell; 3])> = Vec::new();
    for (i, &a) in pool.iter().enumerate() {
        let value = |c: Cell| ratings.value[c.index()];
        sets.push((value(a), [a, Cell::NONE, Cell::NONE]));
        for (j, &b) in pool.iter().enumerate().skip(i + 1) {
            if price(a) + price(b) > PAINT {
                continue;
            }
            sets.push((value(a) + value(b), [a, b, Cell::NONE]));
            for &c in &pool[j + 1..] {
                if price(a) + price(b) + price(c) <= PAINT {
                    sets.push((value(a) + value(b) + value(c), [a, b, c]));
                }
            }
        }
    }
    sets.sort_by(|a, b| b.0.total_cmp(&a.0));
    sets.into_iter().map(|(_, set)| set).collect()
}

/// The other seat: the best cells it can pay, the best region.
#[inline(always)]
fn reply(map: &Map, state: &State, ratings: &Ratings, seat: usize) -> Plan {
    let mut plan = Plan::WAIT;
    let mut paint = PAINT;
    let mut used = 0;
    for &cell in &ratings.best {
        let price = map.cost[cell.index()];
        if price <= paint && used < 3 {
            plan.cells[used] = cell;
            used += 1;
            paint -= price;
        }
    }
    plan.region = targets(map, state, seat)
        .first()
        .copied()
        .unwrap_or(Plan::NO_REGION);
    plan
}

/// Points and income to the horizon; a hit counts for its share of what the region yields.
#[inline(always)]
fn worth(map: &Map, state: &State, me: usize) -> f32 {
    let diff = |pair: [u32; 2]| pair[me] as f32 - pair[1 - me] as f32;
    let threshold = f32::from(map.rules.ink_threshold);
    let mut hits = 0.0;
    for (region, net) in nets(map, state, me).into_iter().enumerate() {
        if state.inked >> region & 1 == 0 {
            hits += net * f32::from(state.instability[region]) / threshold;
        }
    }
    let left = if state.stuck {
        0.0
    } else {
        HORIZON.min(f32::from(TURNS - state.turn))
    };
    diff(state.scores) + left * (diff(state.income) - 0.5 * hits)
}

struct Board {
    state: State,
    first: Plan,
    /// Value of the cells built on the way.
    built: f32,
    total: f32,
}

struct Search<'a> {
    map: &'a Map,
    state: &'a State,
    me: usize,
    boards: usize,
}

impl Kernel for Search<'_> {
    type Out = Plan;

    #[inline(always)]
    fn run<L: Level>(self) -> Plan {
        let Self {
            map,
            state,
            me,
            boards,
        } = self;
        let mut flood = Flood::default();
        let start = Board {
            state: *state,
            first: Plan::WAIT,
            built: 0.0,
            total: 0.0,
        };
        let mut layer = vec![start];
        let mut best = Plan::WAIT;
        for depth in 0..DEPTH {
            let mut next: Vec<Board> = Vec::new();
            // Half of the work for the first turn, the rest in equal parts.
            let share = if depth == 0 {
                boards / 2
            } else {
                boards / 2 / ((DEPTH - 1) * WIDTH)
            };
            for board in layer.iter().filter(|b| !b.state.is_over()) {
                let ratings = rate(map, &board.state, &mut flood);
                let foe = reply(map, &board.state, &ratings, 1 - me);
                let mut regions = targets(map, &board.state, me);
                if regions.is_empty() {
                    regions.push(Plan::NO_REGION);
                }
                let mut sets = combinations(map, &ratings);
                if sets.is_empty() {
                    sets.push([Cell::NONE; 3]);
                }
                for cells in sets.into_iter().take(share / regions.len() + 1) {
                    let free = cells.iter().filter(|c| !foe.cells.contains(c));
                    let built = board.built + free.map(|c| ratings.value[c.index()]).sum::<f32>();
                    for &region in &regions {
                        let mine = Plan { cells, region };
                        let mut state = board.state;
                        state.play(map, &if me == 0 { [mine, foe] } else { [foe, mine] });
                        let first = if depth == 0 { mine } else { board.first };
                        let total = worth(map, &state, me) + CELL * built;
                        next.push(Board {
                            state,
                            first,
                            built,
                            total,
                        });
                    }
                }
            }
            next.sort_by(|a, b| b.total.total_cmp(&a.total));
            next.dedup_by_key(|b| b.state.mark());
            next.truncate(WIDTH);
            let Some(top) = next.first() else { break };
            best = top.first;
            layer = next;
        }
        best
    }
}

/// The partner's turn for seat `me`, trying about `boards` boards.
pub fn partner(map: &Map, state: &State, me: usize, boards: usize) -> Plan {
    cpu::run(Search {
        map,
        state,
        me,
        boards,
    })
}
