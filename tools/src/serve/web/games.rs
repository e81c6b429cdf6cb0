//! The table of games: filters that combine, an order by any column, a leaderboard and a chart over what is left, export.

use super::chart::{Line, legend, lines};
use super::html::{Place, page as frame, percent, picture};
use super::{Failure, Page, Shared, page_of};
use crate::arena::store::Store;
use crate::games::adapters;
use crate::serve::facts::courses;
use crate::serve::filter::{COLUMNS, Filter, FoundGames, Seen, given};
use crate::serve::index::Index;
use crate::serve::leaderboard::Place as Standing;
use anyhow::Result;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::IntoResponse;
use maud::{Markup, html};
use std::time::{Duration, Instant};

/// Rows a page.
const ROWS: usize = 50;
/// Games whose messages are read for a chart.
const CHARTED: usize = 60;
/// How long one page reads messages of games, for facts or a chart; the rest waits for the next.
const READING: Duration = Duration::from_millis(120);

/// What only the page asks for.
#[derive(serde::Deserialize, Default)]
pub struct Wanted {
    #[serde(default)]
    course: String,
    #[serde(default)]
    board: bool,
}

impl Wanted {
    /// The filter in an address with what else is shown, some of its words changed.
    fn address(&self, filter: &Filter, change: &[(&str, String)]) -> String {
        let mut all = vec![("course", self.course.clone())];
        all.extend(self.board.then(|| ("board", "true".to_owned())));
        all.extend(change.iter().cloned());
        address(filter, &all)
    }
}

/// `key=value` pairs for an address.
pub fn query(pairs: &[(&str, &str)]) -> String {
    let plain = |text: &str| -> String {
        text.bytes()
            .map(|b| match b {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                    (b as char).to_string()
                }
                b => format!("%{b:02X}"),
            })
            .collect()
    };
    let pairs: Vec<String> = pairs.iter().map(|(k, v)| format!("{k}={}", plain(v))).collect();
    pairs.join("&")
}

/// The filter as words of an address: those that say something.
fn pairs(filter: &Filter) -> Vec<(String, String)> {
    let all = serde_json::to_value(filter).unwrap_or_default();
    let mut pairs: Vec<(String, String)> = Vec::new();
    for (key, value) in all.as_object().into_iter().flatten() {
        let text = match value {
            serde_json::Value::String(text) if !text.is_empty() => text.clone(),
            serde_json::Value::Bool(true) => "true".to_owned(),
            serde_json::Value::Number(n) if !matches!(key.as_str(), "limit" | "offset") => n.to_string(),
            _ => continue,
        };
        pairs.push((key.clone(), text));
    }
    pairs
}

/// The filter in an address, with some of its words changed; an empty one is left out.
pub fn address(filter: &Filter, change: &[(&str, String)]) -> String {
    let mut pairs = pairs(filter);
    for (key, value) in change {
        pairs.retain(|(k, _)| k != key);
        if !value.is_empty() {
            pairs.push(((*key).to_owned(), value.clone()));
        }
    }
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    query(&pairs)
}

/// A form sends every field; an empty one is no condition, and a filter without an order shows the newest.
fn tidy(mut filter: Filter, rows: usize) -> Filter {
    filter.limit = rows;
    if given(Some(&filter.sort)).is_none() {
        "-id".clone_into(&mut filter.sort);
    }
    filter
}

/// The filter of an address: fields that are empty are left out.
pub fn read(raw: &[(String, String)]) -> Result<Filter, Failure> {
    let mut object = serde_json::Map::new();
    for (key, value) in raw.iter().filter(|(_, v)| !v.trim().is_empty()) {
        let value = value.trim();
        let json = match key.as_str() {
            "run" | "seat" | "like" | "offset" | "limit" => {
                let number: i64 = value.parse().map_err(|_| {
                    Failure(
                        axum::http::StatusCode::BAD_REQUEST,
                        format!("{key} {value}: expected a whole number"),
                    )
                })?;
                number.into()
            }
            "lost" | "won" | "drawn" | "late" => (value == "true" || value == "on").into(),
            _ => value.into(),
        };
        object.insert(key.clone(), json);
    }
    serde_json::from_value(object.into())
        .map_err(|e| Failure(axum::http::StatusCode::BAD_REQUEST, e.to_string()))
}

/// The page.
pub async fn page(
    State(desk): State<Shared>,
    Query(raw): Query<Vec<(String, String)>>,
    Query(wanted): Query<Wanted>,
) -> Page {
    let filter = tidy(read(&raw)?, ROWS);
    let content = desk
        .work(move |_, index| {
            let mut unread = 0;
            if filter.needs_facts() {
                let until = Instant::now() + READING;
                unread = index.read_facts(1, |_| {})?;
                while unread > 0 && Instant::now() < until {
                    unread = index.read_facts(5, |_| {})?;
                }
            }
            let found = filter.find(index);
            Ok(match found {
                Ok(found) => {
                    let board = if wanted.board {
                        filter.leaderboard(index)?
                    } else {
                        Vec::new()
                    };
                    let chart = if let Some(name) = given(Some(&wanted.course)) {
                        course(index, &filter, name)?
                    } else {
                        html! {}
                    };
                    content(
                        &filter,
                        &wanted,
                        &table(&filter, &wanted, &found),
                        &board,
                        &chart,
                        unread,
                    )
                }
                Err(error) => {
                    let message = html! { p.bad role="alert" { (format!("{error:#}")) } };
                    content(&filter, &wanted, &message, &[], &html! {}, 0)
                }
            })
        })
        .await?;
    Ok(page_of(frame("Games", Some(Place::Games), &content)))
}

/// A text to be saved as a file.
fn file(kind: &'static str, name: &str, text: String) -> impl IntoResponse + use<> {
    let saved = format!("attachment; filename=\"{name}\"");
    let heads = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, saved),
    ];
    (heads, text)
}

/// Everything that fits, as CSV.
pub async fn csv(
    State(desk): State<Shared>,
    Query(raw): Query<Vec<(String, String)>>,
) -> Result<impl IntoResponse, Failure> {
    let filter = tidy(read(&raw)?, 0);
    let text = desk.work(move |_, index| Ok(filter.find(index)?.csv())).await?;
    Ok(file("text/csv; charset=utf-8", "games.csv", text))
}

/// Everything that fits, one JSON object a line.
pub async fn jsonl(
    State(desk): State<Shared>,
    Query(raw): Query<Vec<(String, String)>>,
) -> Result<impl IntoResponse, Failure> {
    let filter = tidy(read(&raw)?, 0);
    let text = desk
        .work(move |_, index| {
            let rows = filter.find(index)?.rows;
            let lines: Vec<String> = rows.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
            Ok(lines.join("\n") + "\n")
        })
        .await?;
    Ok(file("application/jsonl", "games.jsonl", text))
}

fn content(
    filter: &Filter,
    wanted: &Wanted,
    table: &Markup,
    board: &[Standing],
    chart: &Markup,
    unread: usize,
) -> Markup {
    let text = |field: &Option<String>| field.clone().unwrap_or_default();
    let number = |field: Option<String>| field.unwrap_or_default();
    html! {
        h1 { "Games" }
        form method="get" action="/games" role="search" {
            label { "Game " select name="game" {
                option value="" { "any" }
                @for adapter in adapters() {
                    option selected[filter.game.as_deref() == Some(adapter.name())] { (adapter.name()) }
                }
            } }
            label { "Bot " input name="bot" value=(text(&filter.bot)); }
            label { "Against " input name="opponent" value=(text(&filter.opponent)); }
            fieldset {
                legend { "Result" }
                @for (name, on) in [("lost", filter.lost), ("drawn", filter.drawn), ("won", filter.won)] {
                    label { input type="checkbox" name=(name) value="true" checked[on]; " " (name) }
                }
            }
            label { input type="checkbox" name="late" value="true" checked[filter.late]; " late answers" }
            label { "Fault " select name="fault" {
                option value="" { "no matter" }
                @for kind in ["any", "timeout", "crash", "invalid", "garbage", "flood"] {
                    option selected[filter.fault.as_deref() == Some(kind)] { (kind) }
                }
            } }
            label { "Option " input name="option" placeholder="league=3" value=(text(&filter.option)); }
            label { "Said " input name="attr" placeholder="towns=5, nodes>1000" value=(text(&filter.attr)); }
            details open[filter.seat.is_some() || filter.run.is_some() || filter.seed.is_some()
                         || filter.margin.is_some() || filter.length.is_some() || filter.since.is_some()
                         || filter.until.is_some() || filter.ended.is_some() || filter.slowest.is_some()] {
                summary { "more conditions" }
                label { "Run " input name="run" inputmode="numeric" value=(number(filter.run.map(|n| n.to_string()))); }
                label { "Seat " input name="seat" inputmode="numeric" value=(number(filter.seat.map(|n| n.to_string()))); }
                label { "Seed " input name="seed" placeholder="7 or 7..20" value=(text(&filter.seed)); }
                label { "Margin " input name="margin" placeholder="..-10" value=(text(&filter.margin)); }
                label { "Turns " input name="length" placeholder="20..40" value=(text(&filter.length)); }
                label { "Slowest ms " input name="slowest" placeholder="45.." value=(text(&filter.slowest)); }
                label { "Ended " input name="ended" placeholder="part of the words" value=(text(&filter.ended)); }
                label { "Since " input type="date" name="since" value=(text(&filter.since)); }
                label { "Until " input type="date" name="until" value=(text(&filter.until)); }
            }
            label { "Order by " input name="sort" list="orders" value=(filter.sort); }
            datalist #orders { @for (name, _) in COLUMNS { option value=(name); option value={ "-" (name) }; } }
            label { "Chart of " input name="course" placeholder="ms, value, nodes" value=(wanted.course); }
            label { input type="checkbox" name="board" value="true" checked[wanted.board]; " leaderboard" }
            button { "Show" }
        }
        (chips(filter, wanted))
        @if unread > 0 {
            p role="status" { "What " (unread) " games said is not read yet: show again for more." }
        }
        (chart)
        @if !board.is_empty() { (leaderboard(board)) }
        (table)
        p.row {
            "All that fit: "
            a href={ "/games.csv?" (address(filter, &[])) } { "as CSV" }
            a href={ "/games.jsonl?" (address(filter, &[])) } { "as JSON lines" }
            @if let Some(bot) = given(filter.bot.as_ref()) {
                a href={ "/review?" (address(filter, &[])) } { "Review where " (bot) " went wrong" }
            }
        }
    }
}

/// The conditions in force, each with a way out of it.
fn chips(filter: &Filter, wanted: &Wanted) -> Markup {
    let words = |key: &str, value: &str| match key {
        "opponent" => format!("against {value}"),
        "attr" => format!("said {value}"),
        "length" => format!("turns {value}"),
        "like" => format!("seed of game {value}"),
        "lost" | "won" | "drawn" => key.to_owned(),
        "late" => "late answers".to_owned(),
        _ => format!("{key} {value}"),
    };
    let pairs = pairs(filter);
    let conditions: Vec<_> = pairs.iter().filter(|(key, _)| key != "sort").collect();
    html! {
        @if !conditions.is_empty() {
            p.row.chips {
                @for (key, value) in &conditions {
                    @let text = words(key, value);
                    a.chip href={ "/games?" (wanted.address(filter, &[(key, String::new())])) }
                        aria-label={ "without " (text) } { (text) " ×" }
                }
                a href="/games" { "all games" }
            }
        }
    }
}

fn table(filter: &Filter, wanted: &Wanted, found: &FoundGames) -> Markup {
    let head = |name: &str, words: &str| {
        let down = filter.sort == format!("-{name}");
        let up = filter.sort == name;
        let next = if down { name.to_owned() } else { format!("-{name}") };
        let order = if up {
            "ascending"
        } else if down {
            "descending"
        } else {
            "none"
        };
        html! { th aria-sort=(order) scope="col" {
            a href={ "/games?" (wanted.address(filter, &[("sort", next)])) } { (words) @if up { " ▲" } @if down { " ▼" } }
        } }
    };
    let kept = address(filter, &[]);
    let shown = filter.offset + found.rows.len();
    html! {
        p #count role="status" { (found.all) " rows" @if found.all > found.rows.len() { ", " (filter.offset + 1) " to " (shown) } }
        div.wide tabindex="0" role="region" aria-label="Games that fit" {
            table {
                thead { tr {
                    (head("id", "game")) (head("bot", "bot")) th scope="col" { "against" } (head("result", "result"))
                    (head("score", "score")) (head("margin", "margin")) (head("turns", "turns"))
                    (head("slowest", "slowest")) (head("seed", "seed")) (head("played", "played, UTC")) th scope="col" { "end" }
                } }
                tbody { @for row in &found.rows { (line(row, &kept)) } }
            }
        }
        p.row {
            @if filter.offset > 0 {
                a href={ "/games?" (wanted.address(filter, &[("offset", filter.offset.saturating_sub(ROWS).to_string())])) } { "before" }
            }
            @if shown < found.all {
                a href={ "/games?" (wanted.address(filter, &[("offset", shown.to_string())])) } { "next" }
            }
        }
    }
}

fn line(row: &Seen, kept: &str) -> Markup {
    html! {
        tr {
            td { a href={ "/game/" (row.id) "?as=" (row.seat) "&" (kept) } { (row.game) " " (row.id) } }
            td { span class={ "seat seat" (row.seat) } { (row.seat) } " " (row.bot) }
            td { (row.against) }
            td class=(row.result) { (row.result) }
            td.n { (row.score) }
            td.n { (format!("{:+}", row.margin)) }
            td.n { (row.turns) }
            td.n { (format!("{:.1}", row.slowest)) }
            td.n { a href={ "/games?like=" (row.id) } title="the other seatings of this seed"
                aria-label={ "all seatings of seed " (row.seed) } { (row.seed) } }
            td { (row.played) }
            td {
                @if let Some(fault) = &row.fault { span.bad { (fault) } " " }
                @if row.late > 0 { span.bad { (row.late) " late" } " " }
                (row.ended)
            }
        }
    }
}

fn leaderboard(places: &[Standing]) -> Markup {
    html! {
        h2 { "Leaderboard of what fits" }
        div.wide tabindex="0" role="region" aria-label="Leaderboard" {
            table {
                thead { tr { th { "bot" } th { "seats" } th { "points" } th { "95 %" } th { "score" } th { "margin" } th { "faults" } th { "late" } } }
                tbody { @for p in places {
                    tr {
                        td { (p.bot) }
                        td.n { (p.games) }
                        td.n { (percent(p.points)) }
                        td.n { (format!("{:.1} to {:.1}", p.low * 100.0, p.high * 100.0)) }
                        td.n { (format!("{:.2}", p.score)) }
                        td.n { (format!("{:+.2}", p.margin)) }
                        td.n.bad[p.faults > 0] { (p.faults) }
                        td.n.bad[p.late > 0] { (p.late) }
                    }
                } }
            }
        }
    }
}

/// Mean with its least and most, answer by answer, of the newest games that fit.
fn course(index: &Index, filter: &Filter, name: &str) -> Result<Markup> {
    let mut filter = filter.clone();
    filter.limit = CHARTED;
    filter.offset = 0;
    let mut ids: Vec<i64> = filter.find(index)?.rows.iter().map(|r| r.id).collect();
    ids.sort_unstable();
    ids.dedup();
    let store = Store::read(&index.path)?;
    let until = Instant::now() + READING;
    let newest = ids.iter().rev().enumerate();
    let traces: Vec<_> = newest
        .take_while(|(n, _)| *n == 0 || Instant::now() < until)
        .filter_map(|(_, &id)| store.trace(id).ok())
        .collect();
    let all: Vec<Line> = courses(name, traces.iter())
        .into_iter()
        .map(|(bot, course)| Line {
            name: bot,
            points: (course.points.iter().enumerate())
                .filter(|(_, p)| p.0 > 0)
                .map(|(n, p)| (n as f64, p.1, p.2, p.3))
                .collect(),
        })
        .collect();
    let label = format!("{name} by answer: mean, least and most of {} games", traces.len());
    Ok(if let Some(svg) = lines(&label, &all, &[]) {
        html! { (picture(svg, &label)) (legend(&all)) }
    } else {
        html! { p { "No bot told " (name) " in these games." } }
    })
}
