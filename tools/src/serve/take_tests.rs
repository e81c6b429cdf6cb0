//! Files as strangers hand them in, and what the workbench makes of them.

use super::{files, take, text};
use crate::arena::bots::Bot;
use crate::arena::matches::recorded;
use crate::games::adapters;
use crate::outside::cglog;
use crate::serve::ask::{Effort, ask};
use crate::serve::filter::Filter;
use crate::serve::index::Index;
use crate::serve::position::Position;
use anyhow::Result;
use std::collections::BTreeMap;
use std::io::Write;

type Named = (String, Box<dyn FnOnce() -> Result<Vec<u8>>>);

fn named(name: &str, bytes: Vec<u8>) -> Named {
    (name.to_owned(), Box::new(move || Ok(bytes)))
}

#[test]
fn imported_games_are_filtered_asked_about_and_stored_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.sqlite");
    for &adapter in adapters() {
        let bots = ["engine:15", "builtin:greedy"].map(|name| Bot::parse(name, adapter).unwrap());
        let trace = recorded(adapter, &bots, 4, 1).unwrap();
        let scores: Vec<i64> = trace.scores.iter().map(|s| *s as i64).collect();
        let log = cglog::write(&trace, &scores).to_string();
        let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        zipped.write_all(log.as_bytes()).unwrap();
        let given = BTreeMap::new();
        let all = [
            named("a.json", log.clone().into_bytes()),
            named("b.json.gz", zipped.finish().unwrap()),
            named("c.zip", b"PK\x03\x04 and so on".to_vec()),
        ];
        let taken = take(adapter, &given, all.into_iter(), &path).unwrap();
        assert_eq!((taken.stored.len(), taken.known), (1, 1), "{}", adapter.name());
        assert!(
            taken.differ.len() == 1 && taken.differ[0].1.contains(".zip"),
            "{:?}",
            taken.differ
        );
        let mut index = Index::open(&path).unwrap();
        index.update(|_, _| {}).unwrap();
        let filter = Filter {
            game: Some(adapter.name().to_owned()),
            bot: Some("engine:15".to_owned()),
            limit: 9,
            ..Filter::default()
        };
        let found = filter.find(&index).unwrap();
        assert!(
            found.all >= 1 && found.rows[0].id == taken.stored[0],
            "{}",
            adapter.name()
        );
        let store = crate::arena::store::Store::read(&path).unwrap();
        let back = store.trace(taken.stored[0]).unwrap();
        let turn = back.steps.len() / 2;
        let position = Position::at(adapter, &back, turn, None)
            .or_else(|_| Position::at(adapter, &back, turn + 1, None))
            .unwrap();
        assert_eq!(position.differs, None, "{}", adapter.name());
        let answer = ask(&position, &bots[0], Effort::Own, 1).unwrap();
        assert!(
            answer.text.is_some() && answer.fault.is_none(),
            "{}: {answer:?}",
            adapter.name()
        );
    }
}

#[test]
fn folders_are_walked_without_going_in_circles() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::create_dir(at("sub")).unwrap();
    for name in ["b.json", "sub/a.json", ".hidden"] {
        std::fs::write(at(name), "{}").unwrap();
    }
    std::os::unix::fs::symlink("..", at("sub/up")).unwrap();
    let found = files(&[dir.path().to_path_buf()]).unwrap();
    assert_eq!(found, [at("b.json"), at("sub/a.json")]);
    let missing = files(&[at("nosuch")]).unwrap_err().to_string();
    assert!(missing.contains("nosuch: cannot be read"), "{missing}");
}

#[test]
fn other_files_are_named_for_what_they_are() {
    assert_eq!(text(b"{}").unwrap(), "{}");
    assert_eq!(text(b"\xff\xfe{\0}\0").unwrap(), "{}");
    for (bytes, word) in [
        (&b"PK\x03\x04"[..], ".zip"),
        (b"SQLite format 3\0...", "SQLite"),
        (b"\x1f\x8b\x08 no more", "gzip"),
    ] {
        assert!(text(bytes).unwrap_err().to_string().contains(word), "{word}");
    }
}
