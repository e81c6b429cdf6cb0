//! The search yardstick beside public crates, under the judge's flags and the machine's own.
//!
//! Builds `benches/peers` twice, in target folders of its own, runs its fixed work alternately, prints the
//! table, and judges the core's own line against the targets. Ratios of process CPU time within one run
//! only: what is stable on a shared machine.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// Native: iterations of the tree search for each raw playout.
const OF_RAW: f64 = 0.25;
/// Native: times the speed of the fastest public crate.
const OF_PEERS: f64 = 1.1;
/// The judge's plain flags against native.
const OF_NATIVE: f64 = 0.95;
/// Pairs of runs, native and plain in turn; each ratio is the median of theirs.
const RUNS: usize = 3;

/// Name and nanoseconds of each line of one run.
type Table = Vec<(String, f64)>;

/// Builds, measures, prints, judges. `root` is the workspace's folder.
pub fn bench(root: &Path) -> Result<()> {
    let native = build(root, "native", "-C target-cpu=native")?;
    let plain = build(root, "plain", "")?;
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        runs.push((measure(&native)?, measure(&plain)?));
    }
    let names: Vec<String> = runs[0].0.iter().map(|(name, _)| name.clone()).collect();
    println!("| entry | native ns | of raw | plain ns | of raw | plain / native |");
    println!("|---|---|---|---|---|---|");
    for (i, name) in names.iter().enumerate() {
        println!(
            "| {name} | {:.0} | {:.3} | {:.0} | {:.3} | {:.2} |",
            median(&runs, |(native, _)| native[i].1),
            median(&runs, |(native, _)| native[0].1 / native[i].1),
            median(&runs, |(_, plain)| plain[i].1),
            median(&runs, |(_, plain)| plain[0].1 / plain[i].1),
            median(&runs, |(native, plain)| native[i].1 / plain[i].1),
        );
    }
    let ours = names
        .iter()
        .position(|n| n == "fifty mcts")
        .context("no line of our own")?;
    let first_peer = names
        .iter()
        .position(|n| n == "by hand")
        .context("no line for the hand-written search")?
        + 1;
    ensure!(first_peer < names.len(), "no peers in the table");
    let checks = [
        (
            "of raw playouts, native",
            median(&runs, |(native, _)| native[0].1 / native[ours].1),
            OF_RAW,
        ),
        (
            "of the fastest public crate, native",
            median(&runs, |(native, _)| {
                native[first_peer..]
                    .iter()
                    .map(|p| p.1)
                    .fold(f64::INFINITY, f64::min)
                    / native[ours].1
            }),
            OF_PEERS,
        ),
        (
            "of native under plain flags",
            median(&runs, |(native, plain)| native[ours].1 / plain[ours].1),
            OF_NATIVE,
        ),
    ];
    let mut below = 0;
    for (what, got, want) in checks {
        let verdict = if got >= want { "ok" } else { "BELOW" };
        println!("{verdict}: {got:.3} {what} (target {want})");
        below += usize::from(got < want);
    }
    if below > 0 {
        bail!("{below} of 3 targets missed");
    }
    Ok(())
}

/// The program under a set of flags, in a target folder of that name.
fn build(root: &Path, name: &str, flags: &str) -> Result<std::path::PathBuf> {
    let target = root.join("target").join(format!("peers-{name}"));
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root)
        .args(["build", "--release", "--package", "fifty-peers", "--target-dir"])
        .arg(&target)
        .env("RUSTFLAGS", flags)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()
        .context("cannot start cargo")?;
    ensure!(status.success(), "the {name} build failed");
    Ok(target.join("release").join("fifty-peers"))
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

fn median(runs: &[(Table, Table)], value: impl Fn(&(Table, Table)) -> f64) -> f64 {
    let mut all: Vec<f64> = runs.iter().map(value).collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}
