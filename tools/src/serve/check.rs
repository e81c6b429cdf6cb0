//! The workbench tried in a browser, as an author uses it, in all games: add a candidate, watch its run end, filter to the
//! games it lost, open one, ask two bots again, play it out. Pictures of every page at two widths.

use crate::adapter::Adapter;
use crate::games::adapters;
use crate::show::browser::chromium;
use crate::show::chrome::Chrome;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Windows that pictures are taken in: name, width, height.
const WINDOWS: [(&str, u32, u32); 2] = [("1280", 1280, 800), ("390", 390, 844)];

/// A server of our own; ended with it.
struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(results: &Path) -> Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["serve", "--port", "0", "--results"])
            .arg(results)
            .stdout(Stdio::piped())
            .spawn()
            .context("the server cannot be started")?;
        let output = child.stdout.take().context("no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let url = line.split_whitespace().find(|w| w.starts_with("http://"));
        let url = url.with_context(|| format!("no address in {line:?}"))?.to_owned();
        Ok(Self { child, url })
    }
}

/// Tries all games; pictures go into `dir`.
pub fn run(dir: &Path, only: Option<&str>) -> Result<()> {
    let browser = chromium()?;
    std::fs::create_dir_all(dir).with_context(|| format!("{}: cannot be made", dir.display()))?;
    let work = tempfile::tempdir()?;
    let server = Server::start(&work.path().join("results.sqlite"))?;
    let mut chrome = Chrome::start(&browser)?;
    chrome.size(1280, 800)?;
    chrome.open(&server.url)?;
    for &adapter in adapters() {
        if only.is_some_and(|name| name != adapter.name()) {
            continue;
        }
        let words = game(&mut chrome, adapter, dir).with_context(|| adapter.name().to_owned())?;
        println!("{}: {words}", adapter.name());
    }
    Ok(())
}

/// A JavaScript string.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Pictures of the page that is open, at both widths; nothing may be wider than the window.
fn pictures(chrome: &mut Chrome, dir: &Path, name: &str) -> Result<()> {
    for (window, width, height) in WINDOWS {
        chrome.size(width, height)?;
        std::thread::sleep(Duration::from_millis(200));
        chrome.picture(&dir.join(format!("{name}-{window}.png")))?;
        let wide =
            chrome.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")?;
        if wide.as_i64() != Some(0) {
            bail!("{name}: {wide} pixels wider than a window of {width}");
        }
    }
    let unnamed = chrome.value(
        "[...document.querySelectorAll('input,select,button,a')].filter(e => !(e.labels && e.labels.length) && \
         !e.textContent.trim() && !e.getAttribute('aria-label')).map(e => e.outerHTML).join(' ')",
    )?;
    if unnamed != "" {
        bail!("{name}: nothing says what this is: {unnamed}");
    }
    chrome.size(1280, 800)
}

fn game(chrome: &mut Chrome, adapter: &dyn Adapter, dir: &Path) -> Result<String> {
    let name = adapter.name();
    let origin = chrome.value("location.origin")?;
    let origin = origin.as_str().unwrap_or_default().to_owned();
    // A candidate that loses, and whom it loses against.
    for (bot, role) in [("engine:20", "benchmark"), ("builtin:random", "candidate")] {
        chrome.open(&format!("{origin}/"))?;
        chrome.value(&format!(
            "document.querySelector('select[name=game]').value = {}; document.querySelector('input[name=bot]').value = {}; \
             document.querySelector('select[name=role]').value = {}; document.querySelector('form[action=\"/bots\"] button').click()",
            text(name),
            text(bot),
            text(role)
        ))?;
        chrome.wait(&format!(
            "location.pathname === '/' && [...document.querySelectorAll('article')].some(a => a.innerText.includes({}) && \
             a.innerText.includes({}))",
            text(bot),
            text(name)
        ))?;
    }
    pictures(chrome, dir, &format!("{name}-bots"))?;
    chrome.value(&format!(
        "[...document.querySelectorAll('article')].find(a => a.innerText.includes({}) && a.innerText.includes('candidate'))\
         .querySelector('form[action^=\"/evaluate\"] input[name=pool]').value = '12'; \
         [...document.querySelectorAll('article')].find(a => a.innerText.includes({}) && a.innerText.includes('candidate'))\
         .querySelector('form[action^=\"/evaluate\"] button').click()",
        text(name),
        text(name)
    ))?;
    // The page follows by itself; nothing is loaded again here.
    chrome.wait("location.pathname === '/runs'")?;
    chrome.wait(&format!(
        "[...document.querySelectorAll('article')].some(a => a.innerText.includes({}) && /, pool/.test(a.innerText) && \
         a.innerText.includes('ended'))",
        text(&format!("{name} evaluate"))
    ))?;
    pictures(chrome, dir, &format!("{name}-runs"))?;
    chrome.value(&format!(
        "[...document.querySelectorAll('article')].find(a => a.innerText.includes({})).querySelector('a').click()",
        text(&format!("{name} evaluate, pool"))
    ))?;
    chrome.wait(
        "location.pathname.startsWith('/run/') && document.querySelector('figure.chart svg') !== null",
    )?;
    pictures(chrome, dir, &format!("{name}-run"))?;
    chrome.open(&format!("{origin}/games"))?;
    chrome.value(&format!(
        "document.querySelector('select[name=room]').value = {}; document.querySelector('input[name=bot]').value = 'random'; \
         document.querySelector('input[name=lost]').checked = true; document.querySelector('form[role=search] button').click()",
        text(name)
    ))?;
    chrome
        .wait("location.search.includes('lost=true') && document.querySelectorAll('tbody tr').length > 0")?;
    let lost = chrome.value("document.querySelectorAll('tbody td.lost').length")?;
    pictures(chrome, dir, &format!("{name}-games"))?;
    chrome.value("document.querySelector('tbody a').click()")?;
    chrome.wait("location.pathname.startsWith('/game/') && document.querySelector('#ask form') !== null")?;
    let bytes = chrome.value("fetch(location.href).then(r => r.text()).then(t => new Blob([t]).size)")?;
    if bytes.as_u64().is_none_or(|n| n > 500_000) {
        bail!("the inspector's page has {bytes} bytes");
    }
    chrome.value(
        "(() => { go(Math.min(8, last)); const [seat, a, b, effort, amount, times, playouts, by] = \
         document.querySelectorAll('#ask input, #ask select'); a.value = 'engine:20'; b.value = 'builtin:greedy'; \
         playouts.value = '20'; by.value = 'engine:20'; document.querySelector('#ask form button').click() })()",
    )?;
    chrome.wait("document.querySelectorAll('.answers article .answer').length === 2")?;
    chrome.wait("document.querySelectorAll('.answers tbody tr').length > 0")?;
    let answers = chrome
        .value("[...document.querySelectorAll('.answers .answer')].map(a => a.innerText).join(' / ')")?;
    let points = chrome.value(
        "[...document.querySelectorAll('.answers tbody tr')].map(r => r.cells[1].innerText).join(', ')",
    )?;
    pictures(chrome, dir, &format!("{name}-game"))?;
    Ok(format!(
        "{lost} lost games shown, page of {bytes} bytes, answers {answers}, played out {points}"
    ))
}
