//! Results of slices, and results files of earlier merges, taken into one results file: every game once.
//!
//! A file that is damaged is named and left out; what it held is missing like any slice that was not played. Files of
//! several runs may be mixed. What was merged somewhere may be merged again, so merging can be done in a tree: leaves
//! into files of their own, those into one. A tuner's step is taken when all its pairs are there.

use super::plan::Head;
use super::slice::{Item, Slice};
use crate::arena::result::GameResult;
use crate::arena::store::Store;
use crate::tune::store::{Row, Store as TuneStore};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// One run after a merge.
#[derive(Debug)]
pub struct Merged {
    /// Which.
    pub head: Head,
    /// Its number in the results file; none of a tuner's run, which has a name.
    pub run: Option<i64>,
    /// Games or pairs that were not there before.
    pub new: usize,
    /// Those that are there now, of `head.total()`.
    pub known: usize,
    /// Slices of which something is missing.
    pub missing: Vec<usize>,
}

/// What came of a merge.
#[derive(Debug, Default)]
pub struct Report {
    /// Every run that was met.
    pub runs: Vec<Merged>,
    /// What is wrong with which file, in words.
    pub damaged: Vec<String>,
}

/// Takes all files into `results`.
pub fn merge(files: &[PathBuf], results: &Path) -> Result<Report> {
    let mut into = Into {
        path: results,
        store: None,
        met: BTreeMap::new(),
        steps: BTreeMap::new(),
    };
    let mut report = Report::default();
    for file in files {
        if file.is_dir() || same(file, results) {
            continue;
        }
        if is_results(file) {
            into.file(file).with_context(|| file.display().to_string())?;
            continue;
        }
        match Slice::read(file) {
            Ok(slice) => into.slice(&slice).with_context(|| file.display().to_string())?,
            Err(wrong) => report.damaged.push(format!("{wrong:#}")),
        }
    }
    report.runs = into.end()?;
    Ok(report)
}

fn same(one: &Path, other: &Path) -> bool {
    std::fs::canonicalize(one)
        .ok()
        .zip(std::fs::canonicalize(other).ok())
        .is_some_and(|(a, b)| a == b)
}

fn is_results(file: &Path) -> bool {
    let mut head = [0; 15];
    File::open(file)
        .and_then(|mut file| file.read_exact(&mut head))
        .is_ok()
        && &head == b"SQLite format 3"
}

/// Games of a slice as a results file takes them.
pub fn games(items: &[Item]) -> impl Iterator<Item = (&GameResult, Option<&[u8]>)> {
    items.iter().filter_map(|item| match item {
        Item::Game(result, trace) => Some((&**result, trace.as_deref())),
        _ => None,
    })
}

struct Into<'a> {
    path: &'a Path,
    store: Option<Store>,
    /// By plan: its run, and what was new.
    met: BTreeMap<String, (Head, i64, usize)>,
    /// A tuner's steps by plan: pairs by number.
    steps: BTreeMap<String, (Head, BTreeMap<u64, Row>)>,
}

impl Into<'_> {
    fn store(&mut self) -> Result<&Store> {
        if self.store.is_none() {
            self.store = Some(Store::open(self.path)?);
        }
        self.store.as_ref().context("no results file")
    }

    /// The run that a head speaks of, in the results file.
    fn run(&mut self, head: &Head) -> Result<i64> {
        if let Some((_, run, _)) = self.met.get(&head.plan) {
            return Ok(*run);
        }
        let store = self.store()?;
        let run = store.begin(&head.kind, &head.game, &head.spec, true)?;
        store.note_plan(run, &head.plan, &serde_json::to_string(head)?)?;
        self.met.insert(head.plan.clone(), (head.clone(), run, 0));
        Ok(run)
    }

    fn count(&mut self, plan: &str, new: usize) {
        if let Some((_, _, count)) = self.met.get_mut(plan) {
            *count += new;
        }
    }

    fn slice(&mut self, slice: &Slice) -> Result<()> {
        let head = &slice.head;
        if head.kind == "tune" {
            let (_, rows) = self
                .steps
                .entry(head.plan.clone())
                .or_insert_with(|| (head.clone(), BTreeMap::new()));
            for item in &slice.items {
                if let Item::Pair(row) = item {
                    rows.entry(row.n).or_insert_with(|| row.clone());
                }
            }
            return Ok(());
        }
        let run = self.run(head)?;
        let store = self.store()?;
        let new = store.take(run, games(&slice.items))?;
        for item in &slice.items {
            if let Item::Failed(n, seed, failure) = item {
                store.failed_once(run, *n, *seed, &failure.to_string())?;
            }
        }
        self.count(&head.plan, new);
        Ok(())
    }

    /// Runs of an earlier merge.
    fn file(&mut self, file: &Path) -> Result<()> {
        let from = Store::read(file)?;
        for (own, text) in from.plans()? {
            let head: Head = serde_json::from_str(&text).context("its plan is damaged")?;
            let run = self.run(&head)?;
            let new = self.store()?.copy(run, &from, own)?;
            self.count(&head.plan, new);
        }
        Ok(())
    }

    fn end(mut self) -> Result<Vec<Merged>> {
        let mut runs = Vec::new();
        for (head, run, new) in std::mem::take(&mut self.met).into_values() {
            let store = self.store()?;
            let mut known: BTreeSet<usize> = store.ids(run)?.into_keys().collect();
            let games = known.len();
            known.extend(store.failures(run)?.into_iter().map(|(n, _)| n));
            let missing = (1..=head.slices()).filter(|&slice| !head.items(slice).all(|n| known.contains(&n)));
            runs.push(Merged {
                run: Some(run),
                new,
                known: games,
                missing: missing.collect(),
                head,
            });
        }
        for (head, rows) in self.steps.into_values() {
            runs.push(step(self.path, head, &rows)?);
        }
        Ok(runs)
    }
}

/// A tuner's step: taken whole, once.
fn step(path: &Path, head: Head, rows: &BTreeMap<u64, Row>) -> Result<Merged> {
    let (run, setup) = (&head.spec["run"], &head.spec["setup"]);
    let (Some(run), Some(setup), Some(first)) = (run.as_str(), setup.as_str(), head.spec["first"].as_u64())
    else {
        bail!("expected a tuner's run, its setup and first pair in the head");
    };
    let at = |place: usize| first + place as u64;
    let missing: Vec<usize> = (1..=head.slices())
        .filter(|&slice| !head.items(slice).all(|n| rows.contains_key(&at(n))))
        .collect();
    let mut new = 0;
    if missing.is_empty() {
        let mut store = TuneStore::open(path)?;
        match store.setup(run)? {
            None => store.begin(run, &head.game, setup)?,
            Some((_, known)) if known == setup => {}
            Some(_) => bail!("run {run} in {} was started with other arguments", path.display()),
        }
        let known = store.rows(run)?.len() as u64;
        if known < first {
            bail!(
                "run {run} in {} has {known} pairs, this step begins after {first}",
                path.display()
            );
        }
        if known == first {
            let rows: Vec<Row> = rows.values().cloned().collect();
            store.add(run, &rows)?;
            new = rows.len();
        }
    }
    Ok(Merged {
        run: None,
        new,
        known: rows.len(),
        missing,
        head,
    })
}

/// `3, 7-9`.
pub fn ranges(numbers: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &n in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => parts.push((n, n)),
        }
    }
    let word = |(a, b): &(usize, usize)| if a == b { a.to_string() } else { format!("{a}-{b}") };
    parts.iter().map(word).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn neighbours_are_one_range() {
        assert_eq!(ranges(&[3, 7, 8, 9, 11]), "3,7-9,11");
        assert_eq!(ranges(&[]), "");
    }
}
