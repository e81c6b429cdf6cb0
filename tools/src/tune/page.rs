//! The same report as one self-contained page with the paths drawn; works offline.

use super::report::{Check, SCATTER, lines};
use super::run::{Played, TunePlan};
use crate::show::page::escape;
use std::fmt::Write;

/// One line over batches, scaled into `width` x `height`.
fn curve(values: &[f64], width: f64, height: f64) -> String {
    let (low, high) = values
        .iter()
        .fold((f64::MAX, f64::MIN), |(l, h), &v| (l.min(v), h.max(v)));
    let span = (high - low).max(1e-9);
    let every = values.len().div_ceil(400).max(1);
    let points: Vec<String> = values
        .iter()
        .enumerate()
        .step_by(every)
        .map(|(i, v)| {
            let x = width * i as f64 / (values.len() - 1).max(1) as f64;
            format!("{x:.1},{:.1}", height - (v - low) / span * height)
        })
        .collect();
    format!(
        "<svg viewBox=\"-2 -2 {} {}\" role=\"img\"><polyline fill=\"none\" stroke=\"currentColor\" points=\"{}\"/></svg>",
        width + 4.0,
        height + 4.0,
        points.join(" ")
    )
}

/// Mean result of successive stretches: how far apart the two compared points still are.
fn stretches(played: &Played) -> Vec<f64> {
    let stretch = played.rows.len().div_ceil(60).max(1);
    let chunks = played.rows.chunks(stretch);
    chunks
        .map(|c| c.iter().map(|r| r.pair.result.abs()).sum::<f64>() / c.len() as f64)
        .collect()
}

/// The page.
pub fn html(name: &str, plan: &TunePlan, played: &Played, checks: &[Check]) -> String {
    let mut out = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">",
    );
    let _ = write!(out, "<title>{}</title>", escape(name));
    out.push_str(
        "<style>body{font:16px/1.4 system-ui,sans-serif;margin:1rem auto;max-width:60rem;padding:0 1rem;\
         color:#1b1b1b;background:#fff}table{border-collapse:collapse;width:100%}td,th{padding:.2rem .5rem;\
         text-align:right;border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}\
         svg{width:10rem;height:2rem;color:#06c}.wide svg{width:100%;height:8rem}.dim{color:#777}\
         .scroll{overflow-x:auto}@media(prefers-color-scheme:dark){body{color:#eee;background:#16181c}\
         td,th{border-color:#333}svg{color:#6af}}</style>",
    );
    let _ = write!(
        out,
        "<h1>{}</h1><p>{} pairs of {} at {} iterations a move, seed {}, pool {}.{}</p>",
        escape(name),
        played.rows.len(),
        escape(&plan.game),
        plan.work,
        plan.walk.seed,
        escape(&plan.pool.join(", ")),
        if played.stopped { " Stopped early." } else { "" }
    );
    for check in checks {
        let _ = write!(out, "<p><b>{}</b></p>", escape(&check.line()));
    }
    let _ = write!(
        out,
        "<h2>Mean size of a pair's result, start to end</h2><div class=\"wide\">{}</div>",
        curve(&stretches(played), 600.0, 100.0)
    );
    out.push_str(
        "<h2>Numbers</h2><div class=\"scroll\"><table><tr><th>number<th>before<th>after<th>scatter<th>slope a step\
         <th>matters<th>best value, 95 %<th>path</tr>",
    );
    for (i, line) in lines(played).iter().enumerate() {
        let path: Vec<f64> = played.walk.path().iter().map(|p| p[i]).collect();
        let (slope, matters) = match &line.weight {
            Some(w) => (
                format!("{:+.4} ± {:.4}", w.slope.0, w.slope.1),
                if w.matters() {
                    "yes"
                } else {
                    "<span class=\"dim\">not seen</span>"
                },
            ),
            None => ("–".into(), "–"),
        };
        let top = line.top.map_or_else(
            || "<span class=\"dim\">not seen</span>".to_owned(),
            |(x, low, high)| format!("{x:.4} ({low:.4} to {high:.4})"),
        );
        let _ = write!(
            out,
            "<tr><td>{}<td>{:.4}<td>{:.4}<td>{:.4}<td>{slope}<td>{matters}<td>{top}<td>{}</tr>",
            escape(&line.name),
            line.before,
            line.after.0,
            line.after.1,
            curve(&path, 160.0, 30.0)
        );
    }
    let _ = writeln!(out, "</table></div><p>{SCATTER}</p></html>");
    out
}
