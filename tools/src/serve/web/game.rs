//! The inspector over HTTP: the same page as `show --html`, and the questions that only a server can pass on to bots.

use super::games::{address, read};
use super::html::pages;
use super::{Failure, Page, Shared};
use crate::adapter::Adapter;
use crate::arena::bots::Bot;
use crate::arena::sandbox::Sandbox;
use crate::arena::store::Store;
use crate::outside::adapter::adapter;
use crate::outside::adapter::shown;
use crate::serve::ask::{self, Answer, Effort};
use crate::serve::filter::Filter;
use crate::serve::index::Index;
use crate::serve::line::{candidate, line as on_board, recorded};
use crate::serve::playout::playouts;
use crate::serve::position::Position;
use crate::show::page::{self, Served};
use anyhow::{Context, Result, bail};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Html;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};

/// Playouts of one question at most.
const MOST: usize = 1000;

/// One game; the words of a list's filter in its address lead on through that list.
pub async fn page(
    State(desk): State<Shared>,
    Path(id): Path<i64>,
    Query(raw): Query<Vec<(String, String)>>,
) -> Page {
    let seat = raw.iter().find(|(key, _)| key == "as");
    let seat = seat.and_then(|(_, value)| value.parse().ok());
    let listed = raw.iter().any(|(key, _)| key != "as");
    let filter = if listed { Some(read(&raw)?) } else { None };
    let html = desk
        .work(move |desk, index| {
            let store = Store::read(&desk.path)?;
            let trace = store.trace(id)?;
            // Of an outside game there is nobody here who could ask again.
            let (adapter, asking) = (shown(&trace.game), crate::games::known(&trace.game).map(|_| id));
            let links = links(index, (id, seat.unwrap_or_default()), filter.as_ref())?.into_string();
            Ok(page::html_served(adapter, &trace, &Served { asking, links }))
        })
        .await
        .map_err(|Failure(_, why)| Failure(StatusCode::NOT_FOUND, why))?;
    Ok(Html(html))
}

/// Other pages: those of the workbench, the list this game was found in, its neighbours there, and the games of the same
/// players on the same seed.
fn links(index: &Index, (id, seat): (i64, usize), filter: Option<&Filter>) -> Result<Markup> {
    let others = seatings(index, id)?;
    let around = filter.map(|f| f.around(index, id, seat)).transpose()?.flatten();
    let kept = filter.map_or_else(String::new, |f| address(f, &[]));
    let to = |(game, seat): (i64, usize), words: &str| {
        html! { a href={ "/game/" (game) "?as=" (seat) "&" (kept) } { (words) } }
    };
    Ok(html! {
        nav.pages aria-label="Pages" {
            (pages(None))
            @if let Some(at) = &around {
                a href={ "/games?" (kept) } { "back to the list" }
                @if let Some(game) = at.before { (to(game, "◀ before")) }
                span { (at.place + 1) " of " (at.all) }
                @if let Some(game) = at.after { (to(game, "after ▶")) }
            }
            @if !others.is_empty() {
                span { "same seed, seated otherwise: "
                    @for (game, words) in others.iter().take(6) {
                        a href={ "/game/" (game) } title=(words) aria-label={ "game " (game) ": " (words) } { (game) } " "
                    }
                    @if others.len() > 6 { a href={ "/games?like=" (id) } { "all " (others.len()) } }
                }
            }
        }
    })
}

/// Games of the run on the same seed with the same players, and who sits where in them.
fn seatings(index: &Index, id: i64) -> Result<Vec<(i64, String)>> {
    let mut query = index.db.prepare_cached(
        "SELECT g.game, group_concat(b.name, ' · ') FROM look_game g JOIN look_game own ON own.run=g.run AND own.seed=g.seed
         JOIN look_seat s ON s.game=g.game JOIN look_bot b ON b.id=s.bot WHERE own.game=?1 GROUP BY g.game ORDER BY g.game",
    )?;
    let rows: Vec<(i64, String)> = query
        .query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let players = |words: &str| {
        let mut names: Vec<String> = words.split(" · ").map(str::to_owned).collect();
        names.sort();
        names
    };
    let own = rows.iter().find(|row| row.0 == id).map(|row| players(&row.1));
    let alike = |row: &(i64, String)| row.0 != id && Some(players(&row.1)) == own;
    Ok(rows.into_iter().filter(alike).collect())
}

/// Which line is wanted.
#[derive(Deserialize)]
pub struct Wanted {
    game: i64,
    turn: usize,
    seat: usize,
    /// Another answer, in the words of a candidate.
    instead: Option<String>,
}

/// What the recorded bot expected at a turn, or another answer there, played on the board.
pub async fn line(State(desk): State<Shared>, Query(wanted): Query<Wanted>) -> Result<Json<Value>, Failure> {
    let shown = desk
        .work(move |desk, _| {
            let trace = Store::read(&desk.path)?.trace(wanted.game)?;
            let adapter = known(&trace.game)?;
            let position = Position::at(adapter, &trace, wanted.turn, Some(wanted.seat))?;
            match wanted.instead {
                Some(words) => candidate(&position, &words),
                None => Ok(recorded(adapter, &trace, wanted.turn, position.exchange())),
            }
        })
        .await?;
    Ok(Json(json!(shown)))
}

fn known(game: &str) -> Result<&'static dyn Adapter> {
    adapter(game).with_context(|| format!("{game}: its rules are not here, only games of it"))
}

/// A question as the page sends it.
#[derive(Deserialize)]
pub struct Question {
    game: i64,
    turn: usize,
    seat: usize,
    bots: Vec<String>,
    /// `own`, `clock` or `work`.
    effort: String,
    #[serde(default)]
    amount: u64,
    #[serde(default = "one")]
    times: u64,
    /// Play every choice out so often; 0 for not.
    #[serde(default)]
    playouts: usize,
    #[serde(default)]
    with: String,
}

fn one() -> u64 {
    1
}

/// Asks; one question at a time.
pub async fn ask(
    State(desk): State<Shared>,
    Json(question): Json<Question>,
) -> Result<Json<Value>, (StatusCode, Json<Value>)> {
    let (path, sandbox) = (desk.path.clone(), desk.sandbox);
    let _turn = desk.asking.acquire().await;
    let done = desk.aside(move || answer(&path, &question, sandbox)).await;
    match done {
        Ok(Ok(value)) => Ok(Json(value)),
        Ok(Err(error)) => Err((
            StatusCode::BAD_REQUEST,
            Json(json!({"error": format!("{error:#}")})),
        )),
        Err(error) => Err((
            StatusCode::INTERNAL_SERVER_ERROR,
            Json(json!({"error": error.to_string()})),
        )),
    }
}

/// An answer with the line it expects on the board.
fn with_line(position: &Position<'_>, answer: &Answer) -> Result<Value> {
    let mut value = serde_json::to_value(answer)?;
    let pv = answer.think.as_ref().map_or("", |t| &t.pv);
    let played = answer
        .text
        .as_ref()
        .filter(|_| !answer.astray && answer.fault.is_none());
    let shown = played.map_or(Ok(Vec::new()), |text| on_board(position, text, pv));
    value["line"] = json!(shown.unwrap_or_default());
    Ok(value)
}

fn answer(path: &std::path::Path, q: &Question, sandbox: Sandbox) -> Result<Value> {
    let trace = Store::read(path)?.trace(q.game)?;
    let adapter = known(&trace.game)?;
    let mut position = Position::at(adapter, &trace, q.turn, Some(q.seat))?;
    position.sandbox = sandbox;
    let effort = match (q.effort.as_str(), q.amount) {
        ("own", _) => Effort::Own,
        ("clock", ms @ 1..) => Effort::Clock(ms),
        ("work", n @ 1..) => Effort::Work(n),
        (other, amount) => bail!("{other} {amount}: expected its own, or a clock or work above zero"),
    };
    let mut answers = Vec::new();
    for name in q.bots.iter().filter(|name| !name.trim().is_empty()) {
        let bot = Bot::parse(name.trim(), adapter)?;
        answers.push(ask::ask(&position, &bot, effort, q.times.clamp(1, 1_000_000))?);
    }
    let answers_shown = answers
        .iter()
        .map(|a| with_line(&position, a))
        .collect::<Result<Vec<_>>>()?;
    let mut scores = Vec::new();
    if q.playouts > 0 {
        let recorded = position.exchange().output.trim_end().to_owned();
        let mut choices = Vec::new();
        if !recorded.starts_with('<') {
            choices.push(recorded);
        }
        for text in answers
            .iter()
            .filter(|a| !a.astray)
            .filter_map(|a| a.text.clone())
        {
            if !choices.contains(&text) {
                choices.push(text);
            }
        }
        let with = if q.with.trim().is_empty() {
            "engine:50"
        } else {
            q.with.trim()
        };
        let with = [Bot::parse(with, adapter)?];
        scores = playouts(&position, &choices, &with, q.playouts.min(MOST), 1)?;
    }
    Ok(
        json!({"answers": answers_shown, "playouts": scores, "differs": position.differs,
              "limit": position.limit.as_secs_f64() * 1e3}),
    )
}
