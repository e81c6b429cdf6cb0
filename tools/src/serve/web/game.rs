//! The inspector over HTTP: the same page as `show --html`, and the questions that only a server can pass on to bots.

use super::{Failure, Page, Shared};
use crate::adapter::Adapter;
use crate::arena::bots::Bot;
use crate::arena::store::Store;
use crate::games::adapter;
use crate::outside::adapter::shown;
use crate::serve::ask::{self, Effort};
use crate::serve::playout::playouts;
use crate::serve::position::Position;
use crate::show::page;
use anyhow::{Context, Result, bail};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Html;
use serde::Deserialize;
use serde_json::{Value, json};

/// Playouts of one question at most.
const MOST: usize = 1000;

/// One game.
pub async fn page(State(desk): State<Shared>, Path(id): Path<i64>) -> Page {
    let html = desk
        .with(move |desk, _| {
            let store = Store::read(&desk.path)?;
            let trace = store.trace(id)?;
            // Of an outside game there is nobody here who could ask again.
            let (adapter, asking) = (shown(&trace.game), crate::games::known(&trace.game).map(|_| id));
            Ok(page::html_asking(adapter, &trace, asking))
        })
        .await
        .map_err(|Failure(_, why)| Failure(StatusCode::NOT_FOUND, why))?;
    Ok(Html(html))
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
    let path = desk.path.clone();
    let _turn = desk.asking.acquire().await;
    let done = tokio::task::spawn_blocking(move || answer(&path, &question)).await;
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

fn answer(path: &std::path::Path, q: &Question) -> Result<Value> {
    let trace = Store::read(path)?.trace(q.game)?;
    let adapter = known(&trace.game)?;
    let position = Position::at(adapter, &trace, q.turn, Some(q.seat))?;
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
        json!({"answers": answers, "playouts": scores, "differs": position.differs,
              "limit": position.limit.as_secs_f64() * 1e3}),
    )
}
