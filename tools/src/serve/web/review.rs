//! Turns at which a bot chose worse than it would have with many times its clock; a review is started here and runs as a
//! process of its own.

use super::games::{query, read};
use super::html::{Place, page as frame};
use super::{Failure, Page, Shared, page_of};
use crate::games::adapters;
use crate::serve::filter::{Filter, given};
use crate::serve::noted::{self, Noted};
use anyhow::{Result, bail};
use axum::Form;
use axum::extract::{Query, State};
use axum::response::Redirect;
use maud::{Markup, html};
use serde::Deserialize;

/// Turns listed.
const ROWS: usize = 200;

/// The list, and the form that starts a review.
pub async fn page(State(desk): State<Shared>, Query(raw): Query<Vec<(String, String)>>) -> Page {
    let filter = read(&raw)?;
    let content = desk
        .work(move |desk, index| {
            let (bot, game) = (given(filter.bot.as_ref()), given(filter.game.as_ref()));
            let found = noted::costliest(&index.db, bot.unwrap_or_default(), game.unwrap_or_default(), ROWS)?;
            let reviewed = noted::reviewed(&index.db)?;
            Ok(content(&filter, &found, reviewed, &desk.troubles("review")))
        })
        .await?;
    Ok(page_of(frame("Review", Some(Place::Review), &content)))
}

fn content(filter: &Filter, found: &[Noted], reviewed: i64, troubles: &[String]) -> Markup {
    let text = |field: &Option<String>| field.clone().unwrap_or_default();
    html! {
        h1 { "Review" }
        p { "The turns at which a bot chooses otherwise with many times its clock, by what its own choice costs: both are \
            played out on the same futures. In the terminal: " code { "cargo fifty review --bot NAME" } }
        form method="post" action="/review" {
            label { "Game " select name="game" {
                option value="" { "any" }
                @for a in adapters() { option selected[filter.game.as_deref() == Some(a.name())] { (a.name()) } }
            } }
            label { "Bot " input name="bot" required value=(text(&filter.bot)); }
            label { input type="checkbox" name="lost" value="true" checked[filter.lost]; " lost games only" }
            label { "newest games " input name="games" inputmode="numeric" pattern="[0-9]+" value="10"; }
            label { "times its clock " input name="times" inputmode="numeric" pattern="[0-9]+" value="20"; }
            label { "playouts " input name="playouts" inputmode="numeric" pattern="[0-9]+" value="20"; }
            label { "by " input name="with" value="engine:50"; }
            label { "asked instead " input name="stand_in" placeholder="the bot itself"; }
            button { "Review" }
        }
        div #turns data-live {
            @for trouble in troubles { p.bad role="alert" { (trouble) } }
            p role="status" { (reviewed) " seats reviewed so far." }
            @if found.is_empty() { p { "No turn found yet." } } @else {
                div.wide tabindex="0" role="region" aria-label="Turns" { table.turns {
                    thead { tr {
                        th scope="col" { "game" } th scope="col" { "turn" } th scope="col" { "bot" } th scope="col" { "points lost" }
                        th scope="col" { "margin lost" } th scope="col" { "played" } th scope="col" { "with more time" }
                        th scope="col" { "by" }
                    } }
                    tbody { @for n in found { (row(n)) } }
                } }
            }
        }
    }
}

fn row(n: &Noted) -> Markup {
    let d = &n.doubt;
    let value = |v: Option<f64>| v.map_or_else(String::new, |v| format!(" ({v:.3})"));
    html! {
        tr {
            td { a href={ "/game/" (n.game) "?as=" (d.seat) "#" (d.turn) } { "game " (n.game) } }
            td.n { (d.turn) }
            td { (n.bot) }
            td.n { (format!("{:+.1} % ± {:.1}", 100.0 * d.loss.0, 100.0 * d.loss.1)) }
            td.n { (format!("{:+.2} ± {:.2}", d.margin.0, d.margin.1)) }
            td { (d.played) (value(d.value)) }
            td { (d.better) (value(d.later)) }
            td { (n.asked) " with " (n.times) " times its clock; " (n.playouts) " playouts by " (n.by) }
        }
    }
}

/// What is reviewed.
#[derive(Deserialize)]
pub struct Asked {
    #[serde(default)]
    game: String,
    bot: String,
    #[serde(default)]
    lost: Option<String>,
    games: u32,
    times: u64,
    playouts: u32,
    with: String,
    #[serde(default)]
    stand_in: String,
}

/// Starts a review.
pub async fn start(State(desk): State<Shared>, Form(asked): Form<Asked>) -> Result<Redirect, Failure> {
    let back = query(&[("bot", asked.bot.trim()), ("game", &asked.game)]);
    desk.work(move |desk, index| {
        let filter = Filter {
            bot: Some(asked.bot.trim().to_owned()),
            game: Some(asked.game.clone()),
            lost: asked.lost.is_some(),
            limit: 1,
            ..Filter::default()
        };
        if filter.find(index)?.all == 0 {
            bail!("no game of a bot named like {:?} fits", asked.bot);
        }
        let mut args = vec!["review".to_owned(), format!("--bot={}", asked.bot.trim())];
        args.extend((!asked.game.is_empty()).then(|| format!("--game={}", asked.game)));
        args.extend(asked.lost.is_some().then(|| "--lost".to_owned()));
        args.push(format!("--games={}", asked.games));
        args.push(format!("--times={}", asked.times));
        args.push(format!("--playouts={}", asked.playouts));
        args.push(format!("--with={}", asked.with.trim()));
        let stand_in = asked.stand_in.trim();
        args.extend((!stand_in.is_empty()).then(|| format!("--as={stand_in}")));
        args.push(desk.contained());
        desk.start(args)
    })
    .await?;
    Ok(Redirect::to(&format!("/review?{back}")))
}
