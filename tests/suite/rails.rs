//! Rails: recorded games through both simulators, random games of both side by side, maps from seeds.

use crate::conformance::{check, check_hashes};
use crate::rails_oracle::Oracle;
use crate::recorded::records;
use fifty::games::rails::basis::Basis;
use fifty::games::rails::bot::Bot;
use fifty::games::rails::cells::Cell;
use fifty::games::rails::duel::Duel;
use fifty::games::rails::map::{Map, Rules};
use fifty::games::rails::protocol::Reader;
use fifty::games::rails::sets::find_bargains;
use fifty::games::rails::state::{Plan, State};
use fifty::games::rails::unshipped::mapgen::generate;
use fifty::games::rails::unshipped::orders::resolve;
use fifty::games::rails::unshipped::text::{init_lines, turn_lines};
use fifty::games::rails::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::Budget;
use fifty::kit::rng::Rng;
use serde_json::Value;
use std::sync::Arc;

fn lines(value: &Value) -> Vec<String> {
    value
        .as_array()
        .unwrap_or_else(|| panic!("no list: {value}"))
        .iter()
        .map(|line| line.as_str().expect("a line").to_owned())
        .collect()
}

fn read_map(init: &[String], rules: Rules) -> Map {
    let mut reader = Reader::new();
    let text = init.join("\n") + "\n";
    assert!(reader.init(&mut text.as_bytes(), || {}).unwrap());
    assert_eq!(reader.trouble, None);
    let mut map = Arc::unwrap_or_clone(reader.map);
    map.rules = rules;
    map
}

/// The simulator as a referee: text in, text out.
struct Fast {
    map: Map,
    state: State,
    out: [bool; 2],
    quest: [bool; 2],
}

impl Fast {
    fn step(&mut self, lines: [&str; 2]) -> [Vec<String>; 2] {
        let [a, b] = lines.map(|line| resolve(&self.map, &self.state, line));
        self.state.play(&self.map, &[a.plan, b.plan]);
        self.out = [a.invalid, b.invalid];
        for seat in 0..2 {
            self.quest[seat] |= self.state.side_quest(&self.map, seat);
        }
        // Whatever a turn re-solves must agree with solving everything anew.
        let mut anew = self.state;
        anew.links = State::new().links;
        anew.income = [0; 2];
        anew.refresh(&self.map);
        assert_eq!(anew.links, self.state.links);
        assert_eq!(anew.income, self.state.income);
        [a.messages, b.messages]
    }

    fn scores(&self) -> [i64; 2] {
        [0, 1].map(|s: usize| {
            if self.out[s] {
                -1
            } else {
                i64::from(self.state.scores[s])
            }
        })
    }

    fn lines(&self, seat: usize) -> Vec<String> {
        turn_lines(&self.map, &self.state, self.scores(), seat)
    }

    fn over(&self) -> bool {
        self.out != [false; 2] || self.state.is_over()
    }
}

#[test]
fn recorded_games_agree_with_both_simulators() {
    let mut turns = 0;
    for record in records("rails/games.jsonl.gz") {
        let id = record["id"].as_str().unwrap();
        let init = lines(&record["init"][0]);
        let rules = Rules::inking(record["params"]["ink_threshold"].as_u64().unwrap() as u8);
        let mut oracle = Oracle::new(&init, u32::from(rules.ink_threshold), false);
        let mut fast = Fast {
            map: read_map(&init, rules),
            state: State::new(),
            out: [false; 2],
            quest: [false; 2],
        };
        for turn in record["turns"].as_array().unwrap() {
            turns += 1;
            let at = format!("{id} turn {}", oracle.turn + 1);
            assert!(!fast.over() && oracle.end().is_none(), "{at}");
            for seat in 0..2 {
                let expected = lines(&turn["inputs"][seat]);
                assert_eq!(fast.lines(seat), expected, "{at}");
                assert_eq!(oracle.lines(seat), expected, "{at}");
            }
            let outputs = lines(&turn["outputs"]);
            let outputs = [outputs[0].as_str(), outputs[1].as_str()];
            let messages = [lines(&turn["errors"][0]), lines(&turn["errors"][1])];
            assert_eq!(fast.step(outputs), messages, "{at}");
            assert_eq!(oracle.step(outputs), messages, "{at}");
            let scores: Vec<i64> = serde_json::from_value(turn["scores_after"].clone()).unwrap();
            assert_eq!(fast.scores().to_vec(), scores, "{at}");
            assert_eq!(oracle.scores().to_vec(), scores, "{at}");
        }
        assert!(fast.over(), "{id}");
        assert_eq!(oracle.end(), record["end"].as_str(), "{id}");
        let last = lines(&record["final_inputs_0"]);
        assert_eq!(fast.lines(0), last, "{id}");
        assert_eq!(oracle.lines(0), last, "{id}");
        let quest: Vec<u8> = serde_json::from_value(record["side_quest"].clone()).unwrap();
        assert_eq!(fast.quest.map(u8::from).to_vec(), quest, "{id}");
        assert_eq!(oracle.quest.map(u8::from).to_vec(), quest, "{id}");
    }
    assert_eq!(turns, 2493);
}

#[test]
fn recorded_maps_follow_from_their_seeds() {
    let rules = Rules::inking(3);
    for record in records("rails/games.jsonl.gz") {
        let seed = record["seed"].as_i64().unwrap();
        let map = generate(seed, record["params"]["poi"].as_bool().unwrap(), rules);
        assert_eq!(init_lines(&map, 0), lines(&record["init"][0]), "seed {seed}");
    }
}

/// A line of odd and useful orders; routes are likely, so that paths form, tie and get washed.
fn random_line(map: &Map, rng: &mut Rng) -> String {
    let mut parts = Vec::new();
    let xy = |rng: &mut Rng| {
        let x = rng.below(map.width as u32 + 1);
        (x, rng.below(map.height as u32 + 1))
    };
    for _ in 0..=rng.below(4) {
        let towns = map.towns.len() as u32;
        let (a, b) = (rng.below(towns) as usize, rng.below(towns) as usize);
        let (a, b) = (map.towns[a], map.towns[b]);
        parts.push(match rng.below(12) {
            0..=4 => format!("AUTOPLACE {} {} {} {}", a.x(), a.y(), b.x(), b.y()),
            5 => {
                let ((x, y), (u, v)) = (xy(rng), xy(rng));
                format!("AUTOPLACE {x} {y} {u} {v}")
            }
            6..=8 => {
                let x = (a.x() as u32 + rng.below(5)).saturating_sub(2);
                let y = (a.y() as u32 + rng.below(5)).saturating_sub(2);
                format!("PLACE_TRACKS {x} {y}")
            }
            9 => format!("DISRUPT {}", rng.below(map.regions.len() as u32 + 1)),
            10 => {
                let x = (a.x() as u32 + rng.below(9)).saturating_sub(4);
                let y = (a.y() as u32 + rng.below(9)).saturating_sub(4);
                format!("disrupt {x} {y}")
            }
            _ => "MESSAGE all aboard".into(),
        });
    }
    if rng.below(400) == 0 {
        parts.push("JUMP".into());
    }
    parts.join(";")
}

#[test]
fn random_games_agree_with_the_oracle() {
    let (mut turns, mut washed, mut points) = (0u32, 0u32, 0u64);
    for seed in 0..24u64 {
        let rules = Rules {
            ink_threshold: 2 + (seed % 3) as u8,
            town_regions_disruptable: seed % 5 == 4,
        };
        let map = generate(seed as i64 - 30, seed % 2 == 0, rules);
        let init = init_lines(&map, 0);
        let mut oracle = Oracle::new(
            &init,
            u32::from(rules.ink_threshold),
            rules.town_regions_disruptable,
        );
        let mut fast = Fast {
            map: read_map(&init, rules),
            state: State::new(),
            out: [false; 2],
            quest: [false; 2],
        };
        let mut rng = Rng::new(seed);
        while !fast.over() {
            assert_eq!(oracle.end(), None, "seed {seed}");
            let first = random_line(&map, &mut rng);
            let second = if rng.below(4) == 0 {
                first.clone()
            } else {
                random_line(&map, &mut rng)
            };
            let at = format!("seed {seed} turn {}: {first} / {second}", fast.state.turn);
            let before = fast.state.all_tracks();
            assert_eq!(
                fast.step([&first, &second]),
                oracle.step([&first, &second]),
                "{at}"
            );
            washed += before.minus(&fast.state.all_tracks()).len();
            assert_eq!(fast.scores(), oracle.scores(), "{at}");
            assert_eq!(fast.quest, oracle.quest, "{at}");
            assert_eq!(fast.lines(0), oracle.lines(0), "{at}");
            turns += 1;
        }
        assert!(oracle.end().is_some(), "seed {seed}");
        points += u64::from(fast.state.scores[0] + fast.state.scores[1]);
    }
    // The same everywhere: a change here is a change of the rules or of the generator.
    assert_eq!((turns, washed, points), (1709, 272, 452883));
}

/// What the planner plays once and adds tracks to is the board of the whole turn, clashes and washed tracks included.
#[test]
fn tracks_added_to_a_turn_make_its_board() {
    let (mut changed, mut idle, mut clashes, mut washed) = (0, 0, 0, 0);
    let mut bargains = 0;
    for seed in 0..12u8 {
        let rules = Rules::inking(2 + seed % 2);
        let map = generate(i64::from(seed), true, rules);
        let mut state = State::new();
        let mut rng = Rng::new(seed.into());
        while !state.is_over() && state.turn < 70 {
            let plans = [0, 1].map(|_| resolve(&map, &state, &random_line(&map, &mut rng)).plan);
            for me in 0..2 {
                // Mine, some of theirs, and the region they hit.
                let mut mine = plans[me];
                if rng.below(3) == 0 {
                    mine.cells = plans[1 - me].cells;
                }
                let mut joint = plans;
                joint[me] = mine;
                let mut whole = state;
                whole.play(&map, &joint);
                let mut alone = joint;
                alone[me].cells = [Cell::NONE; 3];
                let basis = Basis::new(&map, &state, alone, mine.region);
                let mut next = state;
                let home = map.cells_of(map.town_regions);
                let built = basis.build(&map, me, mine.cells, &home, &mut next);
                let board = if built.changed == 0 { &basis.board } else { &next };
                assert_eq!(built.mark, whole.mark(), "seed {seed}, turn {}", state.turn);
                assert_eq!(board.links, whole.links, "seed {seed}, turn {}", state.turn);
                assert_eq!(board.scores, whole.scores);
                assert_eq!((board.income, board.stuck), (whole.income, whole.stuck));
                let stands = |b: &State| b.tracks[me].len();
                assert_eq!(stands(&basis.board) + built.tracks, stands(&whole));
                changed += u32::from(built.changed != 0);
                idle += u32::from(built.changed == 0);
                let placed = mine.cells.iter().filter(|&&c| c != Cell::NONE);
                washed += u32::from(placed.clone().count() as u32 > built.tracks);
                clashes += u32::from(placed.clone().any(|c| plans[1 - me].cells.contains(c)));
            }
            state.play(&map, &plans);
            // A judge's text may tell of fewer points than connections pay.
            let mut poor = state;
            poor.scores = [0; 2];
            let mut found = [Vec::new(), Vec::new()];
            let mut weights = Weights::DEFAULT;
            (weights.bargains, weights.flips) = (9, 9);
            find_bargains(&map, &weights, &state, 0, &mut found[0], &mut Vec::new());
            find_bargains(&map, &weights, &poor, 0, &mut found[1], &mut Vec::new());
            assert_eq!(found[0], found[1]);
            bargains += found[0].len();
        }
    }
    assert!(bargains > 0);
    let met = [changed, idle, clashes, washed];
    assert!(met.iter().all(|&n| n > 0), "{met:?}");
}

/// Random legal plans without the text layer: counts that any change of the simulator would move.
#[test]
fn playout_counts() {
    let mut sums = [0u64; 3];
    for seed in 0..40u64 {
        let rules = Rules::inking(3 + (seed % 2) as u8);
        let map = generate(seed as i64, true, rules);
        let mut rng = Rng::new(seed);
        let mut state = State::new();
        while !state.is_over() {
            let plans = [0, 1].map(|_| {
                let mut plan = Plan::WAIT;
                for slot in 0..3 {
                    let free: Vec<_> = state.buildable(&map).iter().collect();
                    if free.is_empty() {
                        break;
                    }
                    let mut with = plan;
                    with.cells[slot] = free[rng.below(free.len() as u32) as usize];
                    if state.allows(&map, &with) {
                        plan = with;
                    }
                }
                let region = rng.below(map.regions.len() as u32) as u8;
                if state.disruptable(&map, region) {
                    plan.region = region;
                }
                plan
            });
            state.play(&map, &plans);
            sums[0] += 1;
        }
        sums[1] += u64::from(state.all_tracks().len());
        sums[2] += u64::from(state.inked.count_ones());
    }
    assert_eq!(sums, [3965, 7686, 1094]);
}

/// Figures of the generator against those measured on 600 maps of the contest's own.
#[test]
fn generator_statistics() {
    let rules = Rules::inking(3);
    let n = 600;
    let (mut regions, mut towns, mut wishes, mut river, mut mountain, mut poi) =
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    let mut heights = [0u32; 21];
    for seed in 0..n {
        let map = generate(seed * 7919 + 13, true, rules);
        heights[map.height] += 1;
        let cells = f64::from(map.board.len());
        let share = |kind: u8| {
            map.board
                .iter()
                .filter(|c| map.terrain[c.index()] == kind)
                .count() as f64
                / cells
        };
        regions += map.regions.len() as f64;
        towns += map.towns.len() as f64;
        wishes += map.wishes.len() as f64;
        river += share(1);
        mountain += share(2);
        poi += f64::from(map.pois.len());
    }
    let mean = |sum: f64| sum / n as f64;
    let near = |got: f64, expected: f64, within: f64| (got - expected).abs() < within;
    assert!(
        heights[14..].iter().all(|&h| (55..120).contains(&h)),
        "{heights:?}"
    );
    assert!(near(mean(regions), 52.8, 1.0), "{}", mean(regions));
    assert!(near(mean(towns), 8.31, 0.35), "{}", mean(towns));
    assert!(near(mean(wishes), 24.0, 1.9), "{}", mean(wishes));
    assert!(near(mean(river), 0.106, 0.006), "{}", mean(river));
    assert!(near(mean(mountain), 0.114, 0.009), "{}", mean(mountain));
    assert!(near(mean(poi), 3.0, 0.15), "{}", mean(poi));
}

#[test]
fn conforms_to_the_search_interface() {
    let start = |seed: u64| Duel {
        map: Arc::new(generate(seed as i64, seed % 2 == 0, Rules::inking(3))),
        state: State::new(),
    };
    check(start, 6, 100);
    let see = |duel: &Duel| (duel.state.tracks, duel.state.instability, duel.state.turn);
    let hashes = check_hashes(start, see, 3);
    assert!(hashes > 100_000, "{hashes}");
}

/// What the bot in `seat` says to this turn.
pub fn asked(bot: &mut Bot, map: &Map, state: &State, seat: usize) -> String {
    let mut text = Vec::new();
    if state.turn == 0 {
        text = init_lines(map, seat);
    }
    text.extend(turn_lines(map, state, state.scores.map(i64::from), seat));
    let text = text.join("\n") + "\n";
    let mut out = Vec::new();
    assert!(bot.turn(&mut text.as_bytes(), &mut out).unwrap());
    String::from_utf8(out).unwrap()
}

/// The bot's orders over a whole game are understood, legal, and the same for the same work.
#[test]
fn bot_plays_whole_games() {
    for (seed, ink_threshold) in [(5, 3), (6, 4)] {
        let rules = Rules::inking(ink_threshold);
        let map = generate(seed, true, rules);
        let mut state = State::new();
        let mut bots: Vec<Bot> = (0..3)
            .map(|_| Bot::new(Budget::Work(12), Weights::DEFAULT, 0))
            .collect();
        let mut spent = 0;
        while !state.is_over() {
            let said: Vec<String> = bots
                .iter_mut()
                .zip([0, 1, 1])
                .map(|(bot, seat)| {
                    let said = asked(bot, &map, &state, seat);
                    assert_eq!(said.matches('\n').count(), 1);
                    said.trim_end().to_owned()
                })
                .collect();
            assert_eq!(said[1], said[2], "same input, same work");
            let plans = [0, 1].map(|seat| {
                let resolved = resolve(&map, &state, &said[seat]);
                assert_eq!(resolved.messages, [""; 0], "{}", said[seat]);
                resolved.plan
            });
            spent += u32::from(plans[0].region != Plan::NO_REGION);
            state.play(&map, &plans);
        }
        assert!(spent > 20, "{spent} disruptions");
        assert_ne!(state.scores, [0; 2], "no mirrored game without points");
    }
}

/// Damaged input: something well-formed comes back, nothing panics.
#[test]
fn bot_survives_garbage() {
    let rules = Rules::inking(3);
    let map = generate(9, true, rules);
    let mut lines = init_lines(&map, 1);
    lines.extend(turn_lines(&map, &State::new(), [0, 0], 1));
    let mut rng = Rng::new(1);
    for round in 0..40 {
        let mut damaged = lines.clone();
        for _ in 0..=round {
            let at = rng.below(damaged.len() as u32) as usize;
            damaged[at] = [
                "",
                "x",
                "-1 -1 -1",
                "99999999999999999999 7",
                "255 255 255 0-1",
                "7",
            ][rng.below(6) as usize]
                .into();
        }
        if round % 4 == 0 {
            damaged.truncate(rng.below(damaged.len() as u32) as usize);
        }
        let text = damaged.join("\n") + "\n";
        let mut out = Vec::new();
        let mut bot = Bot::new(Budget::Work(3), Weights::DEFAULT, 0);
        let mut input = text.as_bytes();
        while bot.turn(&mut input, &mut out).unwrap() {
            assert!(out.ends_with(b"\n"));
            if input.is_empty() {
                break;
            }
        }
    }
}

/// What is clamped, left out or too much is said, once for every kind of line; a cut block too.
#[test]
fn bot_says_what_it_does_not_take() {
    let map = generate(9, true, Rules::inking(3));
    let init = init_lines(&map, 1);
    let turn = turn_lines(&map, &State::new(), [0, 0], 1);
    let town = init.len() - 1;
    let said = |at: usize, line: &str| {
        let mut bot = Bot::new(Budget::Work(3), Weights::DEFAULT, 0);
        let mut damaged = [&init[..], &turn, &turn].concat();
        // Twice where it can be: at a cell of either turn.
        damaged[at] = line.into();
        if at > town {
            damaged[at + turn.len()] = line.into();
        }
        let (text, mut out) = (damaged.join("\n") + "\n", Vec::new());
        let mut input = text.as_bytes();
        while bot.turn(&mut input, &mut out).unwrap() {}
        let said = String::from_utf8(bot.said()).unwrap();
        let said: Vec<&str> = said.lines().filter(|l| !l.starts_with("think")).collect();
        said.join("\n")
    };
    assert_eq!(said(3, &init[3]), "");
    for (at, wanted, line) in [
        (0, "my id, 0 or 1", "2"),
        (3, "region 0 to 63 and type 0 to 3", "64 0"),
        (3, "region 0 to 63 and type 0 to 3", "0 4"),
        (3, "region 0 to 63 and type 0 to 3", "0 0 0"),
        (town, "town: id x y wishes", "77 1 1 x"),
        (town, "town: id x y wishes", &format!("{} 0", init[town])),
        (town + 1, "my score", "0 0"),
        (town + 2, "the other score", "-7"),
        (town + 3, "owner instability inked pairs", "3 0 0 x"),
        (town + 3, "owner instability inked pairs", "-1 201 0 x"),
        (town + 3, "owner instability inked pairs", "-1 0 2 x"),
        (town + 3, "owner instability inked pairs", "-1 0 0 x x"),
        (town + 3, "owner instability inked pairs", ""),
    ] {
        assert_eq!(said(at, line), format!("expected {wanted}, got {line:?}"));
    }
    let towns = said(town - map.towns.len(), "65");
    assert!(
        towns.starts_with("expected 0 to 16 towns, got \"65\"\n"),
        "{towns}"
    );
    let wishes = format!("{}9", init[town]);
    assert!(said(town, &wishes).starts_with("expected wishes: x, or ids of other towns, got"));
    let mut bot = Bot::new(Budget::Work(3), Weights::DEFAULT, 0);
    let cut = init.join("\n") + "\n0\n0\n";
    assert!(!bot.turn(&mut cut.as_bytes(), &mut Vec::new()).unwrap());
    assert_eq!(bot.said(), b"expected a cell line, got \"\"\n");
}

/// Games of a quest player against the bot as it ships, seats in turn: how often each of them met the
/// side quest, and the quest player's points (a win 1, a draw a half).
fn quest_games(paint: i32, games: i64, work: u64) -> ([usize; 2], f32) {
    let (mut met, mut points) = ([0; 2], 0.0);
    for seed in 0..games {
        let rules = Rules::inking(3);
        let map = generate(1000 + seed, true, rules);
        let mut state = State::new();
        let mut player = Weights::DEFAULT;
        player.quest = paint;
        // Seat of the quest player.
        let at = seed as usize % 2;
        let mut bots = [player, Weights::DEFAULT].map(|w| Bot::new(Budget::Work(work), w, 0));
        bots.rotate_right(at);
        let mut done = [false; 2];
        while !state.is_over() {
            let plans =
                [0, 1].map(|seat| resolve(&map, &state, &asked(&mut bots[seat], &map, &state, seat)).plan);
            state.play(&map, &plans);
            for (who, done) in done.iter_mut().enumerate() {
                *done |= state.side_quest(&map, who ^ at);
            }
        }
        for (met, done) in met.iter_mut().zip(done) {
            *met += usize::from(done);
        }
        points += match state.scores[at].cmp(&state.scores[1 - at]) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
    }
    (met, points)
}

#[test]
fn quest_player_meets_the_side_quest() {
    let ([met, _], _) = quest_games(99, 20, 6);
    assert!(met >= 18, "{met} of 20");
}

/// The numbers at the head of the game's module.
#[test]
#[ignore = "two minutes of games"]
fn quest_rates() {
    let games = 100;
    let ([player, other], points) = quest_games(99, games, 60);
    println!(
        "side quest met in {player} of {games} games by the quest player, in {other} by the bot as it ships;"
    );
    println!("the quest player won {points} of {games}");
    assert!(player >= 90, "{player} of {games}");
}
