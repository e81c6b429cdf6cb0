//! The page: an HTTP server on this machine over one results file.
//!
//! Pages are made here, whole; the browser gets a little script that replaces what is live and asks again. Nothing is
//! kept outside the results file, so a killed server loses nothing. It looks at the file only while somebody watches, and
//! while a run of the file plays it works at low priority: the clocks of its bots go first. Who may come in is decided in
//! `guard`.

mod actions;
pub mod chart;
mod game;
mod games;
pub mod guard;
mod home;
mod html;
mod import;

mod review;
mod running;
mod runs;
#[cfg(test)]
mod tests;
mod tunes;

use super::index::Index;
use crate::arena::live;
use crate::arena::sandbox::Sandbox;
use anyhow::{Context, Result};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::Stream;
use maud::Markup;
use rusqlite::Connection;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{Read, Seek, SeekFrom};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::task::JoinError;

/// How often the file is looked at while somebody watches.
const LOOK: Duration = Duration::from_secs(2);
/// Failed processes that are remembered.
const KEPT: usize = 5;
/// Nice value of the threads that work while a run plays.
const NICE: i32 = 10;

/// What all requests share.
pub struct Desk {
    /// The results file.
    path: PathBuf,
    index: Mutex<Index>,
    door: guard::Door,
    cache: Mutex<runs::Cache>,
    /// One question at a time: bots that are asked have the clock to themselves.
    asking: tokio::sync::Semaphore,
    launch: Mutex<mpsc::Sender<Vec<String>>>,
    /// How an outside referee is named on a command line, where there is one.
    referee: Vec<String>,
    sandbox: Sandbox,
    /// Threads of low priority, once there are any.
    low: OnceLock<Handle>,
    troubles: Troubles,
    /// Counts looks at the file that found something new.
    news: tokio::sync::watch::Sender<u64>,
}

/// What went wrong with processes started here, newest last: the command, and its last words.
type Troubles = Arc<Mutex<VecDeque<(String, String)>>>;

/// Handed to every handler.
pub type Shared = Arc<Desk>;

/// An error as a page: what was wrong with the request, or with us.
pub struct Failure(StatusCode, String);

impl Failure {
    fn bad(error: &anyhow::Error) -> Self {
        Self(StatusCode::BAD_REQUEST, format!("{error:#}"))
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::bad(&error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let page = html::page(
            "Error",
            None,
            &maud::html! { h1 { "That did not work" } p role="alert" { (self.1) } },
        );
        (self.0, page_of(page)).into_response()
    }
}

/// A page's answer.
type Page = Result<Html<String>, Failure>;

fn page_of(markup: Markup) -> Html<String> {
    Html(markup.into_string())
}

impl Desk {
    /// Opens the results file; `door` says who may come in.
    pub fn open(path: &Path, door: guard::Door) -> Result<Self> {
        // Makes the file where there is none: a workbench may be the first thing there is.
        drop(crate::arena::store::Store::open(path)?);
        let index = Index::open(path)?;
        super::pool::prepare(&index.db)?;
        super::noted::prepare(&index.db)?;
        let (launch, orders) = mpsc::channel();
        let news = tokio::sync::watch::Sender::new(0);
        let troubles = Troubles::default();
        // A thread of its own, made before any other is made nice: what it starts is not.
        std::thread::spawn({
            let (troubles, news) = (troubles.clone(), news.clone());
            move || launcher(&orders, &troubles, &news)
        });
        Ok(Self {
            path: path.to_path_buf(),
            index: Mutex::new(index),
            door,
            cache: Mutex::default(),
            asking: tokio::sync::Semaphore::new(1),
            launch: Mutex::new(launch),
            referee: Vec::new(),
            sandbox: Sandbox::Auto,
            low: OnceLock::new(),
            troubles,
            news,
        })
    }

    /// Does what takes long, or has bots asked, on a thread that may wait.
    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let path = self.path.clone();
        let plays = tokio::task::spawn_blocking(move || live::plays(&path)).await?;
        match self.low.get().filter(|_| plays) {
            Some(low) => low.spawn_blocking(work).await,
            None => tokio::task::spawn_blocking(work).await,
        }
    }

    /// Works with the index, brought up to date.
    async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Desk, &mut Index) -> Result<T> + Send + 'static,
    ) -> Result<T, Failure> {
        let desk = self.clone();
        let done = self.aside(move || {
            let mut index = desk.index.lock().unwrap_or_else(PoisonError::into_inner);
            index.update(|_, _| {})?;
            work(&desk, &mut index)
        });
        match done.await {
            Ok(result) => result.map_err(|e| Failure::bad(&e)),
            Err(error) => Err(Failure(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
        }
    }

    /// The same with bots contained so, and an outside referee as a command line names it.
    #[must_use]
    pub fn with(mut self, sandbox: Sandbox, referee: Vec<String>) -> Self {
        (self.sandbox, self.referee) = (sandbox, referee);
        self
    }

    /// The sandbox as a word of a command line.
    fn contained(&self) -> String {
        let value = clap::ValueEnum::to_possible_value(&self.sandbox);
        format!("--sandbox={}", value.as_ref().map_or("auto", |v| v.get_name()))
    }

    /// What went wrong with processes of this subcommand.
    fn troubles(&self, command: &str) -> Vec<String> {
        let troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        let of = troubles.iter().filter(|(args, _)| args.starts_with(command));
        of.map(|(args, words)| format!("fifty {args}: {words}")).collect()
    }

    /// Starts `fifty ARGS --results FILE` as a process of its own, which outlives this one.
    fn start(&self, mut args: Vec<String>) -> Result<()> {
        args.extend(["--results".to_owned(), self.path.display().to_string()]);
        let launch = self.launch.lock().unwrap_or_else(PoisonError::into_inner);
        launch.send(args).context("the launcher has ended")
    }
}

/// A process started here; what it says on stderr goes to a file without a name.
struct Started {
    child: Child,
    words: String,
    said: std::fs::File,
}

impl Started {
    fn new(args: &[String]) -> Result<Self> {
        let program = std::env::current_exe().unwrap_or_else(|_| "fifty".into());
        let said = tempfile::tempfile()?;
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(said.try_clone()?);
        // Ctrl-C at the server's terminal is not meant for its runs.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(Self {
            child: command.spawn()?,
            words: args.join(" "),
            said,
        })
    }

    /// True while it runs. Of one that could not do its work, its last line is kept.
    fn runs(&mut self, troubles: &Troubles) -> bool {
        let Ok(Some(status)) = self.child.try_wait() else {
            return true;
        };
        if status.code() != Some(2) {
            return false;
        }
        let mut text = String::new();
        let _ = self.said.seek(SeekFrom::Start(0));
        let _ = self.said.read_to_string(&mut text);
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        let mut troubles = troubles.lock().unwrap_or_else(PoisonError::into_inner);
        troubles.push_back((self.words.clone(), last.unwrap_or("it failed").to_owned()));
        if troubles.len() > KEPT {
            troubles.pop_front();
        }
        false
    }
}

/// Starts processes and waits for those that have ended.
fn launcher(
    orders: &mpsc::Receiver<Vec<String>>,
    troubles: &Troubles,
    news: &tokio::sync::watch::Sender<u64>,
) {
    let mut children: Vec<Started> = Vec::new();
    loop {
        match orders.recv_timeout(Duration::from_secs(1)) {
            Ok(args) => match Started::new(&args) {
                Ok(child) => children.push(child),
                Err(error) => eprintln!("fifty {}: {error}", args.join(" ")),
            },
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let before = children.len();
                children.retain_mut(|child| child.runs(troubles));
                if children.len() < before {
                    news.send_modify(|n| *n += 1);
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// All pages and what they do.
pub fn router(desk: Shared) -> Router {
    Router::new()
        .route("/", get(home::page))
        .route("/runs", get(runs::list))
        .route("/run/{id}", get(runs::page))
        .route("/games", get(games::page))
        .route("/games.csv", get(games::csv))
        .route("/games.jsonl", get(games::jsonl))
        .route("/game/{id}", get(game::page))
        .route("/line", get(game::line))
        .route("/ask", post(game::ask))
        .route("/review", get(review::page).post(review::start))
        .route("/import", get(import::page).post(import::take_in))
        .layer(DefaultBodyLimit::max(import::MOST))
        .route("/bots", post(actions::add))
        .route("/bots/{id}", post(actions::assign))
        .route("/evaluate/{id}", post(actions::evaluate))
        .route("/run/{id}", post(actions::wish))
        .route("/events", get(events))
        .route(
            "/style.css",
            get(|| async { asset("text/css", include_str!("style.css")) }),
        )
        .route(
            "/live.js",
            get(|| async { asset("text/javascript", include_str!("live.js")) }),
        )
        .fallback(|| async { Failure(StatusCode::NOT_FOUND, "There is no such page.".to_owned()) })
        .layer(middleware::from_fn_with_state(desk.clone(), guarded))
        .with_state(desk)
}

fn asset(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind)], text)
}

/// Lets in who may come in, and tells browsers to keep to this origin.
async fn guarded(State(desk): State<Shared>, request: Request, next: Next) -> Response {
    let answer = match desk.door.check(&request) {
        guard::Decision::In => next.run(request).await,
        guard::Decision::Greet(response) => return *response,
        guard::Decision::Out(status, why) => (status, format!("{why}\n")).into_response(),
    };
    guard::sealed(answer)
}

/// Tells a page that the file has changed: it fetches itself and replaces what is live.
async fn events(State(desk): State<Shared>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let watch = desk.news.subscribe();
    let stream = futures_util::stream::unfold((watch, desk), |(mut watch, desk)| async move {
        watch.changed().await.ok()?;
        let news = *watch.borrow_and_update();
        Some((
            Ok(Event::default().event("news").data(news.to_string())),
            (watch, desk),
        ))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

/// Looks whether the file has changed, as long as somebody watches. A run that plays changes it every second.
async fn look(desk: Shared) -> Result<()> {
    let db = Connection::open(&desk.path)?;
    let db = Arc::new(Mutex::new(db));
    let mut known = 0;
    loop {
        tokio::time::sleep(LOOK).await;
        if desk.news.receiver_count() == 0 {
            continue;
        }
        let db = db.clone();
        let version = tokio::task::spawn_blocking(move || {
            let db = db.lock().unwrap_or_else(PoisonError::into_inner);
            db.query_row("PRAGMA data_version", [], |row| row.get::<_, i64>(0))
        });
        let version = version.await??;
        if version != known {
            known = version;
            desk.news.send_modify(|n| *n += 1);
        }
    }
}

/// Serves until interrupted. `bound` hears the address.
pub fn serve(desk: Desk, address: SocketAddr, bound: impl FnOnce(SocketAddr)) -> Result<()> {
    let threads = |start: fn()| {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(4)
            .enable_all()
            .on_thread_start(start)
            .build()
    };
    let low = threads(|| {
        // Without the right to it we are as important as the runs.
        let _ = rustix::process::nice(NICE);
    })?;
    let _ = desk.low.set(low.handle().clone());
    threads(|| {})?.block_on(async {
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .with_context(|| format!("{address}: cannot be listened on"))?;
        let address = listener.local_addr()?;
        desk.door.opened(address);
        bound(address);
        let desk = Arc::new(desk);
        tokio::spawn(look(desk.clone()));
        let app = router(desk).into_make_service_with_connect_info::<SocketAddr>();
        tokio::select! {
            served = axum::serve(listener, app) => served.context("the server ended"),
            _ = tokio::signal::ctrl_c() => Ok(()),
        }
    })
}
