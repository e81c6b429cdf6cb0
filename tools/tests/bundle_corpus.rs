//! The bundler on the crates of AtCoder's list: a small program on each, bundled for a judge that has none of
//! them, compiled alone, and its answer compared with the cargo build's. Takes an hour of CPU time:
//! `cargo test --release -p fifty-tools --test bundle_corpus -- --ignored --nocapture`, or as a table
//! `cargo fifty bundle-corpus`.

use fifty_tools::bundle::corpus::{Corpus, Verdict};
use fifty_tools::bundle::target::Target;
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
#[ignore = "an hour of CPU time"]
fn every_crate_bundles_or_says_why_not() {
    let corpus = Corpus {
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus"),
        target_dir: Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus"),
        budget: Some(Duration::from_secs(60)),
    };
    let target = Target::find("plain").unwrap();
    let names = corpus.names().unwrap();
    assert_eq!(names.len(), 62);
    let mut passed = 0;
    for name in &names {
        let started = Instant::now();
        let verdict = corpus.check(name, &target).unwrap();
        let seconds = started.elapsed().as_secs();
        match verdict {
            Verdict::Same(characters) => {
                passed += 1;
                println!("{name:<20} {characters:>8} characters {seconds:>4} s");
            }
            Verdict::Refused(why) => {
                println!("{name:<20} {}", why.lines().take(3).collect::<Vec<_>>().join(" "));
            }
            Verdict::Wrong => panic!("{name}: a wrong program"),
        }
    }
    println!("{passed} of {}", names.len());
    assert!(passed >= 55);
}
