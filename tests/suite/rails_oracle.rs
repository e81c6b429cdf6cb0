//! Rails once more, slow and plain: arrays of cells, text in, text out, straight from the rules. Shares no
//! code with the simulator it checks.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub type Xy = (usize, usize);

/// One game.
pub struct Oracle {
    pub w: usize,
    pub h: usize,
    pub region: Vec<Vec<usize>>,
    pub kind: Vec<Vec<u8>>,
    pub towns: Vec<Xy>,
    pub wishes: Vec<Vec<usize>>,
    pub threshold: u32,
    pub towns_disruptable: bool,
    pub owner: Vec<Vec<i32>>,
    pub instability: Vec<u32>,
    pub inked: Vec<bool>,
    pub score: [i64; 2],
    pub dead: [bool; 2],
    pub quest: [bool; 2],
    pub turn: u32,
    pub paths: BTreeMap<(usize, usize), Vec<Xy>>,
}

enum Act {
    Place(usize, usize),
    Auto([usize; 4]),
    Region(usize),
    Spot(usize, usize),
    Idle,
}

fn int(text: &str) -> Option<usize> {
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let mut value: u128 = 0;
    for c in text.chars() {
        value = (value * 10 + u128::from(c as u32 - 48)).min(1 << 100);
    }
    (value <= 2147483647).then_some(value as usize)
}

fn act(part: &str) -> Option<Act> {
    let words: Vec<&str> = part.split(' ').collect();
    let ints: Option<Vec<usize>> = words[1..].iter().map(|t| int(t)).collect();
    let upper = words[0].to_ascii_uppercase();
    if upper == "MESSAGE" && words.len() > 1 {
        return Some(Act::Idle);
    }
    let ints = ints?;
    match (upper.as_str(), ints.len()) {
        ("WAIT", 0) => Some(Act::Idle),
        ("PLACE_TRACKS", 2) => Some(Act::Place(ints[0], ints[1])),
        ("AUTOPLACE", 4) => Some(Act::Auto([ints[0], ints[1], ints[2], ints[3]])),
        ("DISRUPT", 1) => Some(Act::Region(ints[0])),
        ("DISRUPT", 2) => Some(Act::Spot(ints[0], ints[1])),
        _ => None,
    }
}

impl Oracle {
    pub fn new(init: &[String], threshold: u32, towns_disruptable: bool) -> Self {
        let w: usize = init[1].parse().unwrap();
        let h: usize = init[2].parse().unwrap();
        let mut region = vec![vec![0; w]; h];
        let mut kind = vec![vec![0; w]; h];
        for y in 0..h {
            for x in 0..w {
                let (r, k) = init[3 + y * w + x].split_once(' ').unwrap();
                region[y][x] = r.parse().unwrap();
                kind[y][x] = k.parse().unwrap();
            }
        }
        let n: usize = init[3 + w * h].parse().unwrap();
        let mut towns = Vec::new();
        let mut wishes = Vec::new();
        for line in &init[4 + w * h..4 + w * h + n] {
            let words: Vec<&str> = line.split(' ').collect();
            towns.push((words[1].parse().unwrap(), words[2].parse().unwrap()));
            wishes.push(if words[3] == "x" {
                Vec::new()
            } else {
                words[3].split(',').map(|t| t.parse().unwrap()).collect()
            });
        }
        let regions = region.iter().flatten().max().unwrap() + 1;
        Self {
            w,
            h,
            region,
            kind,
            towns,
            wishes,
            threshold,
            towns_disruptable,
            owner: vec![vec![-1; w]; h],
            instability: vec![0; regions],
            inked: vec![false; regions],
            score: [0; 2],
            dead: [false; 2],
            quest: [false; 2],
            turn: 0,
            paths: BTreeMap::new(),
        }
    }

    fn near(&self, (x, y): Xy) -> Vec<Xy> {
        let mut list = Vec::new();
        for (dx, dy) in [(0i32, -1i32), (1, 0), (0, 1), (-1, 0)] {
            let (nx, ny) = (x as i32 + dx, y as i32 + dy);
            if nx >= 0 && ny >= 0 && nx < self.w as i32 && ny < self.h as i32 {
                list.push((nx as usize, ny as usize));
            }
        }
        list
    }

    fn is_town(&self, c: Xy) -> bool {
        self.towns.contains(&c)
    }

    fn rail(&self, c: Xy) -> bool {
        self.is_town(c) || self.owner[c.1][c.0] >= 0
    }

    fn washed(&self, c: Xy) -> bool {
        self.inked[self.region[c.1][c.0]]
    }

    fn price(&self, c: Xy) -> u32 {
        [1, 2, 3, 3][usize::from(self.kind[c.1][c.0])]
    }

    fn has_town(&self, region: usize) -> bool {
        self.towns.iter().any(|&(x, y)| self.region[y][x] == region)
    }

    /// Distances from `from` over the cells `free` admits (`from` itself is not asked).
    fn distances(&self, from: Xy, free: impl Fn(Xy) -> bool) -> BTreeMap<Xy, usize> {
        let mut seen = BTreeMap::from([(from, 0)]);
        let mut queue = VecDeque::from([from]);
        while let Some(c) = queue.pop_front() {
            let d = seen[&c];
            for n in self.near(c) {
                if free(n) && !seen.contains_key(&n) {
                    seen.insert(n, d + 1);
                    queue.push_back(n);
                }
            }
        }
        seen
    }

    fn ring(&self, from: Xy) -> Vec<Xy> {
        let mut marked = BTreeSet::from([from]);
        let mut queue = VecDeque::from([from]);
        let mut found = Vec::new();
        while let Some(c) = queue.pop_front() {
            if !self.rail(c) {
                found.push(c);
                continue;
            }
            for n in self.near(c) {
                if marked.insert(n) {
                    queue.push_back(n);
                }
            }
        }
        found
    }

    fn autoplace(&self, from: Xy, to: Xy) -> Vec<Xy> {
        type Key = (Xy, bool);
        struct Item(u32, u32, Key, BTreeSet<Xy>);
        let before = |a: &Item, b: &Item| (a.0, a.1) > (b.0, b.1);
        let target = if self.rail(to) {
            self.distances(to, |c| self.rail(c))
        } else {
            BTreeMap::new()
        };
        let start: Key = (from, self.rail(from));
        let mut best: BTreeMap<Key, u32> = BTreeMap::from([(start, 0)]);
        let mut parent: BTreeMap<Key, Key> = BTreeMap::new();
        let mut heap = vec![Item(0, 0, start, BTreeSet::new())];
        while !heap.is_empty() {
            let last = heap.len() - 1;
            heap.swap(0, last);
            let Item(_, _, key, plan) = heap.pop().unwrap();
            let mut i = 0;
            while 2 * i + 1 < heap.len() {
                let mut child = 2 * i + 1;
                if child + 1 < heap.len() && before(&heap[child], &heap[child + 1]) {
                    child += 1;
                }
                if !before(&heap[i], &heap[child]) {
                    break;
                }
                heap.swap(i, child);
                i = child;
            }
            let c = key.0;
            if c == to || (self.rail(c) && target.contains_key(&c)) {
                let mut list = Vec::new();
                let mut k = key;
                loop {
                    if k.1 && !self.rail(k.0) {
                        list.insert(0, k.0);
                    }
                    match parent.get(&k) {
                        Some(&p) => k = p,
                        None => return list,
                    }
                }
            }
            let scope = if plan.contains(&c) {
                self.near(c)
            } else if self.rail(c) {
                self.ring(c)
            } else {
                vec![c]
            };
            for n in scope {
                if (self.washed(n) && !self.is_town(n)) || plan.contains(&n) {
                    continue;
                }
                let mut plan = plan.clone();
                let mut cost = best[&key];
                if !self.rail(n) {
                    cost += self.price(n);
                    plan.insert(n);
                }
                let next = (n, true);
                if best.get(&next).is_none_or(|&old| cost < old) {
                    best.insert(next, cost);
                    parent.insert(next, key);
                    let (dx, dy) = (n.0 as i32 - c.0 as i32, n.1 as i32 - c.1 as i32);
                    let tie = match (dx, dy) {
                        (0, -1) => 0,
                        (1, 0) => 1,
                        (0, 1) => 2,
                        (-1, 0) => 3,
                        _ => 4,
                    };
                    heap.push(Item(cost, tie, next, plan));
                    let mut i = heap.len() - 1;
                    while i > 0 && before(&heap[(i - 1) / 2], &heap[i]) {
                        heap.swap(i, (i - 1) / 2);
                        i = (i - 1) / 2;
                    }
                }
            }
        }
        Vec::new()
    }

    /// Plays one turn; the messages of both players.
    pub fn step(&mut self, lines: [&str; 2]) -> [Vec<String>; 2] {
        let mut messages = [Vec::new(), Vec::new()];
        let mut claims: [Vec<Xy>; 2] = [Vec::new(), Vec::new()];
        let mut hits: Vec<usize> = Vec::new();
        for p in 0..2 {
            let out = &mut messages[p];
            let line = lines[p].trim_matches(|c: char| c <= '\u{20}');
            let mut parts: Vec<&str> = line.split(';').collect();
            while parts.len() > 1 && parts.last() == Some(&"") {
                parts.pop();
            }
            if line.contains(';') && parts == [""] {
                parts.clear();
            }
            let mut acts = Vec::new();
            for part in parts {
                let part = part.trim_matches(|c: char| c <= '\u{20}');
                let Some(a) = act(part) else {
                    self.dead[p] = true;
                    let expected = if part.starts_with("AUTOPLACE") {
                        "AUTOPLACE x1 y1 x2 y2"
                    } else if part.starts_with("PLACE_TRACK") {
                        "PLACE_TRACK x y"
                    } else if part.starts_with("DISRUPT") {
                        "DISRUPT zoneId"
                    } else if part.starts_with("MESSAGE") {
                        "MESSAGE text"
                    } else if part.starts_with("WAIT") {
                        "WAIT"
                    } else {
                        "AUTOPLACE | PLACE_TRACK | DISRUPT | MESSAGE | WAIT"
                    };
                    out.push(format!("Invalid Input: Expected {expected} but got '{part}'"));
                    break;
                };
                acts.push(a);
            }
            let mut autos = 0;
            let mut list: Vec<(Xy, bool)> = Vec::new();
            for a in &acts {
                match a {
                    Act::Place(x, y) => list.push(((*x, *y), false)),
                    Act::Auto(v) => {
                        autos += 1;
                        if autos > 1 {
                            out.push("Only one autobuild action allowed per turn.".to_string());
                        } else if v[0] < self.w && v[2] < self.w && v[1] < self.h && v[3] < self.h {
                            for c in self.autoplace((v[0], v[1]), (v[2], v[3])) {
                                list.push((c, true));
                            }
                        }
                    }
                    _ => {}
                }
            }
            let mut paint = 3;
            let mut stopped = false;
            for ((x, y), generated) in list {
                if generated && stopped {
                    continue;
                }
                if x >= self.w || y >= self.h {
                    out.push(format!("Not part of grid: ({x}, {y})"));
                } else if self.is_town((x, y)) {
                    out.push(format!("Cannot place tracks on a town at ({x}, {y})"));
                } else if self.washed((x, y)) {
                    out.push(format!("Cannot build in region {}", self.region[y][x]));
                } else if self.owner[y][x] >= 0 || claims[p].contains(&(x, y)) {
                    out.push(format!("Cannot place tracks on existing tracks at ({x}, {y})"));
                } else if self.price((x, y)) > paint {
                    if generated {
                        stopped = true;
                        out.push(format!(
                            "Autobuild interrupted: not enough track points to build a track at ({x}, {y})."
                        ));
                    } else {
                        out.push(format!("Not enough track points to build a track at ({x}, {y})."));
                    }
                } else {
                    paint -= self.price((x, y));
                    claims[p].push((x, y));
                }
            }
            self.disrupt(&acts, out, &mut hits);
        }
        self.settle(&claims, &hits);
        messages
    }

    /// What one player's disruptions hit.
    fn disrupt(&self, acts: &[Act], out: &mut Vec<String>, hits: &mut Vec<usize>) {
        let mut points = 1;
        for a in acts {
            let region = match a {
                Act::Region(r) => *r,
                Act::Spot(x, y) if *x < self.w && *y < self.h => self.region[*y][*x],
                Act::Spot(x, y) => {
                    out.push(format!("Not part of grid: ({x}, {y})"));
                    continue;
                }
                _ => continue,
            };
            if points == 0 {
                out.push("Not enough disruption points.".to_string());
            } else if region >= self.inked.len() {
                out.push(format!("Invalid region id: {region}"));
            } else if self.inked[region] {
                out.push(format!("Cannot disrupt region{region}. Already inked out."));
            } else if !self.towns_disruptable && self.has_town(region) {
                out.push(format!("Cannot disrupt region{region}. It contains a town."));
            } else {
                points -= 1;
                hits.push(region);
            }
        }
    }

    /// The end of a turn: tracks, then disruptions, then connections.
    fn settle(&mut self, claims: &[Vec<Xy>; 2], hits: &[usize]) {
        for y in 0..self.h {
            for x in 0..self.w {
                let both = [claims[0].contains(&(x, y)), claims[1].contains(&(x, y))];
                match both {
                    [true, true] => self.owner[y][x] = 2,
                    [true, false] => self.owner[y][x] = 0,
                    [false, true] => self.owner[y][x] = 1,
                    [false, false] => {}
                }
            }
        }
        for &r in hits {
            self.instability[r] += 1;
        }
        for r in 0..self.inked.len() {
            self.inked[r] |= self.instability[r] >= self.threshold;
        }
        for y in 0..self.h {
            for x in 0..self.w {
                if self.washed((x, y)) {
                    self.owner[y][x] = -1;
                }
            }
        }
        self.connect();
        self.turn += 1;
        for p in 0..2 {
            self.quest[p] |= self.has_quest(p as i32);
        }
    }

    fn connect(&mut self) {
        self.paths.clear();
        for a in 0..self.towns.len() {
            for &b in &self.wishes[a].clone() {
                let from_b = self.distances(self.towns[b], |c| self.rail(c));
                let mut c = self.towns[a];
                let Some(&total) = from_b.get(&c) else { continue };
                let mut path = vec![c];
                for left in (0..total).rev() {
                    c = *self
                        .near(c)
                        .iter()
                        .find(|n| from_b.get(n) == Some(&left))
                        .expect("one step closer");
                    path.push(c);
                }
                for &(x, y) in &path {
                    if self.owner[y][x] == 0 || self.owner[y][x] == 1 {
                        self.score[self.owner[y][x] as usize] += 1;
                    }
                }
                self.paths.insert((a, b), path);
            }
        }
    }

    fn has_quest(&self, p: i32) -> bool {
        let mine = |c: Xy| self.owner[c.1][c.0] == p || self.owner[c.1][c.0] == 2;
        self.towns.iter().any(|&town| {
            self.distances(town, mine)
                .keys()
                .any(|&(x, y)| self.kind[y][x] == 3 && mine((x, y)))
        })
    }

    pub fn scores(&self) -> [i64; 2] {
        [0, 1].map(|p: usize| if self.dead[p] { -1 } else { self.score[p] })
    }

    pub fn end(&self) -> Option<&'static str> {
        if self.dead[0] || self.dead[1] {
            return Some("deactivated");
        }
        if self.turn == 100 {
            return Some("turn-limit");
        }
        let possible = (0..self.towns.len()).any(|a| {
            let reach = self.distances(self.towns[a], |c| !self.washed(c));
            self.wishes[a].iter().any(|&b| reach.contains_key(&self.towns[b]))
        });
        (self.turn > 0 && !possible).then_some("no-connection-possible")
    }

    pub fn lines(&self, p: usize) -> Vec<String> {
        let scores = self.scores();
        let mut lines = vec![scores[p].to_string(), scores[1 - p].to_string()];
        for y in 0..self.h {
            for x in 0..self.w {
                let mut through: Vec<String> = self
                    .paths
                    .iter()
                    .filter(|(_, path)| path.contains(&(x, y)))
                    .map(|((a, b), _)| format!("{a}-{b}"))
                    .collect();
                through.sort();
                let r = self.region[y][x];
                let list = if through.is_empty() {
                    "x".to_string()
                } else {
                    through.join(",")
                };
                lines.push(format!(
                    "{} {} {} {list}",
                    self.owner[y][x],
                    self.instability[r],
                    u8::from(self.inked[r])
                ));
            }
        }
        lines
    }
}
