//! Candidates against the benchmark pool: who is measured, how far it is, and the author's word.

use super::html::{Place, page as frame, percent};
use super::{Page, Shared, page_of};
use crate::games::adapters;
use crate::outside;
use crate::serve::pool::{self, Entry, Role, Stage};
use axum::extract::State;
use maud::{Markup, html};

/// The page.
pub async fn page(State(desk): State<Shared>) -> Page {
    let content = desk
        .work(|_, index| {
            let entries = pool::all(&index.db)?;
            let mut rows = Vec::new();
            for entry in entries {
                let stages = pool::stages(&index.db, entry.id)?;
                rows.push((entry, stages));
            }
            let games: i64 = (index.db).query_row("SELECT count(*) FROM look_game", [], |row| row.get(0))?;
            Ok(content(&rows, games))
        })
        .await?;
    Ok(page_of(frame("Bots", Some(Place::Home), &content)))
}

/// Bots by game: candidates with what they have played, then the pool.
fn content(rows: &[(Entry, Vec<Stage>)], games: i64) -> Markup {
    let mut names: Vec<&str> = rows.iter().map(|(e, _)| e.game.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    html! {
        h1 { "Candidates and pool" }
        div #pool data-live {
            p { (games) " games in this file. " a href="/games?lost=true" { "Lost games" } }
            @if rows.is_empty() {
                p { "Nobody here yet: add a candidate, and whom it shall be measured against." }
            }
            @for game in &names {
                @let of_game = || rows.iter().filter(|(e, _)| e.game == *game);
                h2 { (game) }
                @for (entry, stages) in of_game().filter(|(e, _)| e.role == Role::Candidate) { (card(entry, stages)) }
                (pool_table(of_game().filter(|(e, _)| e.role != Role::Candidate)))
            }
        }
        h2 { "Add a bot" }
        form method="post" action="/bots" {
            label { "Game " select name="game" {
                @for name in outside::adapter::names() { option { (name) } }
                @for adapter in adapters() { option { (adapter.name()) } }
            } }
            label { "Bot " input name="bot" required placeholder="bot.rs, command, engine:500" autocomplete="off" spellcheck="false"; }
            label { "Role " select name="role" {
                option { "candidate" } option { "benchmark" }
            } }
            button { "Add" }
        }
        p.note { "A file or command is looked for where the server was started; " code { "builtin:greedy" } ", "
            code { "engine" } ", " code { "engine:500" } " (iterations) and " code { "engine:40ms" } " are built in. Adding a \
            bot starts nothing; playing it does." }
    }
}

fn name(entry: &Entry) -> Markup {
    html! {
        a href={ "/games?" (super::games::query(&[("game", &entry.game), ("bot", &entry.bot)])) } { (entry.bot) }
    }
}

/// What the author may say of a bot.
fn words(entry: &Entry) -> Markup {
    let role = entry.role.word();
    html! {
        form.words method="post" action={ "/bots/" (entry.id) } {
            @for (word, name) in [("promoted", "Promote"), ("rejected", "Reject"), ("candidate", "Candidate"),
                                  ("benchmark", "Benchmark"), ("remove", "Remove")] {
                @if word != role {
                    button name="role" value=(word) aria-label={ (name) " " (entry.bot) } { (name) }
                }
            }
        }
    }
}

/// Everybody of a game who is no candidate.
fn pool_table<'a>(rows: impl Iterator<Item = &'a (Entry, Vec<Stage>)>) -> Markup {
    let rows: Vec<_> = rows.collect();
    html! {
        @if rows.is_empty() { p.note { "Nobody measures its candidates: builtin:greedy will." } } @else {
            div.wide tabindex="0" role="region" aria-label="Pool" { table.pool {
                thead { tr { th scope="col" { "role" } th scope="col" { "bot" } th scope="col" { "stages" } th scope="col" { "make it" } } }
                tbody { @for (entry, stages) in rows { tr {
                    td { span class={ "role " (entry.role.word()) } { (entry.role.word()) } }
                    td { (name(entry)) }
                    td { @for s in stages { a href={ "/run/" (s.run) } { (s.stage) } " " @if s.games > 0 { (percent(s.points)) } " " } }
                    td { (words(entry)) }
                } } }
            } }
        }
    }
}

/// A version in a few letters: `cand-1f2e3d`.
fn short(version: &str) -> &str {
    let end = version.rfind('-').map_or(0, |at| at + 7);
    version.get(..end).unwrap_or(version)
}

fn card(entry: &Entry, stages: &[Stage]) -> Markup {
    let role = entry.role.word();
    // Versions are told apart where the file has changed.
    let several = stages.iter().any(|s| s.version != stages[0].version);
    html! {
        article id={ "bot" (entry.id) } {
            h3 { span class={ "role " (role) } { (role) } " " (name(entry)) " " span.note { (entry.game) } }
            @if !stages.is_empty() {
                div.wide tabindex="0" role="region" aria-label={ "Stages of " (entry.bot) } { table {
                    thead { tr {
                        th scope="col" { "stage" } th scope="col" { "games" } th scope="col" { "points" }
                        th scope="col" { "95 %" } th scope="col" { "faults" }
                    } }
                    tbody { @for s in stages {
                        tr {
                            td { a href={ "/run/" (s.run) } { (s.stage) }
                                @if let (true, Some(version)) = (several, &s.version) { " " span.note { (short(version)) } } }
                            td { (s.games) " of " (s.total) }
                            td.n { @if s.games > 0 { (percent(s.points)) } }
                            td.n { @if s.games > 0 { (format!("{:.0} to {:.0}", s.low * 100.0, s.high * 100.0)) } }
                            td.n.bad[s.faults > 0] { (s.faults) }
                        }
                    } }
                } }
            }
            div.row {
                form method="post" action={ "/evaluate/" (entry.id) } {
                    label { "games against the pool " input name="pool" inputmode="numeric" pattern="[0-9]+" value="200"; }
                    label { "SPRT against the last promoted, at most "
                        input name="sprt" inputmode="numeric" pattern="[0-9]+" value="2000"; }
                    button { "Play it" }
                }
                (words(entry))
            }
        }
    }
}
