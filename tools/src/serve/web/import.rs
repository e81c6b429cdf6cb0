//! Games from elsewhere: files chosen in the browser, checked by the simulator; what differs is listed first.

use super::html::{Place, page as frame};
use super::{Failure, Page, Shared, page_of};
use crate::games::adapters;
use crate::outside::adapter::adapter;
use crate::serve::take::{Taken, take};
use anyhow::{Context, Result, bail};
use axum::extract::{Multipart, State};
use axum::http::StatusCode;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// Bytes of one upload at most.
pub const MOST: usize = 512 << 20;

/// The form.
pub async fn page() -> Page {
    Ok(page_of(frame(
        "Import",
        Some(Place::Import),
        &content(None, "rails", ""),
    )))
}

fn content(taken: Option<&Taken>, game: &str, options: &str) -> Markup {
    html! {
        h1 { "Import" }
        p { "Games played elsewhere: the simulator plays them again, and what comes to the same end is stored like our own." }
        form method="post" action="/import" enctype="multipart/form-data" {
            label { "Game " select name="as" {
                @for a in adapters() { option selected[a.name() == game] { (a.name()) } }
            } }
            label { "Files " input type="file" name="file" multiple required; }
            label { "Options " input name="options" placeholder="league=3, where the files do not tell" value=(options); }
            button { "Import" }
        }
        p.note { "Games downloaded from CodinGame (JSON, wrapped or not, in arrays, one a line, gzipped), logs of a CodinGame \
            referee run at home, the log of connexion's testing tool, games of slime's controller. In the terminal: "
            code { "cargo fifty import FILES… --as GAME" } }
        @if let Some(taken) = taken { (outcome(taken)) }
    }
}

fn outcome(taken: &Taken) -> Markup {
    html! {
        section role="status" {
            @if !taken.differ.is_empty() {
                h2.bad { (taken.differ.len()) " differ or cannot be read" }
                ul { @for (name, why) in taken.differ.iter().take(500) { li { (name) ": " span.bad { (why) } } } }
            }
            h2 { (taken.stored.len()) " stored" @if taken.known > 0 { ", " (taken.known) " were there" } }
            @for run in &taken.runs { p { a href={ "/games?run=" (run) } { "the games of run " (run) } } }
        }
    }
}

/// `league=3, map=2`.
fn pairs(text: &str) -> Result<BTreeMap<String, String>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (key, value) = part
                .split_once('=')
                .with_context(|| format!("option {part}: expected key=value"))?;
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        })
        .collect()
}

/// Takes the files of the form.
pub async fn take_in(State(desk): State<Shared>, mut form: Multipart) -> Page {
    let (mut game, mut options, mut files) = (String::new(), String::new(), Vec::new());
    let broken = |e: axum::extract::multipart::MultipartError| Failure(e.status(), e.body_text());
    while let Some(field) = form.next_field().await.map_err(broken)? {
        let name = field.name().unwrap_or_default().to_owned();
        let file = field.file_name().unwrap_or("a file").to_owned();
        let bytes = field.bytes().await.map_err(broken)?.to_vec();
        match name.as_str() {
            "as" => String::from_utf8_lossy(&bytes).trim().clone_into(&mut game),
            "options" => String::from_utf8_lossy(&bytes).trim().clone_into(&mut options),
            // A form without a file sends one without a name.
            "file" if !(bytes.is_empty() && file.is_empty()) => files.push((file, bytes)),
            _ => {}
        }
    }
    let path = desk.path.clone();
    let work = move || -> Result<Markup> {
        let of = adapter(&game).with_context(|| format!("no game named {game}"))?;
        if files.is_empty() {
            bail!("expected files of games");
        }
        let given = pairs(&options)?;
        let named = files.into_iter().map(|(name, bytes)| {
            let read = move || Ok(bytes);
            (name, Box::new(read) as Box<dyn FnOnce() -> Result<Vec<u8>>>)
        });
        let taken = take(of, &given, named, &path)?;
        Ok(content(Some(&taken), &game, &options))
    };
    let done = desk.aside(work).await;
    let content = done.map_err(|e| Failure(StatusCode::INTERNAL_SERVER_ERROR, e.to_string()))??;
    Ok(page_of(frame("Import", Some(Place::Import), &content)))
}
