//! The handlers, asked without a network: what they show and do, and whom they refuse.

use super::guard::Door;
use super::{Desk, router};
use crate::arena::bots::Bot;
use crate::arena::live::{self, Live};
use crate::arena::matches::{MatchPlan, run};
use crate::arena::result::GameResult;
use crate::arena::schedule::{schedule, seatings};
use crate::arena::store::Store;
use crate::games::adapters;
use axum::Router;
use axum::body::Body;
use axum::extract::connect_info::MockConnectInfo;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tower::ServiceExt;

const TOKEN: &str = "0123456789abcdef";

/// A results file with two games of each kind, and the server over it as its own user meets it: by the token.
struct Bench {
    _dir: tempfile::TempDir,
    path: PathBuf,
    app: Router,
}

fn play(path: &Path) {
    let store = Store::open(path).unwrap();
    for &adapter in adapters() {
        let names = ["engine:20", "builtin:greedy"];
        let bots = names.map(|name| Bot::parse(name, adapter).unwrap());
        let mut plan = MatchPlan::new(adapter, &bots);
        plan.trace = true;
        plan.games = schedule(&seatings(&[0, 1], adapter.seats(&plan.options), false), &[3], 2);
        let spec = json!({"bots": names, "options": {}, "games": 2});
        let id = store.begin("play", adapter.name(), &spec, false).unwrap();
        run(&plan, &BTreeSet::new(), |(game, played)| {
            let played = played.unwrap();
            store
                .save(id, &GameResult::new(&game, &played), played.trace.as_ref())
                .unwrap();
            true
        });
    }
}

fn desk(path: &Path) -> Desk {
    let desk = Desk::open(path, Door::new(Some(TOKEN.into())).unwrap()).unwrap();
    desk.door.opened("127.0.0.1:7150".parse().unwrap());
    desk
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        play(&path);
        let stranger: SocketAddr = "127.0.0.1:1".parse().unwrap();
        let app = router(Arc::new(desk(&path))).layer(MockConnectInfo(stranger));
        Self { _dir: dir, path, app }
    }

    async fn send(&self, request: Request<Body>) -> (StatusCode, String) {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 64 << 20)
            .await
            .unwrap();
        (status, String::from_utf8_lossy(&bytes).into_owned())
    }

    async fn get(&self, path: &str) -> (StatusCode, String) {
        self.send(request(Method::GET, path, "").body(Body::empty()).unwrap())
            .await
    }

    async fn post(&self, path: &str, form: &str) -> (StatusCode, String) {
        let kind = "application/x-www-form-urlencoded";
        let request = request(Method::POST, path, kind).body(Body::from(form.to_owned()));
        self.send(request.unwrap()).await
    }

    async fn ask(&self, question: &Value) -> (StatusCode, Value) {
        let request =
            request(Method::POST, "/ask", "application/json").body(Body::from(question.to_string()));
        let (status, text) = self.send(request.unwrap()).await;
        (status, serde_json::from_str(&text).unwrap_or_default())
    }
}

fn request(method: Method, path: &str, kind: &str) -> axum::http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "127.0.0.1:7150")
        .header(header::COOKIE, format!("fifty={TOKEN}"))
        .header(header::CONTENT_TYPE, kind)
}

#[tokio::test]
async fn every_page_is_there_and_games_can_be_found_and_asked_about() {
    let bench = Bench::new();
    for path in [
        "/",
        "/runs",
        "/run/1",
        "/games",
        "/games?board=true&course=ms",
        "/style.css",
        "/live.js",
    ] {
        let (status, text) = bench.get(path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        assert!(!text.contains("https://"), "{path}");
    }
    let (_, text) = bench.get("/games?game=wondev&bot=greedy&run=&attr=").await;
    assert!(text.contains("2 rows"), "{text}");
    let (_, text) = bench.get("/games?seed=x").await;
    assert!(text.contains("expected a number or a range"), "{text}");
    let (status, _) = bench.get("/games?run=x").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (_, csv) = bench.get("/games.csv?game=rails").await;
    assert_eq!(csv.lines().count(), 3, "{csv}");
    assert_eq!(bench.get("/games.jsonl").await.1.lines().count(), 10);
    for path in ["/game/999", "/run/999", "/nowhere"] {
        assert_eq!(bench.get(path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
    for id in [1, 3, 5, 7, 9] {
        let (status, page) = bench.get(&format!("/game/{id}")).await;
        assert_eq!(status, StatusCode::OK);
        assert!(page.len() < 500_000, "game {id}: {} bytes", page.len());
        // Not every seat is asked at every turn: the first question that has an answer will do.
        let (mut status, mut answer) = (StatusCode::BAD_REQUEST, json!(null));
        for (turn, seat) in (6..20).flat_map(|turn| (0..4).map(move |seat| (turn, seat))) {
            let question = json!({"game": id, "turn": turn, "seat": seat, "bots": ["engine:20", "builtin:random"],
                                  "effort": "own", "playouts": 2, "with": "builtin:greedy"});
            (status, answer) = bench.ask(&question).await;
            (answer["turn"], answer["seat"]) = (json!(turn), json!(seat));
            if status == StatusCode::OK {
                break;
            }
        }
        assert_eq!(status, StatusCode::OK, "game {id}: {answer}");
        assert_eq!(answer["answers"].as_array().unwrap().len(), 2);
        assert!(!answer["playouts"].as_array().unwrap().is_empty());
        // What it looked at is played on the board.
        let listed = &answer["answers"][0]["think"]["best"];
        for candidate in listed.as_array().unwrap() {
            let words = candidate["answer"]
                .as_str()
                .unwrap()
                .replace('&', "%26")
                .replace('+', "%2B");
            let asked = (answer["turn"].as_u64().unwrap(), answer["seat"].as_u64().unwrap());
            let path = format!(
                "/line?game={id}&turn={}&seat={}&instead={words}",
                asked.0, asked.1
            );
            let shown: Value = serde_json::from_str(&bench.get(&path).await.1).unwrap();
            assert_eq!(shown.as_array().unwrap().len(), 1, "{path}");
        }
        assert!(!listed.as_array().unwrap().is_empty(), "game {id}");
    }
    let wrong = json!({"game": 5, "turn": 0, "seat": 1, "bots": ["engine:20"], "effort": "own"});
    let (status, answer) = bench.ask(&wrong).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(
        answer["error"].as_str().unwrap().contains("not asked"),
        "{answer}"
    );
}

#[tokio::test]
async fn bots_are_added_and_decided_about_and_runs_are_told_what_to_do() {
    let bench = Bench::new();
    let (status, _) = bench
        .post("/bots", "game=wondev&bot=engine%3A5&role=candidate")
        .await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let (status, text) = bench
        .post("/bots", "game=wondev&bot=.%2Fnothing&role=candidate")
        .await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(text.contains("no such file"), "{text}");
    let (_, home) = bench.get("/").await;
    assert!(home.contains("engine:5") && home.contains("Promote"), "{home}");
    assert_eq!(
        bench.post("/bots/1", "role=promoted").await.0,
        StatusCode::SEE_OTHER
    );
    assert!(bench.get("/").await.1.contains("role promoted"));
    assert_eq!(
        bench.post("/bots/7", "role=promoted").await.0,
        StatusCode::BAD_REQUEST
    );
    assert_eq!(bench.post("/evaluate/7", "").await.0, StatusCode::BAD_REQUEST);
    assert_eq!(
        bench.post("/run/1", "wish=pause").await.0,
        StatusCode::BAD_REQUEST
    );
    let playing = Live::start(&bench.path, 1, 10, 2, 1).unwrap();
    assert!(bench.get("/run/1").await.1.contains("Pause"));
    assert_eq!(bench.post("/run/1", "wish=pause").await.0, StatusCode::SEE_OTHER);
    assert!(bench.get("/run/1").await.1.contains("Resume"));
    assert_eq!(
        bench.post("/run/1", "wish=explode").await.0,
        StatusCode::BAD_REQUEST
    );
    let db = rusqlite::Connection::open(&bench.path).unwrap();
    assert_eq!(live::all(&db).unwrap()[0].wish, "pause");
    drop(playing);
}

#[tokio::test]
async fn strangers_are_refused() {
    let bench = Bench::new();
    let bare = |path: &str| {
        Request::builder()
            .uri(path)
            .header(header::HOST, "localhost:7150")
    };
    let empty = Body::empty;
    // Another user of this machine, or another machine: neither cookie nor token.
    for path in ["/", "/games.csv", "/game/1", "/events", "/style.css"] {
        let (status, _) = bench.send(bare(path).body(empty()).unwrap()).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{path}");
    }
    for token in ["", "0123456789abcdeX", "0123456789abcdef0"] {
        let cookie = bare("/").header(header::COOKIE, format!("a=b; fifty={token}"));
        assert_eq!(
            bench.send(cookie.body(empty()).unwrap()).await.0,
            StatusCode::UNAUTHORIZED
        );
        let asked = bare(&format!("/?token={token}")).body(empty()).unwrap();
        assert_eq!(bench.send(asked).await.0, StatusCode::UNAUTHORIZED);
    }
    // The token leads to a cookie, and out of the address.
    let greeted = bare(&format!("/games?lost=true&token={TOKEN}"))
        .body(empty())
        .unwrap();
    let response = bench.app.clone().oneshot(greeted).await.unwrap();
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    assert_eq!(response.headers()[header::LOCATION], "/games?lost=true");
    let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    // Another origin's page, even with the cookie.
    for (name, value) in [
        ("origin", "http://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
    ] {
        let posted = request(Method::POST, "/bots", "application/x-www-form-urlencoded").header(name, value);
        let posted = posted
            .body(Body::from("game=wondev&bot=engine&role=candidate"))
            .unwrap();
        assert_eq!(
            bench.send(posted).await.0,
            StatusCode::FORBIDDEN,
            "{name} {value}"
        );
        let read = request(Method::GET, "/games.jsonl", "")
            .header(name, value)
            .body(empty())
            .unwrap();
        assert_eq!(bench.send(read).await.0, StatusCode::FORBIDDEN, "{name} {value}");
    }
    let own = request(Method::GET, "/", "").header("origin", "http://127.0.0.1:7150");
    assert_eq!(bench.send(own.body(empty()).unwrap()).await.0, StatusCode::OK);
    // A foreign name that resolves to here.
    for host in ["evil.example", "evil.example:7150", "127.0.0.1:80", ""] {
        let named = Request::builder()
            .uri("/")
            .header(header::HOST, host)
            .header(header::COOKIE, format!("fifty={TOKEN}"));
        assert_eq!(
            bench.send(named.body(empty()).unwrap()).await.0,
            StatusCode::FORBIDDEN,
            "{host}"
        );
    }
    for path in [
        "/../etc/passwd",
        "/game/..%2f..%2fetc/passwd",
        "/%2e%2e/x",
        "/run/%2E./1",
        "/a\\..\\b",
    ] {
        let Ok(request) = request(Method::GET, path, "").body(empty()) else {
            continue;
        };
        assert_eq!(bench.send(request).await.0, StatusCode::BAD_REQUEST, "{path}");
    }
    let sealed = bench
        .app
        .clone()
        .oneshot(request(Method::GET, "/", "").body(empty()).unwrap());
    let headers = sealed.await.unwrap().headers().clone();
    assert!(
        headers["content-security-policy"]
            .to_str()
            .unwrap()
            .contains("frame-ancestors 'none'")
    );
}

#[tokio::test]
async fn the_same_user_needs_no_token_over_a_real_connection() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.sqlite");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let desk = Desk::open(&path, Door::new(None).unwrap()).unwrap();
    desk.door.opened(address);
    let app = router(Arc::new(desk)).into_make_service_with_connect_info::<SocketAddr>();
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    let answer = tokio::task::spawn_blocking(move || {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        write!(
            stream,
            "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    });
    let answer = answer.await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    server.abort();
}
