//! One game as one self-contained HTML page: board, slider, arrow keys, both bots' words and times.
//!
//! Works offline, at phone width, in light and dark. With `#check` in its address the page steps through
//! itself by key events and writes what it found into `document.body.dataset` (see [`super::browser`]).

use super::think;
use super::trace::Trace;
use crate::adapter::{Adapter, SEAT_COLOURS};
use serde_json::{Value, json};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Scores at a step: the view's own (`points`, `scores`), where it has them.
fn scores(view: &Value) -> Value {
    ["points", "scores"]
        .iter()
        .map(|k| &view[*k])
        .find(|v| v.is_array())
        .cloned()
        .unwrap_or(Value::Null)
}

/// FNV-1a, so that the check can compare pictures without carrying them twice.
pub fn fingerprint(text: &str) -> String {
    let hash = text.encode_utf16().fold(0x811c_9dc5u32, |h, c| {
        (h ^ u32::from(c)).wrapping_mul(0x0100_0193)
    });
    format!("{hash:08x}")
}

/// The page of a game.
pub fn html(adapter: &dyn Adapter, trace: &Trace) -> String {
    let steps: Vec<Value> = trace
        .steps
        .iter()
        .map(|step| {
            let says: Vec<Value> = step
                .exchanges
                .iter()
                .map(|e| {
                    json!({"seat": e.seat, "send": e.send, "want": e.want, "out": e.output, "err": e.stderr,
                           "ms": e.micros as f64 / 1000.0, "think": think::parse(&e.stderr)})
                })
                .collect();
            json!({"svg": adapter.svg(&step.view), "scores": scores(&step.view), "says": says})
        })
        .collect();
    let last = steps.last().and_then(|s| s["svg"].as_str()).unwrap_or_default();
    let data = json!({"bots": trace.bots, "seed": trace.seed.to_string(), "steps": steps,
                      "scores": trace.scores, "verdicts": trace.verdicts, "last": fingerprint(last)});
    // A script element ends at `</script`, and `<!--` opens a state in which not even that ends it.
    let data = data.to_string().replace('<', "\\u003c");
    let mut options = String::new();
    for (name, value) in &trace.options {
        let _ = write!(options, "<span>{} {}</span>", escape(name), escape(value));
    }
    let mut colours = String::new();
    for (seat, colour) in SEAT_COLOURS.iter().enumerate() {
        let _ = write!(colours, ".seat{seat}{{--s:{colour}}}");
    }
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{game} {seed}</title>\
         <style>{STYLE}{colours}</style></head><body><header><h1>{game}</h1>{options}\
         <span>seed <code id=\"seed\">{seed}</code> <button id=\"copy\" type=\"button\">copy</button></span>\
         <span>{end}</span></header>\
         <main><figure id=\"board\" aria-live=\"polite\"></figure><section><nav>\
         <button id=\"first\" type=\"button\" aria-label=\"first\">|◀</button>\
         <button id=\"back\" type=\"button\" aria-label=\"back\">◀</button>\
         <button id=\"play\" type=\"button\" aria-label=\"play\">►</button>\
         <button id=\"next\" type=\"button\" aria-label=\"next\">▶</button>\
         <button id=\"final\" type=\"button\" aria-label=\"last\">▶|</button>\
         <input id=\"at\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"step\">\
         <output id=\"count\"></output></nav><div id=\"says\"></div><div id=\"curves\"></div></section></main>\
         <script type=\"application/json\" id=\"data\">{data}</script><script>{SCRIPT}</script></body></html>\n",
        game = escape(&trace.game),
        seed = trace.seed,
        end = escape(&trace.end),
    )
}

#[cfg(test)]
mod tests {
    use super::html;
    use crate::adapter::Setup;
    use crate::games::adapters;
    use crate::show::trace::{Exchange, Step, Trace};

    #[test]
    fn pages_need_nothing_but_themselves_and_words_stay_words() {
        for &adapter in adapters() {
            let referee = adapter.referee(&Setup::default()).unwrap();
            let mut trace = Trace::new(
                adapter.name(),
                77,
                &[("a".into(), "<b>".into())].into(),
                &["x".into()],
            );
            let exchange = Exchange {
                want: 1,
                stderr: "</script><script>alert(1)</script><!--<script>\nthink value=0.5".into(),
                ..Exchange::default()
            };
            trace.steps.push(Step {
                view: referee.view(),
                exchanges: vec![exchange],
            });
            let page = html(adapter, &trace);
            assert!(page.contains("<code id=\"seed\">77</code>") && page.contains("a &lt;b&gt;"));
            assert_eq!(page.matches("</script>").count(), 2, "{}", adapter.name());
            assert!(!page.contains("<!--"), "{}", adapter.name());
            for outside in ["src=", "href=", "@import", "url(", "https:"] {
                assert!(!page.contains(outside), "{}: {outside}", adapter.name());
            }
        }
    }
}
