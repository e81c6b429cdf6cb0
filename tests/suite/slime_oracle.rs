//! The slow oracle of slime: plain arrays, straight from the rules, sharing no code with the masks.

/// Square `[row][column]`: 0 empty, 1 to 4 the players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oracle {
    pub grid: Vec<Vec<u8>>,
    /// 1 to 4.
    pub player: u8,
    pub turns: u32,
}

impl Oracle {
    pub fn start(size: usize) -> Self {
        let mut grid = vec![vec![0; size]; size];
        grid[0][0] = 1;
        grid[0][size - 1] = 2;
        grid[size - 1][0] = 3;
        grid[size - 1][size - 1] = 4;
        Self {
            grid,
            player: 1,
            turns: 0,
        }
    }

    pub fn parse(argument: &str) -> Self {
        let (player, rows) = argument.split_once(',').unwrap();
        let grid = rows
            .split(',')
            .map(|row| row.chars().map(|c| c.to_digit(10).unwrap_or(0) as u8).collect())
            .collect();
        Self {
            grid,
            player: player.parse().unwrap(),
            turns: 0,
        }
    }

    pub fn rows(&self) -> String {
        let row = |row: &Vec<u8>| -> String {
            row.iter()
                .map(|&p| if p == 0 { '.' } else { (b'0' + p) as char })
                .collect()
        };
        self.grid.iter().map(row).collect::<Vec<_>>().join(",")
    }

    pub fn is_over(&self) -> bool {
        self.turns >= 2000 || self.grid.iter().all(|row| row.iter().all(|&p| p != 0))
    }

    pub fn scores(&self) -> Vec<u32> {
        (1..=4)
            .map(|player| self.grid.iter().flatten().filter(|&&p| p == player).count() as u32)
            .collect()
    }

    fn on_board(&self, r: i64, c: i64) -> bool {
        let size = self.grid.len() as i64;
        0 <= r && r < size && 0 <= c && c < size
    }

    fn at(&self, r: i64, c: i64) -> u8 {
        self.grid[r as usize][c as usize]
    }

    fn neighbours(&self, r: i64, c: i64) -> Vec<(i64, i64)> {
        let mut list = Vec::new();
        for dr in -1..=1 {
            for dc in -1..=1 {
                if (dr, dc) != (0, 0) && self.on_board(r + dr, c + dc) {
                    list.push((r + dr, c + dc));
                }
            }
        }
        list
    }

    /// The controller's five checks, in its order.
    pub fn is_legal(&self, [r1, c1, r2, c2]: [i64; 4]) -> bool {
        if !self.on_board(r1, c1) || !self.on_board(r2, c2) {
            return false;
        }
        if self.at(r1, c1) != self.player {
            return false;
        }
        let target = self.at(r2, c2);
        if target != 0 && target != self.player {
            return false;
        }
        let d = (r1 - r2).abs().max((c1 - c2).abs());
        if d != 1 && d != 2 {
            return false;
        }
        target == 0 || d == 1
    }

    /// One turn; anything illegal is a pass.
    pub fn play(&mut self, answer: [i64; 4]) {
        if self.is_legal(answer) {
            let [r1, c1, r2, c2] = answer;
            let me = self.player;
            let merge = self.at(r2, c2) == me;
            for (r, c) in self.neighbours(r2, c2) {
                let empty = self.at(r, c) == 0;
                if empty == merge {
                    self.grid[r as usize][c as usize] = me;
                }
            }
            self.grid[r2 as usize][c2 as usize] = me;
            if merge || (r1 - r2).abs().max((c1 - c2).abs()) == 2 {
                self.grid[r1 as usize][c1 as usize] = 0;
            }
        }
        self.player = self.player % 4 + 1;
        self.turns += 1;
    }

    /// Every legal answer, by brute force over all coordinates.
    pub fn legal(&self) -> Vec<[i64; 4]> {
        let size = self.grid.len() as i64;
        let mut list = Vec::new();
        for r1 in 0..size {
            for c1 in 0..size {
                if self.at(r1, c1) != self.player {
                    continue;
                }
                for r2 in 0..size {
                    for c2 in 0..size {
                        if self.is_legal([r1, c1, r2, c2]) {
                            list.push([r1, c1, r2, c2]);
                        }
                    }
                }
            }
        }
        list
    }

    /// Legal answers that lead somewhere of their own: of all spreads to one target only the first.
    pub fn distinct(&self) -> Vec<[i64; 4]> {
        let mut spread_to = Vec::new();
        self.legal()
            .into_iter()
            .filter(|&[r1, c1, r2, c2]| {
                let spread = self.at(r2, c2) == 0 && (r1 - r2).abs().max((c1 - c2).abs()) == 1;
                if spread && spread_to.contains(&(r2, c2)) {
                    return false;
                }
                if spread {
                    spread_to.push((r2, c2));
                }
                true
            })
            .collect()
    }

    /// Sequences of `depth` moves: a seat without a move passes, a full board has no continuation.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.grid.iter().flatten().all(|&p| p != 0) {
            return 0;
        }
        let moves = self.distinct();
        let pass = [[0, 0, 0, 0]];
        let list: &[[i64; 4]] = if moves.is_empty() { &pass } else { &moves };
        list.iter()
            .map(|&m| {
                let mut next = self.clone();
                next.play(m);
                next.perft(depth - 1)
            })
            .sum()
    }
}
