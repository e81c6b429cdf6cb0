//! The slow, plain kingdom: a 13x13 array of squares and the rules as the text says them. Shares nothing
//! with the fast one, reads its tiles from the data file, and is checked against the recordings itself.

use crate::recorded::records;
use fifty::games::kingdomino::kingdom::{count, Kingdom, Places};
use fifty::games::kingdomino::state::{State, Variant};
use fifty::games::kingdomino::tile::{Square, Tile};
use fifty::kit::rng::Rng;
use fifty::search::game::Game;
use serde_json::Value;
use std::collections::BTreeSet;

/// Terrain letter and crowns; `_` empty, `*` castle.
type Cell = (char, u32);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Board {
    side: i32,
    extent: i32,
    cells: Vec<Vec<Cell>>,
}

impl Board {
    fn new(extent: i32) -> Self {
        let side = 2 * extent - 1;
        let mut cells = vec![vec![('_', 0); side as usize]; side as usize];
        cells[side as usize / 2][side as usize / 2] = ('*', 0);
        Self { side, extent, cells }
    }

    fn read(grid: &Value) -> Self {
        let mut board = Self::new(7);
        for (y, line) in grid.as_array().unwrap().iter().enumerate() {
            let letters: Vec<char> = line.as_str().unwrap().chars().collect();
            for x in 0..13 {
                board.cells[y][x] = (letters[2 * x], letters[2 * x + 1].to_digit(10).unwrap());
            }
        }
        board
    }

    fn get(&self, x: i32, y: i32) -> Option<Cell> {
        (x >= 0 && y >= 0 && x < self.side && y < self.side).then(|| self.cells[y as usize][x as usize])
    }

    /// The second square of a PUT.
    fn other(x: i32, y: i32, r: i32) -> (i32, i32) {
        match r {
            0 => (x + 1, y),
            1 => (x, y + 1),
            2 => (x - 1, y),
            _ => (x, y - 1),
        }
    }

    fn legal(&self, tile: [Cell; 2], x: i32, y: i32, r: i32) -> bool {
        let two = [(x, y), Self::other(x, y, r)];
        if two
            .iter()
            .any(|&(x, y)| self.get(x, y).is_none_or(|c| c.0 != '_'))
        {
            return false;
        }
        let (mut xs, mut ys) = (vec![two[0].0, two[1].0], vec![two[0].1, two[1].1]);
        for y in 0..self.side {
            for x in 0..self.side {
                if self.get(x, y).unwrap().0 != '_' {
                    xs.push(x);
                    ys.push(y);
                }
            }
        }
        let span = |v: &[i32]| v.iter().max().unwrap() - v.iter().min().unwrap() + 1;
        if span(&xs) > self.extent || span(&ys) > self.extent {
            return false;
        }
        two.iter().zip(tile).any(|(&(x, y), (terrain, _))| {
            [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
                .iter()
                .any(|&(x, y)| {
                    self.get(x, y)
                        .is_some_and(|(letter, _)| letter == '*' || letter == terrain)
                })
        })
    }

    /// All legal PUTs in the recordings' order.
    fn puts(&self, tile: [Cell; 2]) -> Vec<(i32, i32, i32)> {
        let mut out = Vec::new();
        for y in 0..self.side {
            for x in 0..self.side {
                out.extend((0..4).filter(|&r| self.legal(tile, x, y, r)).map(|r| (x, y, r)));
            }
        }
        out
    }

    fn put(&mut self, tile: [Cell; 2], (x, y, r): (i32, i32, i32)) {
        let (x2, y2) = Self::other(x, y, r);
        self.cells[y as usize][x as usize] = tile[0];
        self.cells[y2 as usize][x2 as usize] = tile[1];
    }

    /// Score, squares, crowns.
    fn rank(&self) -> (u32, u32, u32) {
        let mut seen = BTreeSet::new();
        let (mut score, mut squares, mut crowns) = (0, 0, 0);
        for y in 0..self.side {
            for x in 0..self.side {
                let (terrain, _) = self.get(x, y).unwrap();
                if terrain == '_' || terrain == '*' || !seen.insert((x, y)) {
                    continue;
                }
                let (mut zone, mut zone_crowns) = (0, 0);
                let mut todo = vec![(x, y)];
                while let Some((x, y)) = todo.pop() {
                    zone += 1;
                    zone_crowns += self.get(x, y).unwrap().1;
                    for (x, y) in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                        if self.get(x, y).is_some_and(|c| c.0 == terrain) && seen.insert((x, y)) {
                            todo.push((x, y));
                        }
                    }
                }
                score += zone * zone_crowns;
                squares += zone;
                crowns += zone_crowns;
            }
        }
        (score, squares, crowns)
    }

    fn same_as(&self, kingdom: &Kingdom) -> bool {
        (0..self.side).all(|y| {
            (0..self.side).all(|x| {
                let (letter, crowns) = self.get(x, y).unwrap();
                match kingdom.at(x as u8, y as u8) {
                    Some(square) => square.text()[0] == letter && u32::from(square.crowns) == crowns,
                    None => letter == '_' || letter == '*',
                }
            })
        })
    }
}

fn cell(text: &str) -> Cell {
    let mut chars = text.chars();
    (chars.next().unwrap(), chars.next().unwrap().to_digit(10).unwrap())
}

/// The tiles of the data file, by id.
fn box_of_tiles() -> Vec<[Cell; 2]> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/kingdomino/tiles.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut tiles = vec![[('_', 0); 2]];
    for line in text.lines().skip(1) {
        let words: Vec<&str> = line.split(',').collect();
        assert_eq!(words[0].parse::<usize>().unwrap(), tiles.len());
        tiles.push([cell(words[1]), cell(words[2])]);
    }
    assert_eq!(tiles.len(), 49);
    tiles
}

fn cells(tile: Tile) -> [Cell; 2] {
    [tile.first(), tile.second()].map(|s: Square| (s.text()[0], u32::from(s.crowns)))
}

#[test]
fn the_box_is_the_listed_one() {
    for (id, tile) in box_of_tiles().iter().enumerate().skip(1) {
        assert_eq!(cells(Tile::of_box(id as u8)), *tile, "tile {id}");
        assert_eq!(Tile::of_box(id as u8).id() as usize, id);
        assert_eq!(Tile::of_box(id as u8).is_symmetric(), id <= 12);
    }
}

#[test]
fn the_oracle_agrees_with_the_recordings() {
    let tiles = box_of_tiles();
    for record in records("kingdomino/placement.jsonl.gz") {
        let board = Board::read(&record["grid"]);
        let puts = board.puts(tiles[record["tile_id"].as_u64().unwrap() as usize]);
        let recorded: Vec<(i32, i32, i32)> = serde_json::from_value(record["legal_puts"].clone()).unwrap();
        assert_eq!(puts, recorded, "{}", record["id"]);
    }
    for record in records("kingdomino/score.jsonl.gz") {
        let (score, squares, crowns) = Board::read(&record["grid"]).rank();
        let recorded = ["score", "squares", "crowns"].map(|key| record[key].as_u64().unwrap() as u32);
        assert_eq!([score, squares, crowns], recorded, "{}", record["id"]);
    }
}

/// Plays one random game on both; counts the placements and checks everything on the way.
fn compare<const N: usize>(variant: Variant, seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    let mut state = State::<N>::new(variant);
    let mut boards = vec![Board::new(i32::from(variant.extent)); N];
    state.draw(&mut rng, Tile::of_box);
    let mut total = 0;
    let mut moves = Vec::new();
    while !state.over() {
        let (me, tile) = (state.mover(), state.tile_in_play());
        let kingdom = state.kingdoms[me];
        let mut puts = Vec::new();
        if tile != Tile::NONE {
            let legal = kingdom.legal_puts(tile);
            for put in Places::of(legal) {
                let (x, y, r) = kingdom.coordinates(put);
                assert_eq!(kingdom.put_at(tile, x, y, r), Some(put));
                puts.push((i32::from(x), i32::from(y), i32::from(r)));
            }
            puts.sort_by_key(|&(x, y, r)| (y, x, r));
            assert_eq!(
                puts,
                boards[me].puts(cells(tile)),
                "seed {seed} turn {}",
                state.turn
            );
            let mut grids = BTreeSet::new();
            for &put in &puts {
                let mut next = boards[me].clone();
                next.put(cells(tile), put);
                grids.insert(next);
            }
            let distinct = kingdom.distinct_puts(tile);
            assert_eq!(count(&distinct) as usize, grids.len());
            total += puts.len() as u64;
        }
        moves.clear();
        state.moves(me, &mut moves);
        let action = moves[rng.below(moves.len() as u32) as usize];
        assert!(state.is_legal(action));
        if let Some(put) = action.put() {
            let (x, y, r) = kingdom.coordinates(put);
            boards[me].put(cells(tile), (i32::from(x), i32::from(y), i32::from(r)));
        }
        let mut joint = [action; N];
        joint[me] = action;
        state.advance(&joint, &mut rng);
        assert!(
            boards[me].same_as(&state.kingdoms[me]),
            "seed {seed} turn {}",
            state.turn
        );
        assert_eq!(boards[me].rank(), state.kingdoms[me].rank());
    }
    total
}

/// Placement counts of fixed seeds: a change of rules, order or generator shows here.
#[test]
fn fast_and_slow_agree_on_random_games() {
    let main: u64 = (0..100).map(|seed| compare::<2>(Variant::MAIN, seed)).sum();
    let two: u64 = (0..60).map(|seed| compare::<2>(Variant::classic(2), seed)).sum();
    let three: u64 = (0..30).map(|seed| compare::<3>(Variant::classic(3), seed)).sum();
    let four: u64 = (0..30).map(|seed| compare::<4>(Variant::classic(4), seed)).sum();
    assert_eq!([main, two, three, four], [61246, 15406, 11659, 15456]);
}

/// Placements of the first `tiles` ids in order, each everywhere it fits, from the bare castle.
fn perft(kingdom: &Kingdom, tiles: &[u8]) -> u64 {
    let Some((&id, rest)) = tiles.split_first() else {
        return 1;
    };
    let mut sum = 0;
    for put in Places::of(kingdom.distinct_puts(Tile::of_box(id))) {
        let mut next = *kingdom;
        next.play(Tile::of_box(id), put);
        sum += perft(&next, rest);
    }
    sum
}

fn slow_perft(board: &Board, tiles: &[u8], all: &[[Cell; 2]]) -> u64 {
    let Some((&id, rest)) = tiles.split_first() else {
        return 1;
    };
    let tile = all[id as usize];
    let grids: BTreeSet<Board> = board
        .puts(tile)
        .into_iter()
        .map(|put| {
            let mut next = board.clone();
            next.put(tile, put);
            next
        })
        .collect();
    grids.iter().map(|next| slow_perft(next, rest, all)).sum()
}

#[test]
fn perft_counts() {
    let all = box_of_tiles();
    let start = Kingdom::new(7);
    assert_eq!(
        slow_perft(&Board::new(7), &[19, 48, 3], &all),
        perft(&start, &[19, 48, 3])
    );
    assert_eq!(
        slow_perft(&Board::new(5), &[40, 25, 45], &all),
        perft(&Kingdom::new(5), &[40, 25, 45])
    );
    let counts: Vec<u64> = (1..=5)
        .map(|n| perft(&start, &[19, 48, 3, 28, 41][..n]))
        .collect();
    assert_eq!(counts, [24, 540, 6012, 138752, 2054912]);
    let small: Vec<u64> = (1..=6)
        .map(|n| perft(&Kingdom::new(5), &[40, 25, 45, 13, 1, 9][..n]))
        .collect();
    assert_eq!(small, [24, 540, 13496, 313928, 4293280, 8504152]);
}
