//! What the buttons do. Each is a subcommand's work, and leads back to a page.

use super::{Failure, Shared};
use crate::arena::live::{self, Wish};
use crate::serve::pool::{self, Role};
use anyhow::{Context, bail};
use axum::Form;
use axum::extract::{Path, State};
use axum::response::Redirect;
use serde::Deserialize;

/// A bot to add.
#[derive(Deserialize)]
pub struct Added {
    game: String,
    bot: String,
    role: String,
}

/// Adds a bot. A `.rs` file is compiled here, so that what does not compile is not taken.
pub async fn add(State(desk): State<Shared>, Form(form): Form<Added>) -> Result<Redirect, Failure> {
    desk.work(move |_, index| {
        let role = Role::read(&form.role).with_context(|| format!("no role {}", form.role))?;
        pool::add(&index.db, &form.game, &form.bot, role)
    })
    .await?;
    Ok(Redirect::to("/"))
}

/// What a bot shall be.
#[derive(Deserialize)]
pub struct Assigned {
    role: String,
}

/// Gives a bot a role, or takes it out.
pub async fn assign(
    State(desk): State<Shared>,
    Path(id): Path<i64>,
    Form(form): Form<Assigned>,
) -> Result<Redirect, Failure> {
    desk.work(move |_, index| {
        if form.role == "remove" {
            return pool::remove(&index.db, id);
        }
        let role = Role::read(&form.role).with_context(|| format!("no role {}", form.role))?;
        pool::assign(&index.db, id, role)
    })
    .await?;
    Ok(Redirect::to("/"))
}

/// How many games.
#[derive(Deserialize)]
pub struct Stages {
    #[serde(default)]
    pool: Option<u32>,
    #[serde(default)]
    sprt: Option<u32>,
}

/// Plays a candidate against the pool, as a process of its own that goes on without us.
pub async fn evaluate(
    State(desk): State<Shared>,
    Path(id): Path<i64>,
    Form(stages): Form<Stages>,
) -> Result<Redirect, Failure> {
    desk.work(move |desk, index| {
        pool::get(&index.db, id)?;
        let mut args = vec!["evaluate".to_owned(), id.to_string()];
        for (name, games) in [("--pool", stages.pool), ("--sprt", stages.sprt)] {
            args.extend(games.into_iter().flat_map(|n| [name.to_owned(), n.to_string()]));
        }
        args.extend(desk.referee.iter().cloned());
        args.push(desk.contained());
        desk.start(args)
    })
    .await?;
    Ok(Redirect::to("/runs"))
}

/// What a run shall do.
#[derive(Deserialize)]
pub struct Wished {
    wish: String,
}

/// Pauses, resumes or stops a run; resumes one whose process is gone where that can be done.
pub async fn wish(
    State(desk): State<Shared>,
    Path(id): Path<i64>,
    Form(form): Form<Wished>,
) -> Result<Redirect, Failure> {
    desk.work(move |_, index| {
        let wish = Wish::read(&form.wish).with_context(|| format!("no wish {}", form.wish))?;
        if !live::wish(&index.db, id, wish)? {
            bail!("run {id} does not play");
        }
        Ok(())
    })
    .await?;
    Ok(Redirect::to(&format!("/run/{id}")))
}
