//! How fast the workbench answers over a large results file: measured, printed, and held against what was promised.
//!
//! Times are the server's CPU time as well as wall time: on a busy machine only the first says anything.

use super::check::Server;
use crate::arena::bots::Bot;
use crate::arena::matches::{MatchPlan, run as play};
use crate::arena::result::GameResult;
use crate::arena::schedule::{schedule, seatings};
use crate::arena::store::{Store, pack};
use crate::games::adapters;
use anyhow::{Context, Result, bail};
use rusqlite::{Connection, params};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// An answer may take so long.
const LIMIT: Duration = Duration::from_millis(300);
/// Bytes of an inspector's page at most.
const BYTES: usize = 500_000;
/// Games a run of the file has.
const RUN: usize = 5000;
/// One game in so many keeps its messages: more would fill a disk, and no list reads them.
const KEPT: usize = 50;

/// Copies of a played game with other answer times.
const VARIED: usize = 5;

/// Makes a results file of `games` games: a few that are played, and copies of them with other seeds.
pub fn fill(path: &Path, games: usize) -> Result<()> {
    drop(Store::open(path)?);
    let seeds: &[u64] = if games < 10_000 { &[3] } else { &[3, 4, 5] };
    let names = ["engine:20", "builtin:greedy", "builtin:random"];
    let mut samples = Vec::new();
    for &adapter in adapters() {
        let bots = names
            .iter()
            .map(|name| Bot::parse(name, adapter))
            .collect::<Result<Vec<_>>>()?;
        for other in [1, 2] {
            let mut plan = MatchPlan::new(adapter, &bots);
            plan.trace = true;
            let seats = adapter.seats(&plan.options);
            plan.games = schedule(&seatings(&[0, other], seats, false), seeds, 2 * seeds.len());
            play(&plan, &BTreeSet::new(), |(game, played)| {
                let Ok(played) = played else { return true };
                let packed = played.trace.as_ref().and_then(|trace| pack(trace).ok());
                for shift in 0..VARIED {
                    let mut result = GameResult::new(&game, &played);
                    for (turn, ms) in result.times.iter_mut().flatten().enumerate() {
                        *ms = ((shift * 31 + turn * 7) % 500) as f32 / 10.0;
                    }
                    let text = serde_json::to_value(&result).map(sameless).unwrap_or_default();
                    samples.push((adapter.name(), text, packed.clone()));
                }
                true
            });
        }
    }
    let db = Connection::open(path)?;
    db.execute_batch("BEGIN")?;
    let mut run = (0, "");
    for n in 0..games {
        // Runs of one game each, one after the other.
        let of = adapters()[n / RUN % adapters().len()].name();
        if n % RUN == 0 || run.1 != of {
            let spec = json!({"bots": names, "options": {}, "games": RUN, "part": n});
            run = (store_run(&db, of, &spec.to_string())?, of);
        }
        let fitting: Vec<_> = samples.iter().filter(|s| s.0 == of).collect();
        let (_, rest, packed) = fitting[n % fitting.len()];
        let (place, pair) = (n % RUN, n % RUN / 2);
        let text = format!("{{\"index\":{place},\"group\":{pair},\"seed\":{pair},{rest}");
        let kept = n % KEPT == 0 || n + 200 > games;
        let blob = packed.as_ref().filter(|_| kept);
        db.prepare_cached("INSERT INTO arena_game(run, n, result, trace) VALUES(?1, ?2, ?3, ?4)")?
            .execute(params![run.0, place as i64, text, blob])?;
        db.prepare_cached("INSERT INTO arena_date VALUES(last_insert_rowid(), ?1)")?
            .execute([1_760_000_000 + n as i64 * 9])?;
    }
    db.execute_batch("COMMIT")?;
    Ok(())
}

/// The text of a result without what tells one game from another, and without its first brace.
fn sameless(mut result: serde_json::Value) -> String {
    if let Some(fields) = result.as_object_mut() {
        for name in ["index", "group", "seed"] {
            fields.remove(name);
        }
    }
    result.to_string().trim_start_matches('{').to_owned()
}

fn store_run(db: &Connection, game: &str, spec: &str) -> Result<i64> {
    db.execute(
        "INSERT INTO arena_run(kind, game, spec) VALUES('league', ?1, ?2)",
        [game, spec],
    )?;
    Ok(db.last_insert_rowid())
}

/// The body of a page; anything but 200 is an error.
pub fn get(address: &str, path: &str) -> Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let head = bytes.windows(4).position(|w| w == b"\r\n\r\n");
    let head = head.with_context(|| format!("{path}: no answer"))?;
    if !bytes.starts_with(b"HTTP/1.1 200") {
        bail!("{path}: {}", String::from_utf8_lossy(&bytes[..head.min(200)]));
    }
    Ok(bytes.split_off(head + 4))
}

/// CPU seconds of a process so far, its threads together.
pub fn cpu(pid: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = fields.split_whitespace().skip(11).take(2);
    let sum: f64 = ticks.filter_map(|w| w.parse::<f64>().ok()).sum();
    sum / rustix::param::clock_ticks_per_second() as f64
}

/// Pages that are timed: name and address.
const PAGES: [(&str, &str); 20] = [
    ("bots", "/"),
    ("runs", "/runs"),
    ("games", "/games"),
    ("games, page 1800", "/games?offset=90000"),
    (
        "one game, lost by a bot",
        "/games?game=wondev&bot=random&lost=true",
    ),
    ("lost against", "/games?bot=greedy&opponent=engine&lost=true"),
    ("won by a bot", "/games?won=true&bot=engine"),
    ("drawn", "/games?drawn=true"),
    ("faults", "/games?fault=any"),
    ("late", "/games?late=true"),
    ("option", "/games?option=league%3D3"),
    ("seat and seeds", "/games?seat=1&seed=100..200"),
    ("margin", "/games?margin=..-10&sort=margin"),
    ("turns", "/games?length=20..40&sort=-turns"),
    ("slowest", "/games?slowest=49..&sort=-slowest"),
    ("dates", "/games?since=2025-10-10&until=2025-10-12"),
    ("ended", "/games?ended=climb&sort=-played"),
    ("by bot", "/games?sort=bot"),
    ("leaderboard", "/games?board=true&game=slime"),
    ("what bots said", "/games?attr=nodes%3E10&course=ms&game=rails"),
];

/// Times every page over a file of `games` games and weighs the inspector's page of every game. Errors: what is too slow
/// or too large.
pub fn run(games: usize) -> Result<()> {
    let work = tempfile::tempdir()?;
    let path = work.path().join("results.sqlite");
    let begun = Instant::now();
    fill(&path, games)?;
    println!(
        "{games} games written in {:.1} s, {:.1} MB",
        begun.elapsed().as_secs_f64(),
        std::fs::metadata(&path)?.len() as f64 / 1e6
    );
    let server = Server::start(&path)?;
    let begun = Instant::now();
    get(&server.address, "/")?;
    println!(
        "first page with an index made of all games: {:.1} s, {:.1} s of CPU",
        begun.elapsed().as_secs_f64(),
        cpu(server.pid())
    );
    let mut slow = Vec::new();
    for (name, page) in PAGES {
        let before = cpu(server.pid());
        let mut times = Vec::new();
        let mut bytes = 0;
        for _ in 0..5 {
            let begun = Instant::now();
            bytes = get(&server.address, page)?.len();
            times.push(begun.elapsed());
        }
        let used = (cpu(server.pid()) - before) / 5.0;
        times.sort_unstable();
        println!(
            "{name:26} {:6.1} ms of CPU, median {:6.1} ms, slowest {:6.1} ms, {bytes:7} bytes  {page}",
            used * 1e3,
            times[2].as_secs_f64() * 1e3,
            times[4].as_secs_f64() * 1e3
        );
        // What others keep us waiting for is not ours.
        if used > LIMIT.as_secs_f64() && times[2] > LIMIT {
            slow.push(name);
        }
    }
    for (n, adapter) in adapters().iter().enumerate() {
        // The first game of the game's first run keeps its messages.
        let game = n * RUN + 1;
        if game > games {
            continue;
        }
        let begun = Instant::now();
        let bytes = get(
            &server.address,
            &format!("/game/{game}?as=0&lost=true&sort=-margin"),
        )?
        .len();
        println!(
            "inspector, {:15} {bytes:7} bytes, {:6.1} ms",
            adapter.name(),
            begun.elapsed().as_secs_f64() * 1e3
        );
        if bytes > BYTES {
            slow.push(adapter.name());
        }
    }
    if !slow.is_empty() {
        bail!(
            "over {} ms or {BYTES} bytes: {}",
            LIMIT.as_millis(),
            slow.join(", ")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::fill;
    use crate::serve::filter::Filter;
    use crate::serve::index::Index;

    #[test]
    fn a_filled_file_is_a_results_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        fill(&path, 300).unwrap();
        let mut index = Index::open(&path).unwrap();
        assert_eq!(index.update(|_, _| {}).unwrap(), 300);
        let filter = Filter {
            limit: 10,
            bot: Some("random".into()),
            lost: true,
            ..Filter::default()
        };
        let found = filter.find(&index).unwrap();
        assert!(found.all > 100 && found.rows.len() == 10, "{}", found.all);
        let (here, next) = (&found.rows[4], &found.rows[5]);
        let around = filter.around(&index, here.id, here.seat).unwrap().unwrap();
        assert_eq!((around.place, around.all), (4, found.all));
        assert_eq!(around.after, Some((next.id, next.seat)));
        assert_eq!(around.before, Some((found.rows[3].id, found.rows[3].seat)));
    }
}
