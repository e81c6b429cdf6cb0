//! Runs of the tuner: how far, where each number has gone, what was tried. They lie in tables of their own and count
//! down from -1 where runs of the arena count up from 1.

use super::chart::{Line, legend, lines};
use super::html::{Place, page as frame, percent, picture};
use super::running::{POINTS, machine, progress, state, wishes};
use super::{Failure, Page, page_of};
use crate::adapter::Adapter;
use crate::arena::live::{self, Seen};
use crate::outside::adapter::adapter;
use crate::tune::program::{Recipe, number};
use crate::tune::run::TunePlan;
use crate::tune::space::Space;
use anyhow::{Context, Result};
use axum::http::StatusCode;
use fifty::kit::tunables::Tunable;
use maud::{Markup, html};
use rusqlite::Connection;
use std::collections::BTreeMap;

/// Lines of the chart: those numbers that have moved most.
const MOVED: usize = 8;
/// Settings of the process that are listed.
const TRIALS: usize = 10;

/// A run as it is stored.
struct Tune {
    /// Counted down from -1.
    id: i64,
    name: String,
    game: String,
    setup: String,
    answer: Option<String>,
    pairs: i64,
    trials: i64,
}

/// All runs of the file, or one of them; none where it has no tuner's tables.
fn stored(db: &Connection, only: Option<i64>) -> Result<Vec<Tune>> {
    let known: i64 = db.query_row(
        "SELECT count(*) FROM sqlite_master WHERE name IN ('tune_run', 'tune_pair', 'tune_trial')",
        [],
        |row| row.get(0),
    )?;
    if known < 3 {
        return Ok(Vec::new());
    }
    let mut query = db.prepare_cached(
        "SELECT -rowid, name, game, setup, answer, (SELECT count(*) FROM tune_pair WHERE run=name),
                (SELECT count(*) FROM tune_trial WHERE run=name)
         FROM tune_run WHERE ?1 IS NULL OR rowid=-?1 ORDER BY rowid DESC",
    )?;
    let rows = query.query_map([only], |row| {
        Ok(Tune {
            id: row.get(0)?,
            name: row.get(1)?,
            game: row.get(2)?,
            setup: row.get(3)?,
            answer: row.get(4)?,
            pairs: row.get(5)?,
            trials: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// All runs in a list, those that play with how far they are.
pub fn list(db: &Connection, playing: &BTreeMap<i64, Seen>) -> Result<Markup> {
    let all = stored(db, None)?;
    Ok(html! {
        @if !all.is_empty() { h2 { "Tuning" } }
        @for tune in &all {
            @let live = playing.get(&tune.id);
            article {
                h3 { a href={ "/run/" (tune.id) } { (tune.game) " tune " (tune.name) } " " (state(live)) }
                p { (tune.counted()) @if let Some(live) = live { ", " (progress(live)) } }
            }
        }
    })
}

/// The page of one run.
pub fn page(db: &Connection, id: i64) -> Result<Option<(String, Markup)>> {
    let Some(tune) = stored(db, Some(id))?.pop() else {
        return Ok(None);
    };
    let live = live::all(db)?.into_iter().find(|l| l.run == id);
    let numbers = tune.numbers();
    let path = tune.path(db)?;
    let content = html! {
        h1 { (tune.game) " tune " (tune.name) }
        div #run data-live {
            p { (state(live.as_ref())) " " (tune.counted())
                @if let Some(live) = &live { ", " (progress(live)) } ". " (machine()) }
            (wishes(id, live.as_ref()))
            @match &numbers {
                Some(numbers) => {
                    (walked(numbers, &path))
                    (table(&tune, numbers, &path))
                    (tried(db, &tune, numbers)?)
                }
                None => p.note { "Its numbers are not those of this program: " code { (tune.setup) } }
            }
            p.note { "In the terminal: " code { "cargo fifty apply " (tune.name) } " writes the answer into the source." }
        }
    };
    Ok(Some((format!("Tuning {}", tune.name), content)))
}

/// A page's answer, where there is such a run.
pub fn shown(id: i64, found: Option<(String, Markup)>) -> Page {
    let (title, content) =
        found.ok_or_else(|| Failure(StatusCode::NOT_FOUND, format!("There is no run {id}.")))?;
    Ok(page_of(frame(&title, Some(Place::Runs), &content)))
}

/// A point of a walk: the pair it was left at, and its coordinates in steps.
type Point = (f64, Vec<f64>);

impl Tune {
    fn counted(&self) -> String {
        match self.trials {
            0 => format!("{} pairs", self.pairs),
            n => format!("{n} settings tried"),
        }
    }

    /// The numbers it tunes; none where they are not to be had here.
    fn numbers(&self) -> Option<Space> {
        let adapter: Option<&'static dyn Adapter> = adapter(&self.game);
        if let Ok(plan) = serde_json::from_str::<TunePlan>(&self.setup) {
            return Space::select(adapter?.tunables(), &plan.params).ok();
        }
        let recipe: Recipe = serde_json::from_str(&self.setup).ok()?;
        let numbers: Result<Vec<Tunable>> = recipe.params.iter().map(|text| number(text)).collect();
        Space::select(&numbers.ok()?, &[]).ok()
    }

    /// Points of the walk, a chart's worth of them; the last is the latest.
    fn path(&self, db: &Connection) -> Result<Vec<Point>> {
        let every = (self.pairs / POINTS as i64).max(1);
        let mut query = db.prepare_cached(
            "SELECT n, x FROM tune_pair WHERE run=?1 AND (n % ?2 = 0 OR n = (SELECT max(n) FROM tune_pair WHERE run=?1))
             ORDER BY n",
        )?;
        let rows = query.query_map(rusqlite::params![self.name, every], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
        })?;
        rows.map(|row| {
            let (n, x) = row?;
            let x = serde_json::from_str(&x).with_context(|| format!("pair {n} is damaged"))?;
            Ok((n as f64, x))
        })
        .collect()
    }
}

/// How far the numbers that moved most have gone, in steps, from where they were begun.
fn walked(numbers: &Space, path: &[Point]) -> Markup {
    let (Some((_, first)), Some((_, last))) = (path.first(), path.last()) else {
        return html! {};
    };
    let moved = |i: usize| last[i] - first[i];
    let mut order: Vec<usize> = (0..numbers.len().min(first.len())).collect();
    order.sort_by(|&a, &b| moved(b).abs().total_cmp(&moved(a).abs()));
    order.truncate(MOVED);
    let all: Vec<Line> = order
        .iter()
        .map(|&i| Line {
            name: format!("{} {:+.1}", numbers.dims()[i].name, moved(i)),
            points: path
                .iter()
                .map(|(n, x)| (*n, x[i] - first[i], x[i] - first[i], x[i] - first[i]))
                .collect(),
        })
        .collect();
    let label = "Steps from the start by pairs, of the numbers that moved most";
    html! { @if let Some(svg) = lines(label, &all, &[0.0]) { (picture(svg, label)) (legend(&all)) } }
}

/// Every number: its range, where it began and where it is, and the answer as it stands.
fn table(tune: &Tune, numbers: &Space, path: &[Point]) -> Markup {
    let answer: Vec<(String, f64)> = tune
        .answer
        .as_deref()
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    let at = |point: Option<&Point>, i: usize| {
        let x = point.and_then(|(_, x)| x.get(i)).copied();
        x.map_or_else(String::new, |x| format!("{:.4}", numbers.value(i, x)))
    };
    html! {
        div.wide tabindex="0" role="region" aria-label="Numbers" { table {
            thead { tr { th scope="col" { "number" } th scope="col" { "range" } th scope="col" { "step" } th scope="col" { "shipped" }
                @if !path.is_empty() { th scope="col" { "begun at" } th scope="col" { "now" } }
                @if !answer.is_empty() { th scope="col" { "answer" } } } }
            tbody { @for (i, t) in numbers.dims().iter().enumerate() { tr {
                td { (t.name) }
                td.n { (t.min) " to " (t.max) } td.n { (t.step) } td.n { (t.value) }
                @if !path.is_empty() { td.n { (at(path.first(), i)) } td.n { (at(path.last(), i)) } }
                @if !answer.is_empty() {
                    td.n { @if let Some((_, value)) = answer.iter().find(|(name, _)| name == t.name) { (format!("{value:.4}")) } }
                }
            } } }
        } }
    }
}

/// Settings that the process tried: their results in turn, and the best of them.
fn tried(db: &Connection, tune: &Tune, numbers: &Space) -> Result<Markup> {
    if tune.trials == 0 {
        return Ok(html! {});
    }
    let mut query = db.prepare_cached("SELECT n, at, results FROM tune_trial WHERE run=?1 ORDER BY n")?;
    let rows = query.query_map([&tune.name], |row| {
        Ok((
            row.get::<_, i64>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
        ))
    })?;
    let mut all: Vec<(i64, Vec<f64>, f64)> = Vec::new();
    for row in rows {
        let (n, at, results) = row?;
        let results: Vec<f64> = serde_json::from_str(&results)?;
        let mean = results.iter().sum::<f64>() / results.len().max(1) as f64;
        all.push((n, serde_json::from_str(&at)?, mean));
    }
    let course = Line {
        name: "score".to_owned(),
        points: all
            .iter()
            .map(|(n, _, mean)| (*n as f64 + 1.0, *mean, *mean, *mean))
            .collect(),
    };
    all.sort_by(|a, b| b.2.total_cmp(&a.2));
    let label = "Score of each setting tried, in turn";
    let value = |i: usize, unit: f64| {
        let t = &numbers.dims()[i];
        numbers.within(i, t.min + unit * (t.max - t.min))
    };
    Ok(html! {
        @if let Some(svg) = lines(label, &[course], &[0.5]) { (picture(svg, label)) }
        h2 { "Best settings tried" }
        div.wide tabindex="0" role="region" aria-label="Best settings tried" { table {
            thead { tr { th scope="col" { "setting" } th scope="col" { "score" }
                @for t in numbers.dims() { th scope="col" { (t.name) } } } }
            tbody { @for (n, at, mean) in all.iter().take(TRIALS) { tr {
                td.n { (n + 1) } td.n { (percent(*mean)) }
                @for (i, unit) in at.iter().enumerate().take(numbers.len()) { td.n { (format!("{:.4}", value(i, *unit))) } }
            } } }
        } }
    })
}

#[cfg(test)]
mod tests {
    use super::{list, page, stored};
    use crate::arena::live::{self, Wish};
    use crate::tune::program::{Method, Recipe};
    use crate::tune::regression::Pair;
    use crate::tune::run::TunePlan;
    use crate::tune::spsa::Settings;
    use crate::tune::store::{Row, Store};
    use crate::tune::surrogate::Trial;
    use rusqlite::Connection;
    use std::collections::BTreeMap;

    #[test]
    fn a_walk_and_a_search_are_shown_and_told_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        let db = Connection::open(&path).unwrap();
        assert!(page(&db, -1).unwrap().is_none());
        let mut store = Store::open(&path).unwrap();
        let plan = TunePlan {
            game: "wondev".into(),
            params: vec!["lmr*".into()],
            walk: Settings::default(),
            work: 10,
            options: vec![BTreeMap::new()],
            pool: vec!["self".into()],
            start: Vec::new(),
        };
        store
            .begin("walk <1>", "wondev", &serde_json::to_string(&plan).unwrap())
            .unwrap();
        let row = |n: u64| Row {
            n,
            opponent: "self".into(),
            pair: Pair {
                x: vec![n as f64 / 10.0, 0.0, -1.0],
                signs: vec![1, 1, -1],
                result: 0.5,
            },
        };
        store
            .add("walk <1>", &(0..500).map(row).collect::<Vec<_>>())
            .unwrap();
        let recipe = Recipe {
            bot: "./bot {depth}".into(),
            params: vec!["depth=6,2,12,1".into(), "risk=0.5,0,2,0.1".into()],
            first_line: None,
            opponents: vec!["./old".into()],
            options: vec![BTreeMap::new()],
            method: Method::Gp,
            walk: Settings::default(),
        };
        store
            .begin("search", "wondev", &serde_json::to_string(&recipe).unwrap())
            .unwrap();
        for (n, results) in [vec![0.25, 0.5], vec![1.0, 0.5]].into_iter().enumerate() {
            let at = vec![0.5, n as f64];
            store
                .add_trial("search", n as u64, &Trial { at, results })
                .unwrap();
        }
        let playing = store.live("walk <1>", 4000, 1000).unwrap();
        let live = live::all(&db).unwrap().into_iter().map(|l| (l.run, l)).collect();
        let listed = list(&db, &live).unwrap().into_string();
        for words in [
            "walk &lt;1&gt;",
            "500 pairs",
            "2 settings tried",
            "3000 left",
            "/run/-2",
        ] {
            assert!(listed.contains(words), "{words}: {listed}");
        }
        let walk = page(&db, -1).unwrap().unwrap().1.into_string();
        // 49.9 steps of 5 from 45, as far as the range goes.
        for words in ["lmr +49.9", "Pause", "<svg", "200.0000", "lmr_depth"] {
            assert!(walk.contains(words), "{words}: {walk}");
        }
        let search = page(&db, -2).unwrap().unwrap().1.into_string();
        for words in ["75.0 %", "7.0000", "2.0000", "0 to 2"] {
            assert!(search.contains(words), "{words}: {search}");
        }
        assert!(!search.contains("Pause") && page(&db, -3).unwrap().is_none());
        assert!(live::wish(&db, -1, Wish::Stop).unwrap());
        while playing.goes_on() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert_eq!(stored(&db, None).unwrap().len(), 2);
    }
}
