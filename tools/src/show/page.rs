//! One game as one self-contained HTML page: board, slider, arrow keys, both bots' words and times.
//!
//! Works offline, at phone width, in light and dark. With `#check` in its address the page steps through
//! itself by key events and writes what it found into `document.body.dataset` (see [`super::browser`]).

use super::pack::{Channel, Pieces};
use super::think;
use super::trace::{Exchange, Trace};
use crate::adapter::{Adapter, SEAT_COLOURS};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write;
use std::io::Write as _;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Reads the game, zipped or not, and starts the script with it as `data`.
const UNPACK: &str = include_str!("unpack.js");
/// Bytes of a game that travel as they are, for whoever searches a page; more are zipped.
const PLAIN: usize = 300_000;

/// A text within HTML or an attribute of it.
pub fn escape(text: &str) -> String {
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

/// One answer of a course that a bot expects, and the position after it.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// Who answers.
    pub seat: usize,
    /// What.
    pub words: String,
    /// The board after it, an SVG element.
    pub svg: String,
}

/// What was expected with an answer: step, message and answer.
pub type Courses<'a> = &'a dyn Fn(usize, &Exchange) -> Vec<Shown>;

/// A page that comes from the workbench.
pub struct Served {
    /// The game's number in the results file, where bots can be asked again about it.
    pub asking: Option<i64>,
    /// Links to other pages, as HTML.
    pub links: String,
}

/// The page of a game, which needs nothing but itself; `courses` are shown on its board.
pub fn html(adapter: &dyn Adapter, trace: &Trace, courses: Courses<'_>) -> String {
    html_of(adapter, trace, courses, None)
}

/// The page of a game from the workbench, which it asks for whatever takes long.
pub fn html_served(adapter: &dyn Adapter, trace: &Trace, served: &Served) -> String {
    html_of(adapter, trace, &|_, _| Vec::new(), Some(served))
}

fn html_of(adapter: &dyn Adapter, trace: &Trace, courses: Courses<'_>, served: Option<&Served>) -> String {
    let asking = served.and_then(|s| s.asking);
    let mut pieces = Pieces::default();
    let mut board = Channel::default();
    let mut read: Vec<Channel> = trace.bots.iter().map(|_| Channel::default()).collect();
    let mut last = String::new();
    let steps: Vec<Value> = trace
        .steps
        .iter()
        .enumerate()
        .map(|(turn, step)| {
            last = adapter.svg(&step.view);
            let svg = pieces.picture(&mut board, &last);
            let says: Vec<Value> = step
                .exchanges
                .iter()
                .map(|e| {
                    let send = match read.get_mut(e.seat) {
                        Some(channel) => pieces.message(channel, &e.send),
                        None => Value::Null,
                    };
                    let mut branch = board.clone();
                    let shown = courses(turn, e).into_iter();
                    let line: Vec<Value> = shown
                        .map(|s| json!([s.seat, s.words, pieces.picture(&mut branch, &s.svg)]))
                        .collect();
                    json!({"seat": e.seat, "send": send, "want": e.want, "out": e.output, "err": e.stderr,
                           "ms": e.micros as f64 / 1000.0, "think": think::parse(&e.stderr), "line": line})
                })
                .collect();
            json!({"svg": svg, "scores": scores(&step.view), "says": says})
        })
        .collect();
    let data = json!({"bots": trace.bots, "seed": trace.seed.to_string(), "steps": steps, "pieces": pieces.list(),
                      "scores": trace.scores, "verdicts": trace.verdicts, "last": fingerprint(&last), "asking": asking});
    // A `<` inside a script element might end it or begin a comment.
    let text = data.to_string();
    let plain = text.replace('<', "\\u003c");
    let (form, data) = if plain.len() > PLAIN {
        ("gzip", zipped(&text))
    } else {
        ("json", plain)
    };
    let mut options = String::new();
    for (name, value) in &trace.options {
        let _ = write!(options, "<span>{} {}</span>", escape(name), escape(value));
    }
    let mut colours = String::new();
    for (seat, colour) in SEAT_COLOURS.iter().enumerate() {
        let _ = write!(colours, ".seat{seat}{{--s:{colour}}}");
    }
    let mut legend = String::new();
    for (seat, bot) in trace.bots.iter().enumerate() {
        legend += &entry(SEAT_COLOURS[seat % SEAT_COLOURS.len()], &format!("{seat} {bot}"));
    }
    for (colour, words) in adapter.legend() {
        legend += &entry(colour, words);
    }
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{game} {seed}</title>\
         <style>{STYLE}{colours}</style></head><body>{links}<header><h1>{game}</h1><strong id=\"winner\">{winner}</strong>{options}\
         <span>seed <code id=\"seed\">{seed}</code> <button id=\"copy\" type=\"button\">copy</button></span>\
         <span>{end}</span></header>\
         <main><section><figure id=\"board\" role=\"img\" aria-label=\"board\"></figure><div id=\"course\" role=\"status\"></div><p id=\"spot\" role=\"status\"></p>\
         <ul id=\"legend\" aria-label=\"legend\">{legend}</ul></section><section><nav id=\"steps\" aria-label=\"steps\">\
         <button id=\"first\" type=\"button\" aria-label=\"first\">|◀</button>\
         <button id=\"back\" type=\"button\" aria-label=\"back\">◀</button>\
         <button id=\"play\" type=\"button\" aria-label=\"play\">►</button>\
         <button id=\"next\" type=\"button\" aria-label=\"next\">▶</button>\
         <button id=\"final\" type=\"button\" aria-label=\"last\">▶|</button>\
         <input id=\"at\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"step\">\
         <output id=\"count\"></output>\
         <select id=\"speed\" aria-label=\"speed\"><option value=\"1000\">½×</option><option value=\"500\" selected>1×</option>\
         <option value=\"250\">2×</option><option value=\"100\">5×</option><option value=\"40\">12×</option></select></nav>\
         <div id=\"jumps\"></div><div id=\"says\"></div><div id=\"ask\"></div><div id=\"curves\"></div></section></main>\
         <script type=\"application/{form}\" id=\"data\">{data}</script>\
         <script type=\"text/plain\" id=\"code\">{SCRIPT}</script><script>{UNPACK}</script></body></html>\n",
        links = served.map_or("", |s| &s.links),
        game = escape(&trace.game),
        seed = trace.seed,
        end = escape(&trace.end),
        winner = escape(&winner(trace)),
    )
}

/// Zipped and in letters, which a script element holds whatever bots wrote.
fn zipped(text: &str) -> String {
    let mut zip = GzEncoder::new(Vec::new(), Compression::default());
    let whole = zip.write_all(text.as_bytes()).and_then(|()| zip.finish());
    STANDARD.encode(whole.expect("memory takes all"))
}

/// A colour and what it stands for.
fn entry(colour: &str, words: &str) -> String {
    format!("<li><i style=\"background:{colour}\"></i>{}</li>", escape(words))
}

/// Who won, with the scores.
fn winner(trace: &Trace) -> String {
    let best = trace.points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let first: Vec<usize> = (0..trace.points.len())
        .filter(|&s| trace.points[s] == best)
        .collect();
    let scores: Vec<String> = trace.scores.iter().map(f64::to_string).collect();
    let scores = scores.join(" : ");
    match first[..] {
        [] => "not finished".to_owned(),
        [seat] => format!(
            "seat {seat} {} wins, {scores}",
            trace.bots.get(seat).map_or("", String::as_str)
        ),
        _ if first.len() == trace.points.len() => format!("drawn, {scores}"),
        _ => format!("seats {first:?} win together, {scores}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Served, html, html_served};
    use crate::adapter::Setup;
    use crate::games::adapters;
    use crate::referee::{Ask, Reply};
    use crate::show::trace::{Exchange, Step, Trace};
    use std::time::Duration;

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
            let page = html(adapter, &trace, &|_, _| Vec::new());
            assert!(page.contains("<code id=\"seed\">77</code>") && page.contains("a &lt;b&gt;"));
            assert_eq!(page.matches("</script>").count(), 3, "{}", adapter.name());
            assert!(!page.contains("<!--"), "{}", adapter.name());
            for outside in ["src=", "href=", "@import", "url(", "https:"] {
                assert!(!page.contains(outside), "{}: {outside}", adapter.name());
            }
        }
    }

    #[test]
    fn the_longest_game_is_a_light_page() {
        let adapter = crate::games::known("slime").unwrap();
        let mut referee = adapter.referee(&Setup::default()).unwrap();
        let mut trace = Trace::new(
            "slime",
            1,
            &[].into(),
            &["a".into(), "b".into(), "c".into(), "d".into()],
        );
        let mut turn = 0;
        loop {
            let view = referee.view();
            let asks = referee.asks();
            let exchanges = asks.iter().map(|ask| Exchange {
                seat: ask.seat,
                send: ask.send.clone(),
                want: ask.want,
                output: "0 0 0 0\n".into(),
                stderr: format!(
                    "think value=0.{turn:03} depth=8 nodes={turn} models=0000 best=0112:{turn}:0.322,2204:{turn}:0.269,\
                     0213:{turn}:0.25,PASS:{turn}:0.24,1011:1:0.2 pv=0112,1432,6141,2042,1020,0504,7251,3250\n"
                ),
                micros: turn,
            });
            trace.steps.push(Step {
                view,
                exchanges: exchanges.collect(),
            });
            if asks.is_empty() {
                break;
            }
            let pass = |ask: &Ask| Reply {
                seat: ask.seat,
                output: Ok(b"0 0 0 0\n".to_vec()),
                elapsed: Duration::ZERO,
            };
            referee.reply(&asks.iter().map(pass).collect::<Vec<_>>());
            turn += 1;
        }
        assert!(turn >= 1_999, "{turn} turns");
        let served = Served {
            asking: Some(1),
            links: String::new(),
        };
        let bytes = html_served(adapter, &trace, &served).len();
        assert!(bytes < 500_000, "{bytes} bytes");
    }
}
