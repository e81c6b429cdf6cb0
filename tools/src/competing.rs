//! The search yardstick beside public crates, under the judge's flags and the machine's own.
//!
//! Builds `benches/competing` twice, in target folders of its own, runs its fixed work alternately, prints the
//! table, and compares the core's own line against the targets. Ratios of process CPU time within one run
//! only: what is stable on a shared machine.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Native: iterations of the tree search for each raw playout.
const OF_RAW: f64 = 0.25;
/// Native: times the speed of the fastest public crate.
const OF_COMPETING: f64 = 1.1;
/// The judge's plain flags against native.
const OF_NATIVE: f64 = 0.95;
/// Pairs of runs, native and plain in turn.
const RUNS: usize = 3;

/// Name and nanoseconds of each line of one run.
type Table = Vec<(String, f64)>;

/// Builds, measures, prints, compares: `false` below a target. `root` is the workspace's folder.
pub fn bench(root: &Path) -> Result<bool> {
    let native = build(root, "native", "-C target-cpu=native")?;
    let plain = build(root, "plain", "")?;
    let (mut fast, mut baseline) = (measure(&native)?, measure(&plain)?);
    for _ in 1..RUNS {
        keep_best(&mut fast, measure(&native)?);
        keep_best(&mut baseline, measure(&plain)?);
    }
    ensure!(
        fast.len() == baseline.len(),
        "the two builds measure different things"
    );
    println!("| entry | native ns | of raw | plain ns | of raw | plain / native |");
    println!("|---|---|---|---|---|---|");
    for ((name, native), (_, plain)) in fast.iter().zip(&baseline) {
        println!(
            "| {name} | {native:.0} | {:.3} | {plain:.0} | {:.3} | {:.2} |",
            fast[0].1 / native,
            baseline[0].1 / plain,
            native / plain,
        );
    }
    let line = |wanted: &str| {
        fast.iter()
            .position(|(name, _)| name == wanted)
            .with_context(|| format!("no line for {wanted}"))
    };
    let (ours, first_other) = (line("fifty mcts")?, line("by hand")? + 1);
    ensure!(first_other < fast.len(), "no competing crates in the table");
    let other = fast[first_other..]
        .iter()
        .map(|p| p.1)
        .fold(f64::INFINITY, f64::min);
    let checks = [
        ("of raw playouts, native", fast[0].1 / fast[ours].1, OF_RAW),
        (
            "of the fastest public crate, native",
            other / fast[ours].1,
            OF_COMPETING,
        ),
        (
            "of native under plain flags",
            fast[ours].1 / baseline[ours].1,
            OF_NATIVE,
        ),
    ];
    let mut below = 0;
    for (what, got, want) in checks {
        let verdict = if got >= want { "ok" } else { "BELOW" };
        println!("{verdict}: {got:.3} {what} (target {want})");
        below += usize::from(got < want);
    }
    Ok(below == 0)
}

/// The program under a set of flags, in a target folder of that name.
fn build(root: &Path, name: &str, flags: &str) -> Result<std::path::PathBuf> {
    let target = root.join("target").join(format!("competing-{name}"));
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root)
        .args([
            "build",
            "--release",
            "--package",
            "fifty-competing",
            "--target-dir",
        ])
        .arg(&target)
        .env("RUSTFLAGS", flags)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()
        .context("cannot start cargo")?;
    ensure!(status.success(), "the {name} build failed");
    Ok(target.join("release").join("fifty-competing"))
}

/// One run's table.
fn measure(program: &Path) -> Result<Table> {
    let out = Command::new(program)
        .output()
        .context("cannot start the measurement")?;
    ensure!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout)?;
    text.lines()
        .map(|line| {
            let mut fields = line.split('\t');
            let name = fields.next().unwrap_or_default().to_string();
            let ns = fields.next().context("a line without a number")?.parse()?;
            Ok((name, ns))
        })
        .collect()
}

/// The shorter time of each entry: the work is the same every time, what is added is the machine's.
fn keep_best(best: &mut Table, run: Table) {
    for (best, (_, ns)) in best.iter_mut().zip(run) {
        best.1 = best.1.min(ns);
    }
}
