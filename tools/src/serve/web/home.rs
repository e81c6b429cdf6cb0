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
        .with(|_, index| {
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

fn content(rows: &[(Entry, Vec<Stage>)], games: i64) -> Markup {
    html! {
        h1 { "Candidates and pool" }
        div #pool data-live {
            p { (games) " games in this file. " a href="/games?lost=true" { "Lost games" } }
            @if rows.is_empty() {
                p { "Nobody here yet: add a candidate, and whom it shall be measured against." }
            }
            @for (entry, stages) in rows { (card(entry, stages)) }
        }
        h2 { "Add a bot" }
        form method="post" action="/bots" {
            label { "Game " select name="game" {
                @for name in outside::adapter::names() { option { (name) } }
                @for adapter in adapters() { option { (adapter.name()) } }
            } }
            label { "Bot " input name="bot" required placeholder="bot.rs, a command, engine:500, builtin:greedy"; }
            label { "Role " select name="role" {
                option { "candidate" } option { "benchmark" }
            } }
            button { "Add" }
        }
        p.note { "A file or command is looked for where the server was started. Adding a bot starts nothing; playing it does." }
    }
}

fn card(entry: &Entry, stages: &[Stage]) -> Markup {
    let role = entry.role.word();
    html! {
        article id={ "bot" (entry.id) } {
            h3 {
                span class={ "role " (role) } { (role) } " "
                a href={ "/games?" (super::games::query(&[("room", &entry.game), ("bot", &entry.bot)])) } { (entry.bot) }
                " " span.note { (entry.game) }
            }
            @if !stages.is_empty() {
                table {
                    thead { tr { th { "stage" } th { "games" } th { "points" } th { "faults" } } }
                    tbody { @for s in stages {
                        tr {
                            td { a href={ "/run/" (s.run) } { (s.stage) } }
                            td { (s.games) " of " (s.total) }
                            td { @if s.games > 0 { (percent(s.points)) } }
                            td.bad[s.faults > 0] { (s.faults) }
                        }
                    } }
                }
            }
            div.row {
                @if entry.role == Role::Candidate {
                    form method="post" action={ "/evaluate/" (entry.id) } {
                        label { "games " input name="pool" inputmode="numeric" value="200"; }
                        label { "SPRT at most " input name="sprt" inputmode="numeric" value="2000"; }
                        button { "Play it against the pool" }
                    }
                }
                form method="post" action={ "/bots/" (entry.id) } {
                    @for (word, name) in [("promoted", "Promote"), ("rejected", "Reject"), ("candidate", "Candidate"),
                                          ("benchmark", "Benchmark"), ("remove", "Remove")] {
                        @if word != role { button name="role" value=(word) { (name) } }
                    }
                }
            }
        }
    }
}
