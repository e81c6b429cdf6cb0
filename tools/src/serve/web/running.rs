//! What every page of a run shows while it plays: state, progress, the machine's load, and buttons to pause and stop it.

use super::html::span;
use crate::arena::live::Seen;
use crate::arena::load::cores;
use maud::{Markup, html};

/// Points of a curve.
pub const POINTS: usize = 120;

/// Load of this machine.
pub fn machine() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = text.split(' ').next().unwrap_or("?").to_owned();
    format!("Load {load} on {} cores.", cores())
}

/// Whether it plays, in a word.
pub fn state(live: Option<&Seen>) -> Markup {
    html! { @if let Some(live) = live { span class={ "state " (live.state) } { (live.state) } } }
}

/// How far it is.
pub fn progress(live: &Seen) -> Markup {
    html! {
        @if live.running() {
            progress max=(live.total) value=(live.done) aria-label="games done" {}
            " " (live.total.saturating_sub(live.done)) " left, "
        }
        (format!("{:.2}", live.rate)) " a second"
        @if let Some(eta) = live.eta() { ", ready in " (span(eta)) }
    }
}

/// What may be wished of a run that plays.
pub fn wishes(id: i64, live: Option<&Seen>) -> Markup {
    html! {
        @if let Some(live) = live { @if live.running() {
            form method="post" action={ "/run/" (id) } {
                @if live.wish == "pause" { button name="wish" value="go" { "Resume" } }
                @else { button name="wish" value="pause" { "Pause" } }
                button name="wish" value="stop" { "Stop" }
            }
        } }
    }
}
