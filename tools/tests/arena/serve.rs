//! The workbench is killed while it is used: what it started goes on, and nothing that was played is lost or counted twice.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server, and where it listens.
fn start(results: &Path) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args(["serve", "--port", "0", "--results"])
        .arg(results)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let address = line
        .split("http://")
        .nth(1)
        .and_then(|rest| rest.split('/').next());
    (child, address.unwrap_or_else(|| panic!("{line}")).to_owned())
}

/// The answer to one request, head and all.
fn ask(address: &str, line: &str, form: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n{form}",
        form.len()
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

/// Games in the file, and how many of them are different ones.
fn games(results: &Path) -> (i64, i64) {
    let db = rusqlite::Connection::open(results).unwrap();
    db.query_row(
        "SELECT count(*), count(DISTINCT run * 1000000 + n) FROM arena_game",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
    .unwrap()
}

#[test]
fn a_killed_workbench_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let results = dir.path().join("r.sqlite");
    let (mut server, address) = start(&results);
    for form in [
        "game=wondev&bot=builtin%3Arandom&role=candidate",
        "game=wondev&bot=builtin%3Agreedy&role=benchmark",
    ] {
        let answer = ask(&address, "POST /bots", form);
        assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    }
    let answer = ask(&address, "POST /evaluate/1", "pool=60&sprt=0");
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    let until = Instant::now() + Duration::from_secs(120);
    while games(&results).0 < 3 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    server.kill().unwrap();
    server.wait().unwrap();
    // Twenty of the first stage and sixty of the second: its run does not need the page.
    while games(&results).0 < 80 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(games(&results), (80, 80));
    let (mut again, address) = start(&results);
    let home = ask(&address, "GET /", "");
    assert!(
        home.contains("80 games in this file") && home.contains("60 of 60"),
        "{home}"
    );
    // No file of this machine is a page.
    for path in ["/r.sqlite", "/etc/passwd", "//etc/passwd", "/style.css/x"] {
        assert!(
            ask(&address, &format!("GET {path}"), "").starts_with("HTTP/1.1 404"),
            "{path}"
        );
    }
    assert!(ask(&address, "GET /../etc/passwd", "").starts_with("HTTP/1.1 400"));
    again.kill().unwrap();
    again.wait().unwrap();
}
