//! The slow oracle of the wondev simulator: plain arrays, one rule at a time, written from the rules text.
//! Shares nothing with the fast one.

/// A cell as (x, y).
pub type At = (i32, i32);

/// One action: verb, unit, names of two directions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Act {
    pub push: bool,
    pub unit: usize,
    pub first: &'static str,
    pub second: &'static str,
}

impl Act {
    pub fn text(&self) -> String {
        let verb = if self.push { "PUSH&BUILD" } else { "MOVE&BUILD" };
        format!("{verb} {} {} {}", self.unit, self.first, self.second)
    }
}

/// Clockwise from north; the offsets of each.
const COMPASS: [(&str, At); 8] = [
    ("N", (0, -1)),
    ("NE", (1, -1)),
    ("E", (1, 0)),
    ("SE", (1, 1)),
    ("S", (0, 1)),
    ("SW", (-1, 1)),
    ("W", (-1, 0)),
    ("NW", (-1, -1)),
];

fn offset(name: &str) -> At {
    COMPASS.iter().find(|(n, _)| *n == name).expect("a direction").1
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Oracle {
    pub league: u32,
    /// `turn` flow of league 0; else `round`.
    pub ends_at_once: bool,
    /// Rows of heights, `None` for holes.
    pub grid: Vec<Vec<Option<i32>>>,
    pub units: [Vec<At>; 2],
    pub points: [i32; 2],
    pub dead: [bool; 2],
    pub turn: usize,
    pub rounds: i32,
    pub over: bool,
}

impl Oracle {
    fn height(&self, at: At) -> Option<i32> {
        if at.0 < 0 || at.1 < 0 {
            return None;
        }
        *self.grid.get(at.1 as usize)?.get(at.0 as usize)?
    }

    fn taken(&self, at: At) -> bool {
        self.units.iter().flatten().any(|&u| u == at)
    }

    /// Whether `player` sees a unit on `at`: its own always, the enemy's next to an own unit.
    pub fn sees_unit(&self, player: usize, at: At) -> bool {
        if self.units[player].contains(&at) {
            return true;
        }
        self.units[1 - player].contains(&at)
            && (self.league < 3
                || self.units[player]
                    .iter()
                    .any(|u| (u.0 - at.0).abs().max((u.1 - at.1).abs()) <= 1))
    }

    pub fn legal(&self) -> Vec<Act> {
        let me = self.turn;
        let mut list = Vec::new();
        for unit in 0..self.units[me].len() {
            let from = self.units[me][unit];
            let own_height = self.height(from).unwrap();
            for (first, d1) in COMPASS {
                let target = (from.0 + d1.0, from.1 + d1.1);
                let Some(target_height) = self.height(target) else {
                    continue;
                };
                for (n, (second, d2)) in COMPASS.into_iter().enumerate() {
                    let last = (target.0 + d2.0, target.1 + d2.1);
                    let Some(last_height) = self.height(last) else {
                        continue;
                    };
                    if last_height >= 4 {
                        continue;
                    }
                    let act = |push| Act {
                        push,
                        unit,
                        first,
                        second,
                    };
                    if !self.taken(target) && target_height <= own_height + 1 && target_height < 4 {
                        let in_the_way = self.sees_unit(me, last) && last != from;
                        if !in_the_way {
                            list.push(act(false));
                        }
                    }
                    if self.league >= 2 && self.units[1 - me].contains(&target) {
                        let m = COMPASS.iter().position(|c| c.0 == first).unwrap();
                        let turn = (n + 8 - m) % 8;
                        let ahead = turn == 0 || turn == 1 || turn == 7;
                        if ahead && last_height <= target_height + 1 && !self.sees_unit(me, last) {
                            list.push(act(true));
                        }
                    }
                }
            }
        }
        list.sort_by_key(Act::text);
        list
    }

    /// Plays a legal action, or dies without one.
    pub fn play(&mut self, act: Option<&Act>) {
        let me = self.turn;
        match act {
            None => self.dead[me] = true,
            Some(act) => {
                let from = self.units[me][act.unit];
                let d1 = offset(act.first);
                let d2 = offset(act.second);
                let target = (from.0 + d1.0, from.1 + d1.1);
                let last = (target.0 + d2.0, target.1 + d2.1);
                if act.push {
                    if !self.taken(last) {
                        let victim = self.units[1 - me].iter().position(|&u| u == target).unwrap();
                        self.units[1 - me][victim] = last;
                        *self.grid[target.1 as usize][target.0 as usize].as_mut().unwrap() += 1;
                    }
                } else {
                    self.units[me][act.unit] = target;
                    if self.height(target) == Some(3) {
                        self.points[me] += 1;
                    }
                    if !self.taken(last) {
                        *self.grid[last.1 as usize][last.0 as usize].as_mut().unwrap() += 1;
                    }
                }
            }
        }
        self.go_on();
    }

    fn someone_leads_a_dead_one(&self) -> bool {
        (0..2).any(|p| self.dead[1 - p] && !self.dead[p] && self.points[p] > self.points[1 - p])
    }

    /// Ends the game or hands over the turn.
    fn go_on(&mut self) {
        let me = self.turn;
        let climbed = self.points != [0, 0];
        if self.league == 0 {
            if self.dead[me] || (climbed && self.ends_at_once) {
                self.over = true;
                return;
            }
        } else if self.dead[me] && (self.dead == [true, true] || self.someone_leads_a_dead_one()) {
            self.over = true;
            return;
        }
        loop {
            if self.turn == 1 {
                self.rounds += 1;
                if (self.league == 0 && climbed) || self.rounds == 200 || self.someone_leads_a_dead_one() {
                    self.over = true;
                    return;
                }
            }
            self.turn = 1 - self.turn;
            if !self.dead[self.turn] {
                return;
            }
        }
    }

    pub fn scores(&self) -> [i32; 2] {
        [0, 1].map(|p| {
            if self.league == 0 && self.dead[p] {
                -1
            } else {
                self.points[p]
            }
        })
    }

    /// Positions `depth` plies below, counted one by one.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.over {
            return 0;
        }
        let legal = self.legal();
        let mut nodes = 0;
        for act in &legal {
            let mut child = self.clone();
            child.play(Some(act));
            nodes += child.perft(depth - 1);
        }
        if legal.is_empty() {
            let mut child = self.clone();
            child.play(None);
            nodes += child.perft(depth - 1);
        }
        nodes
    }
}
