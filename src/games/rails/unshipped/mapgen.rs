//! The contest's map generator: the same maps from the same seeds.
//!
//! Steps and draws in the order of the rules' section 15: size, mountains, rivers, regions, towns,
//! wishes, places of interest. There is no symmetry.

use super::stream::Stream;
use crate::games::rails::map::{Map, Rules};

impl Rules {
    /// Regions are inked at this instability; those with a town cannot be disrupted.
    pub const fn inking(ink_threshold: u8) -> Self {
        Self {
            ink_threshold,
            town_regions_disruptable: false,
        }
    }
}

type Xy = (i32, i32);

const AROUND: [Xy; 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

fn round(x: f32) -> i32 {
    (x + 0.5).floor() as i32
}

fn distance(a: Xy, b: Xy) -> i32 {
    (a.0 - b.0).abs() + (a.1 - b.1).abs()
}

/// `set` in the order the referee's hash set lists it; `set` comes in order of insertion.
fn hash_order(set: &[Xy]) -> Vec<Xy> {
    let mut buckets = 16;
    while set.len() * 4 > buckets * 3 {
        buckets *= 2;
    }
    let slot = |&(x, y): &Xy| {
        let h = 31 * (31 + x) + y;
        ((h ^ (h >> 16)) as usize) & (buckets - 1)
    };
    let mut list = set.to_vec();
    list.sort_by_key(slot);
    list
}

/// Candidates of a growth step, each with its direction.
type Options = Vec<(usize, Xy)>;

struct Branch {
    history: Vec<Xy>,
    preferred: Option<usize>,
}

struct Ground {
    w: i32,
    h: i32,
    kind: Vec<u8>,
    stream: Stream,
}

impl Ground {
    fn inside(&self, (x, y): Xy) -> bool {
        x >= 0 && y >= 0 && x < self.w && y < self.h
    }

    fn border(&self, (x, y): Xy) -> bool {
        x == 0 || y == 0 || x == self.w - 1 || y == self.h - 1
    }

    fn at(&self, (x, y): Xy) -> u8 {
        self.kind[(y * self.w + x) as usize]
    }

    fn put(&mut self, (x, y): Xy, kind: u8) {
        self.kind[(y * self.w + x) as usize] = kind;
    }

    fn neighbours(&self, (x, y): Xy) -> impl Iterator<Item = Xy> + '_ {
        AROUND
            .iter()
            .map(move |&(dx, dy)| (x + dx, y + dy))
            .filter(|&c| self.inside(c))
    }

    fn all(&self) -> Vec<Xy> {
        (0..self.h)
            .flat_map(|y| (0..self.w).map(move |x| (x, y)))
            .collect()
    }

    /// Distinct neighbours of `cells` that satisfy `wanted`, in order of insertion.
    fn rim(&self, cells: &[Xy], wanted: impl Fn(Xy) -> bool) -> Vec<Xy> {
        let mut set = Vec::new();
        for &cell in cells {
            for n in self.neighbours(cell) {
                if wanted(n) && !set.contains(&n) {
                    set.push(n);
                }
            }
        }
        set
    }

    fn pick(&mut self, set: &[Xy]) -> Xy {
        hash_order(set)[self.stream.below(set.len())]
    }

    fn mountains(&mut self, border: &mut Vec<Xy>, mut cells: Vec<Xy>) {
        let count = round(self.stream.float() * ((self.w * self.h) as f32 * 0.04)).max(2);
        for _ in 0..count {
            let size = self.stream.range(2, 8);
            if cells.is_empty() {
                return;
            }
            let base = cells[0];
            let mut blob = vec![base];
            self.put(base, 2);
            for _ in 0..size {
                let rim = self.rim(&blob, |c| self.at(c) == 0);
                if rim.is_empty() {
                    break;
                }
                let next = self.pick(&rim);
                self.put(next, 2);
                blob.push(next);
            }
            border.retain(|c| !blob.contains(c));
            cells.retain(|c| !blob.contains(c));
        }
    }

    fn water_near(&self, (x, y): Xy, except: &[Xy]) -> bool {
        (-1..=1).any(|dy| {
            (-1..=1).any(|dx| {
                let c = (x + dx, y + dy);
                (dx, dy) != (0, 0) && self.inside(c) && self.at(c) == 1 && !except.contains(&c)
            })
        })
    }

    fn rivers(&mut self, border: &[Xy]) {
        let mut budget = round((self.w * self.h) as f32 * 0.07);
        let middle = if self.stream.coin() {
            (self.w / 2, self.h / 2)
        } else {
            (self.w / 2, self.h / 2 + 1)
        };
        let mut first = true;
        let mut finished: Vec<Branch> = Vec::new();
        for &source in [middle].iter().chain(border) {
            if budget <= 0 {
                break;
            }
            if self.water_near(source, &[]) {
                continue;
            }
            let preferred = match source {
                (0, _) => Some(1),
                (_, 0) => Some(2),
                (x, _) if x == self.w - 1 => Some(3),
                (_, y) if y == self.h - 1 => Some(0),
                _ => None,
            };
            self.put(source, 1);
            budget -= 1;
            let mut queue = std::collections::VecDeque::from([Branch {
                history: vec![source],
                preferred,
            }]);
            while let Some(branch) = queue.pop_front() {
                let Some((split, mut options, picked)) = self.grow(&branch, budget, &mut first) else {
                    finished.push(branch);
                    continue;
                };
                let (direction, next) = options.remove(picked);
                self.put(next, 1);
                budget -= 1;
                let extend = |cell: Xy, preferred| {
                    let mut history = branch.history.clone();
                    history.push(cell);
                    Branch { history, preferred }
                };
                queue.push_back(extend(
                    next,
                    if split { Some(direction) } else { branch.preferred },
                ));
                if split {
                    self.stream.shuffle(&mut options);
                    if let Some(&(direction, cell)) = options.first() {
                        self.put(cell, 1);
                        budget -= 1;
                        queue.push_back(extend(cell, Some(direction)));
                    }
                }
            }
        }
        for branch in finished.iter().filter(|b| b.history.len() < 3) {
            for &cell in &branch.history {
                self.put(cell, 0);
            }
        }
    }

    /// One growth step: whether it splits, the candidates with their directions, and which one is next.
    fn grow(&mut self, branch: &Branch, budget: i32, first: &mut bool) -> Option<(bool, Options, usize)> {
        let history = &branch.history;
        let head = history[history.len() - 1];
        if history.len() > 1 && self.border(head) {
            return None;
        }
        let recent = &history[history.len().saturating_sub(2)..];
        let options: Options = AROUND
            .iter()
            .enumerate()
            .map(|(d, &(dx, dy))| (d, (head.0 + dx, head.1 + dy)))
            .filter(|&(_, c)| {
                self.inside(c)
                    && self.at(c) == 0
                    && !self.water_near(c, recent)
                    && (history.len() > 1 || !self.border(c))
            })
            .collect();
        if options.is_empty() {
            return None;
        }
        let drawn = budget > 0 && options.len() >= 2 && self.stream.float() <= 0.055;
        let forced = core::mem::take(first);
        let split = drawn || forced;
        let weight = |d: usize| match branch.preferred {
            Some(p) if p == d => 1.75f32,
            Some(p) if (p + 2) % 4 == d => 0.25,
            _ => 1.0,
        };
        let total: f32 = options.iter().map(|o| weight(o.0)).sum();
        let x = self.stream.float() * total;
        let mut sum = 0.0;
        let picked = options
            .iter()
            .position(|o| {
                sum += weight(o.0);
                x < sum
            })
            .unwrap_or(options.len() - 1);
        Some((split, options, picked))
    }

    /// Region of each cell by round-robin growth, and the cells of each in the order they joined.
    fn regions(&mut self) -> (Vec<usize>, Vec<Vec<Xy>>) {
        let count = (self.w * self.h / (self.h / 2)) as usize;
        let cols = (count as f64).sqrt().ceil() as usize;
        let rows = count.div_ceil(cols);
        let mut owner = vec![usize::MAX; (self.w * self.h) as usize];
        let mut members: Vec<Vec<Xy>> = Vec::new();
        for i in 0..count {
            let (row, col) = (i / cols, i % cols);
            let full = if row == rows - 1 && count % cols != 0 {
                count % cols
            } else {
                cols
            };
            let x = ((col as f64 + 0.5) * (f64::from(self.w) / full as f64)) as i32;
            let y = ((row as f64 + 0.5) * (f64::from(self.h) / rows as f64)) as i32;
            owner[(y * self.w + x) as usize] = i;
            members.push(vec![(x, y)]);
        }
        let mut blocked = vec![false; count];
        while blocked.contains(&false) {
            for i in 0..count {
                if blocked[i] {
                    continue;
                }
                let rim = self.rim(&members[i], |(x, y)| {
                    owner[(y * self.w + x) as usize] == usize::MAX
                });
                if rim.is_empty() {
                    blocked[i] = true;
                    continue;
                }
                let (x, y) = self.pick(&rim);
                owner[(y * self.w + x) as usize] = i;
                members[i].push((x, y));
            }
        }
        (owner, members)
    }

    fn towns(&mut self, owner: &[usize], members: &[Vec<Xy>]) -> Vec<Xy> {
        let count = members.len();
        let mut near = vec![Vec::new(); count];
        for cell in self.all() {
            let own = owner[(cell.1 * self.w + cell.0) as usize];
            for (x, y) in self.neighbours(cell) {
                let other = owner[(y * self.w + x) as usize];
                if other != own && own < count && other < count {
                    near[own].push(other);
                }
            }
        }
        let wanted = (self.w * self.h / 50).max(4) as usize;
        let step = (50 / (self.h / 2)).max(1) as usize;
        let mut banned = vec![false; count];
        let mut towns: Vec<Xy> = Vec::new();
        let mut repeats = 100;
        let mut i = 0;
        while i < wanted {
            let region = self.stream.range(i * step, (i + 1) * step) % count;
            let mut site = None;
            if !banned[region] {
                let mut cells = members[region].clone();
                self.stream.shuffle(&mut cells);
                site = cells.into_iter().find(|&c| {
                    self.at(c) == 0 && !self.border(c) && towns.iter().all(|&t| distance(c, t) >= 4)
                });
            }
            if let Some(site) = site {
                towns.push(site);
                banned[region] = true;
                for &n in &near[region] {
                    banned[n] = true;
                }
            } else if repeats > 0 {
                repeats -= 1;
                continue;
            }
            i += 1;
        }
        let mut spare: Vec<usize> = (0..count).filter(|&r| !banned[r]).collect();
        self.stream.shuffle(&mut spare);
        for region in spare.into_iter().take(wanted - towns.len()) {
            if banned[region] {
                continue;
            }
            let mut cells = members[region].clone();
            self.stream.shuffle(&mut cells);
            if let Some(site) = cells
                .into_iter()
                .find(|&c| towns.iter().all(|&t| distance(c, t) >= 4))
            {
                towns.push(site);
                for &n in &near[region] {
                    banned[n] = true;
                }
            }
        }
        for &town in &towns {
            self.put(town, 0);
        }
        towns
    }

    fn wishes(&mut self, towns: usize) -> Vec<Vec<u8>> {
        let low = 3.min(towns.saturating_sub(1));
        let high = low.max(towns.saturating_sub(5));
        let mut lists: Vec<Vec<u8>> = (0..towns)
            .map(|id| {
                let mut others: Vec<u8> = (0..towns as u8).filter(|&o| usize::from(o) != id).collect();
                self.stream.shuffle(&mut others);
                others.truncate(self.stream.range(low, high + 1));
                others.sort_unstable();
                others
            })
            .collect();
        for a in 0..towns {
            let kept = lists[a]
                .iter()
                .copied()
                .filter(|&b| !lists[usize::from(b)].contains(&(a as u8)))
                .collect();
            lists[a] = kept;
        }
        lists
    }

    fn pois(&mut self, towns: &[Xy]) {
        let count = 2 + self.stream.below(3);
        let mut sites: Vec<Xy> = self
            .all()
            .into_iter()
            .filter(|&c| {
                let edge = c.0 < 3 || c.1 < 3 || c.0 > self.w - 4 || c.1 > self.h - 4;
                edge && self.at(c) != 1 && towns.iter().all(|&t| distance(c, t) >= 4)
            })
            .collect();
        self.stream.shuffle(&mut sites);
        for site in sites.into_iter().take(count) {
            self.put(site, 3);
        }
    }
}

/// The map of `seed`, with places of interest if `poi`.
pub fn generate(seed: i64, poi: bool, rules: Rules) -> Map {
    let mut stream = Stream::new(seed);
    let h = stream.range(14, 21) as i32;
    let w = (3 * h + 1) / 2;
    let mut ground = Ground {
        w,
        h,
        kind: vec![0; (w * h) as usize],
        stream,
    };
    let mut cells = ground.all();
    let corner = |(x, y): Xy| (x == 0 || x == w - 1) && (y == 0 || y == h - 1);
    let mut border: Vec<Xy> = cells
        .iter()
        .copied()
        .filter(|&c| ground.border(c) && !corner(c))
        .collect();
    ground.stream.shuffle(&mut border);
    ground.stream.shuffle(&mut cells);
    ground.mountains(&mut border, cells);
    ground.rivers(&border);
    let (owner, members) = ground.regions();
    let towns = ground.towns(&owner, &members);
    let wishes = ground.wishes(towns.len());
    if poi {
        ground.pois(&towns);
    }
    let cells: Vec<(u8, u8)> = owner
        .iter()
        .zip(&ground.kind)
        .map(|(&r, &k)| (r as u8, k))
        .collect();
    let towns: Vec<(usize, usize, Vec<u8>)> = towns
        .iter()
        .zip(wishes)
        .map(|(&(x, y), list)| (x as usize, y as usize, list))
        .collect();
    Map::new((w as usize, h as usize), &cells, &towns, rules)
}
