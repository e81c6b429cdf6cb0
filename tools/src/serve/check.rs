//! The workbench tried in a browser, as an author uses it, in all games: add a candidate, watch its run end, filter to the
//! games it lost, open one, ask two bots again, play it out. Pictures of every page at two widths.

use crate::adapter::Adapter;
use crate::arena::store::Store;
use crate::games::adapters;
use crate::outside::cglog;
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
pub struct Server {
    child: Child,
    url: String,
    /// Host and port.
    pub address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// A server over a results file, which need not be there.
    pub fn start(results: &Path) -> Result<Self> {
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
        let address = url.trim_start_matches("http://").split('/').next();
        let address = address.unwrap_or_default().to_owned();
        Ok(Self { child, url, address })
    }
}

/// Tries all games; pictures go into `dir`.
pub fn run(dir: &Path, only: Option<&str>) -> Result<()> {
    let browser = chromium()?;
    std::fs::create_dir_all(dir).with_context(|| format!("{}: cannot be made", dir.display()))?;
    let work = tempfile::tempdir()?;
    let results = work.path().join("results.sqlite");
    let server = Server::start(&results)?;
    let mut chrome = Chrome::start(&browser)?;
    chrome.size(1280, 800)?;
    chrome.open(&server.url)?;
    for &adapter in adapters() {
        if only.is_some_and(|name| name != adapter.name()) {
            continue;
        }
        let words = game(&mut chrome, adapter, dir, &results).with_context(|| adapter.name().to_owned())?;
        println!("{}: {words}", adapter.name());
    }
    Ok(())
}

/// A JavaScript string.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Pictures of the page that is open, at both widths, the wide one dark as well; nothing may be wider than the window, and
/// everything that can be pressed has a name.
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
    chrome.size(1280, 800)?;
    chrome.dark(true)?;
    chrome.picture(&dir.join(format!("{name}-dark.png")))?;
    chrome.dark(false)
}

/// One game's round through the workbench.
struct Round<'a> {
    chrome: &'a mut Chrome,
    adapter: &'static dyn Adapter,
    dir: &'a Path,
    results: &'a Path,
    origin: String,
}

/// The first article that holds these words.
fn article(words: &[&str]) -> String {
    let all: Vec<String> = words
        .iter()
        .map(|w| format!("a.innerText.includes({})", text(w)))
        .collect();
    format!(
        "[...document.querySelectorAll('article')].find(a => {})",
        all.join(" && ")
    )
}

impl Round<'_> {
    fn open(&mut self, path: &str) -> Result<()> {
        let url = format!("{}{path}", self.origin);
        self.chrome.open(&url)
    }

    fn pictures(&mut self, page: &str) -> Result<()> {
        let name = format!("{}-{page}", self.adapter.name());
        pictures(self.chrome, self.dir, &name)
    }

    /// A candidate that loses and whom it loses against; played while the page is watched.
    fn evaluate(&mut self) -> Result<()> {
        let name = self.adapter.name();
        for (bot, role) in [("engine:20", "benchmark"), ("builtin:random", "candidate")] {
            self.open("/")?;
            self.chrome.value(&format!(
                "document.querySelector('select[name=game]').value = {}; document.querySelector('input[name=bot]').value = {}; \
                 document.querySelector('select[name=role]').value = {}; \
                 document.querySelector('form[action=\"/bots\"] button').click()",
                text(name),
                text(bot),
                text(role)
            ))?;
            // Every game has the same two: the game's own heading, and the bot below it.
            self.chrome.wait(&format!(
                "location.pathname === '/' && [...document.querySelectorAll('#pool h2')].some(h => h.innerText === {} && \
                 (() => {{ let n = h.nextElementSibling, words = ''; while (n && n.tagName !== 'H2') {{ words += n.innerText; \
                 n = n.nextElementSibling; }} return words.includes({}); }})())",
                text(name),
                text(bot)
            ))?;
        }
        self.pictures("bots")?;
        let card = article(&[name, "candidate"]);
        self.chrome.value(&format!(
            "{card}.querySelector('input[name=pool]').value = '12'; {card}.querySelector('form[action^=\"/evaluate\"] button').click()"
        ))?;
        // The page follows by itself; nothing is loaded again here.
        self.chrome.wait("location.pathname === '/runs'")?;
        let run = article(&[&format!("{name} evaluate, pool"), "ended"]);
        self.chrome.wait(&format!("{run} !== undefined"))?;
        self.pictures("runs")?;
        self.chrome.value(&format!("{run}.querySelector('a').click()"))?;
        self.chrome.wait(
            "location.pathname.startsWith('/run/') && document.querySelector('figure.chart svg') !== null",
        )?;
        self.pictures("run")
    }

    /// Filters to the lost games and opens one by keyboard; a condition is dropped, and the way back leads to it.
    fn filter(&mut self) -> Result<u64> {
        self.open("/games")?;
        self.chrome.value(&format!(
            "document.querySelector('select[name=game]').value = {}; document.querySelector('input[name=bot]').value = 'random'; \
             document.querySelector('input[name=lost]').checked = true; \
             document.querySelector('form[role=search] button').click()",
            text(self.adapter.name())
        ))?;
        self.chrome.wait(
            "location.search.includes('lost=true') && document.querySelectorAll('tbody tr').length > 0",
        )?;
        let lost = self
            .chrome
            .value("document.querySelectorAll('tbody td.lost').length")?;
        self.pictures("games")?;
        let count = "parseInt(document.getElementById('count').innerText)";
        let csv = self.chrome.value(
            "fetch(document.querySelector('a[href^=\"/games.csv\"]').href).then(r => r.text()).then(t => t.trim().split('\\n').length - 1)",
        )?;
        let rows = self.chrome.value(count)?;
        if csv != rows {
            bail!("{rows} rows are shown, {csv} exported");
        }
        self.chrome
            .value("document.querySelector('a.chip[aria-label=\"without lost\"]').click()")?;
        self.chrome.wait(&format!(
            "!location.search.includes('lost=true') && {count} >= {rows}"
        ))?;
        self.chrome.value("history.back()")?;
        self.chrome.wait(&format!(
            "location.search.includes('lost=true') && {count} === {rows}"
        ))?;
        // By keyboard alone: the table's first link is reached and followed.
        self.chrome.value(
            "document.querySelector('main h1').scrollIntoView(); document.querySelector('.skip').focus()",
        )?;
        for _ in 0..80 {
            self.chrome.press("Tab")?;
            if self
                .chrome
                .value("document.activeElement.closest('tbody') !== null")?
                == true
            {
                break;
            }
        }
        self.chrome.press("Enter")?;
        self.chrome
            .wait("location.pathname.startsWith('/game/') && document.querySelector('#ask form') !== null")?;
        Ok(lost.as_u64().unwrap_or_default())
    }

    /// The inspector: keys, the largest swing, an expected line on the board, two bots asked and played out.
    fn inspect(&mut self) -> Result<String> {
        let bytes = self
            .chrome
            .value("fetch(location.href).then(r => r.text()).then(t => new Blob([t]).size)")?;
        if bytes.as_u64().is_none_or(|n| n > 500_000) {
            bail!("the inspector's page has {bytes} bytes");
        }
        self.chrome.value("document.activeElement.blur()")?;
        self.chrome.press("ArrowRight")?;
        self.chrome.press("ArrowRight")?;
        self.chrome.wait("now === 2")?;
        self.chrome
            .value("[...document.querySelectorAll('#jumps button')].find(b => b.innerText.startsWith('largest swing'))?.click()")?;
        let told = "[...document.querySelectorAll('#says button')].find(b => b.innerText === 'on the board')";
        let mut lines = "no line told".to_owned();
        if self.chrome.value(&format!("{told} !== undefined"))? == true {
            self.chrome.value(&format!("{told}.click()"))?;
            self.chrome.wait("document.querySelector('#course p') !== null")?;
            lines = self
                .chrome
                .value("document.querySelector('#course p').innerText")?
                .to_string();
            self.pictures("line")?;
        }
        // What it looked at: a step where there was a choice, and the last of the five on the board.
        let listed = "steps.findIndex(s => s.says.some(e => e.think && e.think.best.length > 1))";
        self.chrome.value(&format!("go({listed})"))?;
        self.chrome
            .wait("document.querySelectorAll('#says .best tbody tr').length > 1")?;
        self.chrome
            .value("[...document.querySelectorAll('#says .best button')].pop().click()")?;
        self.chrome.wait("document.querySelector('#course p') !== null")?;
        let choice = self
            .chrome
            .value("[...document.querySelectorAll('#says .best tr')].map(r => [...r.cells].map(c => c.innerText).join(' ')).join(', ')")?;
        self.pictures("candidates")?;
        self.chrome.value(
            "(() => { go(Math.min(8, last)); const [seat, a, b, effort, amount, times, playouts, by] = \
             document.querySelectorAll('#ask input, #ask select'); a.value = 'engine:20'; b.value = 'builtin:greedy'; \
             times.value = '10'; playouts.value = '20'; by.value = 'engine:20'; \
             document.querySelector('#ask form button').click() })()",
        )?;
        self.chrome
            .wait("document.querySelectorAll('.answers article .answer').length === 3")?;
        self.chrome
            .wait("document.querySelectorAll('.answers > table tbody tr').length > 0")?;
        let answers = self
            .chrome
            .value("[...document.querySelectorAll('.answers .answer')].map(a => a.innerText).join(' / ')")?;
        let points = self.chrome.value(
            "[...document.querySelectorAll('.answers > table tbody tr')].map(r => r.cells[1].innerText).join(', ')",
        )?;
        self.pictures("game")?;
        let other = "[...document.querySelectorAll('.pages a')].find(a => (a.getAttribute('aria-label') || '').startsWith('game '))";
        let here = self.chrome.value("location.pathname")?;
        self.chrome.value(&format!("{other}.click()"))?;
        self.chrome.wait(&format!(
            "location.pathname.startsWith('/game/') && location.pathname !== {here} && typeof last === 'number'"
        ))?;
        Ok(format!(
            "page of {bytes} bytes, {lines}, {choice}, answers {answers}, played out {points}"
        ))
    }

    /// Reviews a game, and takes one in that was written as a referee at home writes it.
    fn review_and_import(&mut self) -> Result<()> {
        let name = self.adapter.name();
        self.open(&format!("/review?bot=random&game={name}"))?;
        self.chrome.value(
            "(() => { const f = document.querySelector('form[action=\"/review\"]'); f.games.value = '1'; f.times.value = '3'; \
             f.playouts.value = '4'; f.with.value = 'builtin:greedy'; f.stand_in.value = 'engine:20'; \
             f.querySelector('button').click() })()",
        )?;
        self.chrome.wait(
            "location.pathname === '/review' && document.querySelectorAll('#turns tbody tr').length > 0",
        )?;
        self.pictures("review")?;
        let store = Store::read(self.results)?;
        let run = store.runs()?.into_iter().rfind(|r| r.game == name && r.games > 0);
        let games = store.ids(run.context("no run")?.id)?;
        let trace = store.trace(*games.values().next().context("no game")?)?;
        let scores: Vec<i64> = trace.scores.iter().map(|s| *s as i64).collect();
        let file = self.dir.join(format!("{name}-log.json"));
        std::fs::write(&file, cglog::write(&trace, &scores).to_string())?;
        let odd = self.dir.join(format!("{name}-odd.json"));
        std::fs::write(&odd, "{\"frames\": [")?;
        for (file, words) in [(&odd, "1 differ"), (&file, "1 stored")] {
            self.open("/import")?;
            self.chrome.file("input[type=file]", file)?;
            self.chrome.value(&format!(
                "document.querySelector('select[name=as]').value = {}; document.querySelector('form[action=\"/import\"] button').click()",
                text(name)
            ))?;
            self.chrome.wait(&format!(
                "document.querySelector('section')?.innerText.includes({})",
                text(words)
            ))?;
        }
        self.pictures("import")?;
        self.chrome.value("document.querySelector('section a').click()")?;
        self.chrome
            .wait("location.pathname === '/games' && document.querySelectorAll('tbody tr').length === 1")
    }
}

fn game(chrome: &mut Chrome, adapter: &'static dyn Adapter, dir: &Path, results: &Path) -> Result<String> {
    let origin = chrome.value("location.origin")?;
    let mut round = Round {
        chrome,
        adapter,
        dir,
        results,
        origin: origin.as_str().unwrap_or_default().to_owned(),
    };
    round.evaluate()?;
    let lost = round.filter()?;
    let words = round.inspect()?;
    round.review_and_import()?;
    Ok(format!("{lost} lost games shown, {words}; reviewed, imported"))
}
