//! Runs while they play and after: how far, how strong, how sure, who was late, who failed.
//!
//! Only games that came since the last look are read; they are kept for the runs that were looked at last.

use super::chart::{Line, histogram, legend, lines};
use super::html::{Place, page as frame, percent, picture};
use super::running::{POINTS, machine, progress, state, wishes};
use super::{Failure, Page, Shared, page_of, tunes};
use crate::arena::bradley_terry::bradley_terry;
use crate::arena::live::{self, Seen};
use crate::arena::result::{GameResult, Measure, Standing, group_samples, standings};
use crate::arena::sprt::Sprt;
use crate::arena::stats::{Estimate, Samples};
use crate::outside::adapter::adapter;
use anyhow::{Context, Result};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use maud::{Markup, html};
use rusqlite::{Connection, OptionalExtension};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::sync::PoisonError;

/// Runs whose games are kept.
const KEPT: usize = 4;
/// Games that are rated while somebody looks; of more the league itself prints the table.
const RATED: usize = 20_000;
/// Games of the runs that were looked at last.
#[derive(Default)]
pub struct Cache(VecDeque<(i64, Games)>);

/// Games of a run, by place.
#[derive(Default)]
struct Games {
    last: i64,
    results: BTreeMap<usize, GameResult>,
    ids: BTreeMap<usize, i64>,
}

impl Cache {
    /// The games of a run, with those that came since.
    fn games(&mut self, db: &Connection, run: i64) -> Result<&Games> {
        let at = self.0.iter().position(|(id, _)| *id == run);
        let mut entry = at.and_then(|n| self.0.remove(n)).unwrap_or_default();
        entry.0 = run;
        let mut query =
            db.prepare_cached("SELECT id, result FROM arena_game WHERE run=?1 AND id>?2 ORDER BY id")?;
        let rows = query.query_map([run, entry.1.last], |row| {
            Ok((row.get(0)?, row.get::<_, String>(1)?))
        })?;
        for row in rows {
            let (id, text): (i64, String) = row?;
            let result: GameResult =
                serde_json::from_str(&text).with_context(|| format!("game {id} is damaged"))?;
            entry.1.last = id;
            entry.1.ids.insert(result.index, id);
            entry.1.results.insert(result.index, result);
        }
        self.0.push_front(entry);
        self.0.truncate(KEPT);
        Ok(&self.0[0].1)
    }
}

/// What is stored of a run beside its games.
struct Run {
    id: i64,
    kind: String,
    game: String,
    spec: Value,
}

impl Run {
    fn get(db: &Connection, id: i64) -> Result<Option<Self>> {
        let found = db
            .query_row(
                "SELECT kind, game, spec FROM arena_run WHERE id=?1",
                [id],
                |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)),
            )
            .optional()?;
        Ok(found.map(|(kind, game, spec): (String, String, String)| Self {
            id,
            kind,
            game,
            spec: serde_json::from_str(&spec).unwrap_or_default(),
        }))
    }

    fn bots(&self) -> Vec<String> {
        let bots = self.spec["bots"].as_array().into_iter().flatten();
        bots.map(|b| b.as_str().unwrap_or_default().to_owned()).collect()
    }

    fn title(&self) -> String {
        let stage = self.spec["stage"]
            .as_str()
            .map_or_else(String::new, |s| format!(", {s}"));
        format!("{} {}{stage}", self.game, self.kind)
    }
}

/// All runs.
pub async fn list(State(desk): State<Shared>) -> Page {
    let content = desk
        .work(|desk, index| {
            let db = &index.db;
            let troubles = desk.troubles("evaluate");
            let live: BTreeMap<i64, Seen> = live::all(db)?.into_iter().map(|l| (l.run, l)).collect();
            let mut query = db.prepare_cached(
                "SELECT id, (SELECT count(*) FROM look_game WHERE run=arena_run.id) FROM arena_run
                 ORDER BY id DESC LIMIT 200",
            )?;
            let ids: Vec<(i64, i64)> = query
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<Result<_, _>>()?;
            let mut runs = Vec::new();
            for (id, games) in ids {
                runs.extend(Run::get(db, id)?.map(|run| (run, games)));
            }
            Ok(html! {
                h1 { "Runs" }
                div #runs data-live {
                    p { (machine()) }
                    @for trouble in &troubles { p.bad role="alert" { (trouble) } }
                    @for (run, games) in &runs { (card(run, *games, live.get(&run.id))) }
                    @if runs.is_empty() { p { "None yet: play, league, sprt or evaluate with this results file." } }
                    (tunes::list(db, &live)?)
                }
            })
        })
        .await?;
    Ok(page_of(frame("Runs", Some(Place::Runs), &content)))
}

fn card(run: &Run, games: i64, live: Option<&Seen>) -> Markup {
    html! {
        article {
            h3 { a href={ "/run/" (run.id) } { "run " (run.id) ": " (run.title()) } " " (state(live)) }
            p { (against(&run.bots())) }
            p { (games) " games" @if let Some(live) = live { ", " (progress(live)) } }
        }
    }
}

/// Who plays, of two against whom.
fn against(bots: &[String]) -> String {
    bots.join(if bots.len() == 2 { " against " } else { ", " })
}

/// One run.
pub async fn page(State(desk): State<Shared>, Path(id): Path<i64>) -> Page {
    if id < 0 {
        let found = desk.work(move |_, index| tunes::page(&index.db, id)).await?;
        return tunes::shown(id, found);
    }
    let content = desk
        .work(move |desk, index| {
            let db = &index.db;
            let Some(run) = Run::get(db, id)? else {
                return Ok(None);
            };
            let live = live::all(db)?.into_iter().find(|l| l.run == id);
            let mut cache = desk.cache.lock().unwrap_or_else(PoisonError::into_inner);
            let games = cache.games(db, id)?;
            Ok(Some((run.title(), content(&run, live.as_ref(), games))))
        })
        .await?;
    let (title, content) =
        content.ok_or_else(|| Failure(StatusCode::NOT_FOUND, format!("There is no run {id}.")))?;
    Ok(page_of(frame(&title, Some(Place::Runs), &content)))
}

fn content(run: &Run, live: Option<&Seen>, games: &Games) -> Markup {
    let names = run.bots();
    let results = &games.results;
    let table = if names.is_empty() {
        Vec::new()
    } else {
        standings(&names, results)
    };
    html! {
        h1 { "Run " (run.id) ": " (run.title()) }
        div #run data-live {
            p { (state(live)) " " (results.len()) " games"
                @if let Some(live) = live { ", " (progress(live)) ". " } @else { ". " }
                (machine()) }
            (wishes(run.id, live))
            (standing_table(run, &table, &elos(&names, results)))
            (strength(run, &names, results))
            @if names.len() > 2 { (courses(&names, results)) (matrix(&names, results)) }
            (faults(&names, games))
            @if !results.is_empty() { h2 { "Time an answer" } }
            div.charts { (times(run, &names, results)) }
            p { a href={ "/games?run=" (run.id) } { "All games of this run" } " "
                a href={ "/games?lost=true&run=" (run.id) } { "those somebody lost" } }
        }
    }
}

/// Elo of each of several with its interval, by Bradley-Terry; empty where it would take long, or tell nothing.
fn elos(names: &[String], results: &BTreeMap<usize, GameResult>) -> BTreeMap<String, Estimate> {
    if names.len() < 3 || results.len() < names.len() || results.len() > RATED {
        return BTreeMap::new();
    }
    names
        .iter()
        .cloned()
        .zip(bradley_terry(names.len(), results))
        .collect()
}

/// Mean points of each of several over the games of the run.
fn courses(names: &[String], results: &BTreeMap<usize, GameResult>) -> Markup {
    let mut sums = vec![(0.0, 0u32); names.len()];
    let every = results.len().div_ceil(POINTS).max(1);
    let mut all: Vec<Line> = names
        .iter()
        .map(|name| Line {
            name: name.clone(),
            points: Vec::new(),
        })
        .collect();
    for (n, r) in results.values().enumerate() {
        for (seat, &bot) in r.seating.iter().enumerate() {
            if let (Some(sum), Some(points)) = (sums.get_mut(bot), r.points.get(seat)) {
                *sum = (sum.0 + points, sum.1 + 1);
            }
        }
        if (n + 1) % every == 0 || n + 1 == results.len() {
            for (line, &(sum, count)) in all.iter_mut().zip(&sums).filter(|(_, s)| s.1 > 0) {
                let mean = sum / f64::from(count);
                line.points.push(((n + 1) as f64, mean, mean, mean));
            }
        }
    }
    let label = "Mean points of each by games of the run";
    html! { @if let Some(svg) = lines(label, &all, &[0.5]) { (picture(svg, label)) (legend(&all)) } }
}

fn standing_table(run: &Run, table: &[Standing], elos: &BTreeMap<String, Estimate>) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Standings" { table {
            thead { tr { th { "bot" } th { "games" } th { "points" }
                @if !elos.is_empty() { th { abbr title="by Bradley-Terry, the mean of all is 0; with its 95 % interval" { "Elo" } } }
                th { "won" } th { "drawn" } th { "lost" } th { "score" }
                th { "faults" } th { "late" } th { "slowest" } th { "p99" } } }
            tbody { @for s in table { tr {
                td { a href={ "/games?" (super::games::query(&[("bot", &s.bot), ("run", &run.id.to_string())])) } { (s.bot) } }
                td.n { (s.games) } td.n { (percent(s.share)) }
                @if let Some(elo) = elos.get(&s.bot) { td.n { (elo) } }
                td.n { (s.wins) } td.n { (s.draws) } td.n { (s.losses) }
                td.n { (format!("{:.1}", s.mean_score)) }
                td.n.bad[!s.faults.is_empty()] { (s.faults.values().sum::<usize>()) }
                td.n.bad[s.late > 0] { (s.late) }
                td.n { (format!("{:.1} ms", s.times.slowest)) } td.n { (format!("{:.1} ms", s.times.p99)) }
            } } }
        } }
    }
}

/// Score with its band and, for a test, the log-likelihood ratio with its bounds; of two bots.
fn strength(run: &Run, names: &[String], results: &BTreeMap<usize, GameResult>) -> Markup {
    if names.len() != 2 {
        return html! {};
    }
    let seats = results.values().next().map_or(2, |r| r.seating.len());
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    results
        .values()
        .for_each(|r| *sizes.entry(r.group).or_default() += 1);
    let group = sizes.values().copied().max().unwrap_or(1);
    let measure = if run.kind == "play" {
        Measure::Points
    } else {
        Measure::of(seats)
    };
    let samples = group_samples(results, 0, 1, group, measure);
    let n = samples.0.len();
    if n < 2 {
        return html! {};
    }
    let steps: Vec<usize> = (1..=POINTS).map(|i| (n * i / POINTS).max(2)).collect();
    let head = |k: usize| samples.head(k);
    let score = Line {
        name: names[0].clone(),
        points: steps
            .iter()
            .map(|&k| {
                let s = head(k).score();
                ((k * group) as f64, s.value, s.low, s.high)
            })
            .collect(),
    };
    let elo = samples.elo();
    let label = format!(
        "Score of {} by games with its 95 % band; Elo {elo}, superior with {}",
        names[0],
        percent(samples.los())
    );
    let tested = run.kind == "sprt" || run.spec["stage"] == "sprt";
    html! {
        @if let Some(svg) = lines(&label, &[score], &[0.5]) { (picture(svg, &label)) }
        @if tested { (likelihood(run, &samples, &steps, group)) }
    }
}

fn likelihood(run: &Run, samples: &Samples, steps: &[usize], group: usize) -> Markup {
    let elo = |n: usize, or: f64| run.spec["elo"][n].as_f64().unwrap_or(or);
    let sprt = Sprt::new(elo(0, Sprt::DEFAULT.0), elo(1, Sprt::DEFAULT.1), group);
    let (low, high) = sprt.bounds();
    let points = steps.iter().map(|&k| {
        let llr = sprt.llr(&samples.head(k));
        ((k * group) as f64, llr, llr, llr)
    });
    let curve = Line {
        name: "LLR".to_owned(),
        points: points.collect(),
    };
    let label = format!(
        "Log-likelihood ratio {:+.2} by games, bounds {low:+.2} and {high:+.2}: {:?}",
        sprt.llr(samples),
        sprt.decide(samples)
    );
    html! { @if let Some(svg) = lines(&label, &[curve], &[low, 0.0, high]) { (picture(svg, &label)) } }
}

/// Points of each against each, as a heat map.
fn matrix(names: &[String], results: &BTreeMap<usize, GameResult>) -> Markup {
    let n = names.len();
    let mut cells = vec![vec![(0.0, 0u32); n]; n];
    for r in results.values() {
        for (a, &me) in r.seating.iter().enumerate() {
            for (b, &other) in r.seating.iter().enumerate() {
                if a != b && me < n && other < n {
                    let better = match r.points[a].total_cmp(&r.points[b]) {
                        std::cmp::Ordering::Greater => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Less => 0.0,
                    };
                    cells[me][other].0 += better;
                    cells[me][other].1 += 1;
                }
            }
        }
    }
    html! {
        h2 { "Each against each" }
        div.wide tabindex="0" role="region" aria-label="Win matrix" { table.matrix {
            thead { tr { th { "points in % of row against column" } @for name in names { th scope="col" { (name) } } } }
            tbody { @for (me, row) in cells.iter().enumerate() { tr {
                th scope="row" { (names[me]) }
                @for (points, games) in row {
                    @if *games == 0 { td { "-" } } @else {
                        @let share = points / f64::from(*games);
                        td.n style=(format!("background:hsl({:.0} 60% 50% / .45)", share * 120.0)) { (format!("{:.0}", share * 100.0)) }
                    }
                }
            } } }
        } }
    }
}

/// Faults by kind, with what was answered and why that was wrong.
fn faults(names: &[String], games: &Games) -> Markup {
    let mut kinds: BTreeMap<(String, String), Vec<(i64, String)>> = BTreeMap::new();
    for (n, r) in &games.results {
        for f in &r.faults {
            let bot = names.get(r.seating[f.seat]).cloned().unwrap_or_default();
            let id = games.ids.get(n).copied().unwrap_or_default();
            kinds
                .entry((bot, f.kind.clone()))
                .or_default()
                .push((id, f.detail.clone()));
        }
    }
    html! {
        @if !kinds.is_empty() { h2 { "Faults" } }
        @for ((bot, kind), list) in &kinds {
            details {
                summary { span.bad { (list.len()) " " (kind) } " of " (bot) }
                ul { @for (id, detail) in list.iter().take(50) {
                    li { a href={ "/game/" (id) "#fault" } { "game " (id) } " " (detail) }
                } }
            }
        }
    }
}

/// How long each bot took.
fn times(run: &Run, names: &[String], results: &BTreeMap<usize, GameResult>) -> Markup {
    let limit = adapter(&run.game).map_or(50.0, |a| a.limits().1.as_secs_f64() * 1e3);
    html! {
        @for (bot, name) in names.iter().enumerate() {
            @let all: Vec<f32> = results.values().flat_map(|r| {
                let seats = r.seating.iter().enumerate().filter(|(_, b)| **b == bot).map(|(s, _)| s);
                // The first answer has a limit of its own.
                seats.flat_map(|s| r.times.get(s).into_iter().flatten().skip(1).copied()).collect::<Vec<_>>()
            }).collect();
            // A clock of seconds is that of the whole game.
            @let of = if limit > 2000.0 { "game's clock" } else { "limit" };
            @let label = format!("{name}: {} answers after the first, {of} {limit:.0} ms; counts in powers of ten", all.len());
            @if let Some(svg) = histogram(&label, &all, limit, bot) { (picture(svg, &label)) }
        }
    }
}
