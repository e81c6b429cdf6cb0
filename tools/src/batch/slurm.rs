//! `--on slurm`: a plan's slices as job arrays, results taken as they come.
//!
//! Everything that this needs to know lies in the plan's folder (`slurm/state.json`, written before anything is handed
//! in; `out/` with the results), and tasks are found again by their job's name: the program may die at any time, and
//! the next one goes on. A task that is gone without a result is handed in again, three times; one that runs far
//! longer than the others is handed in a second time elsewhere, and the first result counts. Nodes whose calibration
//! game is slow or whose watcher saw them stall get nothing more.
//!
//! Slices are numbered in the order of the run, Slurm starts an array's tasks in that order, and what is decided by the
//! results is decided in that order (see `Contest::settled`): a result that comes early waits for those before it.

use super::merge::ranges;
use super::node::Node;
use super::plan::{BatchPlan, PROGRAM, result_file};
use super::queue::{MOST, On, Queue, Task};
use super::slice::Slice;
use crate::arena::interrupt;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Kinds of runs that may end before all slices are played.
const DECIDED_EARLY: [&str; 2] = ["sprt", "evaluate"];
/// Between two looks into the folder of results.
const LOOK: Duration = Duration::from_millis(200);
/// Between two questions to Slurm.
const ASK: Duration = Duration::from_secs(1);
/// How often a task may be missing before it is gone: its result may be seen a moment after its end.
const GONE: u32 = 3;
/// How often a slice is handed in before its trouble is its own.
const TRIES: u32 = 3;
/// Questions that Slurm may leave unanswered in a row.
const SILENT: u32 = 120;
/// A node this much slower than the median is left out.
const SLOW: f64 = 1.25;
/// Slices of a node before its speed is known: a busy moment is not a slow node.
const FEWEST: usize = 3;
/// A slice that takes this many times as long as the median of the others, and a while more, is played elsewhere too.
const STRAGGLES: f64 = 3.0;
/// That while.
const PATIENCE: Duration = Duration::from_secs(10);
/// Slices that wait at least, where a run may be decided early; besides them as many as run, twice.
const WAITING: usize = 50;

/// One array that was handed in, or was about to be.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Submission {
    slices: Vec<usize>,
    /// Known once `sbatch` has answered.
    job: Option<String>,
}

/// What must outlive this program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    submissions: Vec<Submission>,
    excluded: Vec<String>,
}

/// What came of it.
pub struct Ended {
    /// By node: what its slices said.
    pub nodes: BTreeMap<String, Vec<Node>>,
    /// Nodes that got nothing more, and why.
    pub excluded: Vec<String>,
}

/// The front end of one plan.
struct Front<'a> {
    folder: &'a Path,
    plan: &'a BatchPlan,
    queue: Queue,
    state: State,
    /// Slices whose results are still to come.
    open: BTreeSet<usize>,
    tries: BTreeMap<usize, u32>,
    missing: BTreeMap<usize, u32>,
    running: BTreeMap<usize, (Instant, String)>,
    doubled: BTreeSet<usize>,
    hastened: BTreeSet<String>,
    silent: u32,
    /// The controller has answered since this front end began.
    heard: bool,
    /// Tasks that ran at once.
    most: usize,
    ended: Ended,
}

/// Plays a plan; of slices without an item outside `known` nothing is played. `take` sees each slice as it comes, in any
/// order, and ends all by returning false.
pub fn run(
    folder: &Path,
    plan: &BatchPlan,
    on: &On,
    known: &BTreeSet<usize>,
    mut take: impl FnMut(&Slice) -> bool,
) -> Result<Ended> {
    let folder = fs::canonicalize(folder).with_context(|| format!("{}: no such plan", folder.display()))?;
    for sub in ["out", "slurm"] {
        fs::create_dir_all(folder.join(sub))
            .with_context(|| format!("{}: cannot be written", folder.display()))?;
    }
    let slices = 1..=plan.head.slices();
    let mut front = Front {
        queue: Queue::new(&plan.head.plan, on),
        state: State::read(&folder)?,
        open: slices
            .filter(|&s| !plan.head.items(s).all(|n| known.contains(&n)))
            .collect(),
        folder: &folder,
        plan,
        tries: BTreeMap::new(),
        missing: BTreeMap::new(),
        running: BTreeMap::new(),
        doubled: BTreeSet::new(),
        hastened: BTreeSet::new(),
        silent: 0,
        heard: false,
        most: 0,
        ended: Ended {
            nodes: BTreeMap::new(),
            excluded: Vec::new(),
        },
    };
    let mut asked: Option<Instant> = None;
    loop {
        if !front.collect(&mut take)? {
            front.stop("decided")?;
            break;
        }
        if front.open.is_empty() {
            // What was handed in twice may still be played.
            front.stop("all there")?;
            break;
        }
        if interrupt::requested() {
            eprintln!(
                "the slices handed in go on without us; to end them: scancel {}",
                front.jobs().join(" ")
            );
            break;
        }
        if asked.is_none_or(|at| at.elapsed() >= ASK) {
            front.attend()?;
            asked = Some(Instant::now());
        }
        std::thread::sleep(LOOK);
    }
    Ok(front.ended)
}

impl State {
    fn path(folder: &Path) -> PathBuf {
        folder.join("slurm/state.json")
    }

    fn read(folder: &Path) -> Result<Self> {
        let path = Self::path(folder);
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text)
                .with_context(|| format!("{}: expected the state of --on slurm", path.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("{}: cannot be read", path.display())),
        }
    }

    fn write(&self, folder: &Path) -> Result<()> {
        let path = Self::path(folder);
        let temporary = path.with_extension("new");
        fs::write(&temporary, serde_json::to_string(self)?)
            .and_then(|()| fs::rename(&temporary, &path))
            .with_context(|| format!("{}: cannot be written", path.display()))
    }
}

impl Front<'_> {
    /// Takes all results that are there; false where that is enough.
    fn collect(&mut self, take: &mut impl FnMut(&Slice) -> bool) -> Result<bool> {
        let out = self.folder.join("out");
        // The folder is listed rather than each file asked for: a network's file system forgets sooner, then.
        let here: BTreeSet<PathBuf> = fs::read_dir(&out)?.flatten().map(|entry| entry.path()).collect();
        for number in self.open.clone() {
            let path = result_file(&out, number);
            if !here.contains(&path) {
                continue;
            }
            let slice = match Slice::read(&path) {
                Ok(slice) if slice.head.plan == self.plan.head.plan && slice.number == number => slice,
                Ok(_) => bail!("{}: a slice of another plan", path.display()),
                Err(wrong) => {
                    eprintln!("{wrong:#}; it is put aside and played again");
                    fs::rename(&path, path.with_extension("damaged"))?;
                    continue;
                }
            };
            self.open.remove(&number);
            self.running.remove(&number);
            let node = slice.node.clone();
            self.ended.nodes.entry(node.name.clone()).or_default().push(node);
            if !take(&slice) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Looks after what was handed in: hands in what is not, again what was lost.
    fn attend(&mut self) -> Result<()> {
        let tasks = match self.queue.tasks() {
            Ok(tasks) => tasks,
            // A controller that restarts is silent for a while; one that never spoke is not there.
            Err(error) if self.heard && self.silent < SILENT => {
                if self.silent == 0 {
                    eprintln!("{error:#}; asked again");
                }
                self.silent += 1;
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        (self.heard, self.silent) = (true, 0);
        self.learn(&tasks)?;
        let mut live: BTreeMap<usize, Vec<&Task>> = BTreeMap::new();
        for task in tasks.iter().filter(|task| task.live()) {
            let slices = self.state.submissions.get(task.submission).map(|s| &s.slices);
            if let Some(slice) = slices.and_then(|slices| slices.get(task.index)) {
                live.entry(*slice).or_default().push(task);
            }
        }
        let needless: Vec<String> = (live.iter())
            .filter(|(slice, _)| !self.open.contains(slice))
            .flat_map(|(_, tasks)| tasks.iter().filter(|task| tasks.len() > 1 || task.state == "PD"))
            .map(|task| task.id())
            .collect();
        try_to("end a second copy", self.queue.cancel(&needless));
        self.hasten(&tasks);
        self.exclude(&tasks)?;
        let mut lost = Vec::new();
        for &slice in &self.open {
            if live.contains_key(&slice) {
                self.missing.remove(&slice);
            } else {
                let tried = self.was_handed_in(slice);
                let count = self.missing.entry(slice).or_default();
                *count += 1;
                if !tried || *count >= GONE {
                    lost.push(slice);
                }
            }
        }
        if DECIDED_EARLY.contains(&self.plan.head.kind.as_str()) {
            // What lies far behind is played for nothing where the test ends before it.
            let running = tasks.iter().filter(|task| task.state == "R").count();
            self.most = self.most.max(running);
            let first = self.open.first().copied().unwrap_or_default();
            lost.retain(|slice| *slice < first + WAITING + 2 * self.most);
        }
        let stragglers = self.stragglers(&live);
        self.submit(&lost)?;
        for (slice, node) in stragglers {
            eprintln!(
                "slice {slice} takes far longer than the others, on {node}: it is played elsewhere as well"
            );
            self.doubled.insert(slice);
            let mut avoid = self.state.excluded.clone();
            avoid.push(node);
            self.hand_in(&[slice], &avoid)?;
        }
        Ok(())
    }

    /// Numbers of arrays that were handed in by one who died before noting them.
    fn learn(&mut self, tasks: &[Task]) -> Result<()> {
        let mut fresh = false;
        for task in tasks {
            if let Some(submission) = self.state.submissions.get_mut(task.submission)
                && submission.job.is_none()
            {
                submission.job = Some(task.job.clone());
                fresh = true;
            }
        }
        if fresh {
            self.state.write(self.folder)
        } else {
            Ok(())
        }
    }

    fn was_handed_in(&self, slice: usize) -> bool {
        self.state
            .submissions
            .iter()
            .any(|s| s.job.is_some() && s.slices.contains(&slice))
    }

    /// Hands in slices; those that were there before have lost a try.
    fn submit(&mut self, slices: &[usize]) -> Result<()> {
        if slices.is_empty() {
            return Ok(());
        }
        let again: Vec<usize> = slices
            .iter()
            .copied()
            .filter(|s| self.was_handed_in(*s))
            .collect();
        if !again.is_empty() {
            eprintln!(
                "slices {} ended without a result: handed in again",
                ranges(&again)
            );
        }
        for &slice in slices {
            let tries = self.tries.entry(slice).or_default();
            *tries += 1;
            if *tries > TRIES {
                let log = self.log_of(slice);
                self.stop("given up")?;
                bail!("slice {slice} ended {TRIES} times without a result; {log}");
            }
            self.missing.remove(&slice);
        }
        let excluded = self.state.excluded.clone();
        for part in slices.chunks(MOST) {
            self.hand_in(part, &excluded)?;
        }
        Ok(())
    }

    fn hand_in(&mut self, slices: &[usize], exclude: &[String]) -> Result<()> {
        let number = self.state.submissions.len();
        self.state.submissions.push(Submission {
            slices: slices.to_vec(),
            job: None,
        });
        self.state.write(self.folder)?;
        let script = self.folder.join(format!("slurm/submission-{number}.sh"));
        let words: Vec<String> = slices.iter().map(usize::to_string).collect();
        let quoted = |path: PathBuf| shell_words::quote(&path.display().to_string()).into_owned();
        let text = format!(
            "#!/bin/bash\n# Slices of a plan of fifty, one a task.\nslices=({})\n\
             exec {} batch run {} --slice \"${{slices[$SLURM_ARRAY_TASK_ID]}}\" -o {}\n",
            words.join(" "),
            quoted(self.folder.join(PROGRAM)),
            quoted(self.folder.to_path_buf()),
            quoted(self.folder.join("out")),
        );
        fs::write(&script, text).with_context(|| format!("{}: cannot be written", script.display()))?;
        let logs = self.folder.join("slurm");
        let job = self.queue.submit(number, &script, slices.len(), exclude, &logs)?;
        self.state.submissions[number].job = Some(job);
        self.state.write(self.folder)
    }

    /// What a slice's last task wrote.
    fn log_of(&self, slice: usize) -> String {
        let last = self.state.submissions.iter().rev().find_map(|submission| {
            let index = submission.slices.iter().position(|s| *s == slice)?;
            Some(
                self.folder
                    .join(format!("slurm/{}_{index}.log", submission.job.as_ref()?)),
            )
        });
        let Some(path) = last else {
            return "it was never handed in".to_owned();
        };
        let text = fs::read_to_string(&path).unwrap_or_default();
        let tail: Vec<&str> = text.lines().rev().take(3).collect();
        let tail: Vec<&str> = tail.into_iter().rev().collect();
        format!("{}: {}", path.display(), tail.join(" / "))
    }

    fn hasten(&mut self, tasks: &[Task]) {
        for task in tasks {
            let put_back = ["BeginTime", "launch"]
                .iter()
                .any(|why| task.reason.starts_with(why));
            let held = task.reason.contains("Held");
            if task.state == "PD" && (put_back || held) && self.hastened.insert(task.id() + &task.reason) {
                try_to("start a task that was put back", self.queue.hasten(task));
            }
        }
    }

    /// Slices that have run far longer than the others took, with their nodes.
    fn stragglers(&mut self, live: &BTreeMap<usize, Vec<&Task>>) -> Vec<(usize, String)> {
        for (slice, tasks) in live {
            let running = tasks.iter().find(|task| task.state == "R");
            match (running, self.running.get(slice)) {
                (Some(task), Some((_, node))) if *node == task.node => {}
                (Some(task), _) => {
                    self.running.insert(*slice, (Instant::now(), task.node.clone()));
                }
                (None, _) => {
                    self.running.remove(slice);
                }
            }
        }
        let took: Vec<f64> = self
            .ended
            .nodes
            .values()
            .flatten()
            .map(|node| node.seconds)
            .collect();
        let Some(usual) = median(took) else {
            return Vec::new();
        };
        let most = Duration::from_secs_f64(usual * STRAGGLES) + PATIENCE;
        let late = self.running.iter().filter(|(slice, (since, _))| {
            since.elapsed() > most && self.open.contains(slice) && !self.doubled.contains(slice)
        });
        late.map(|(slice, (_, node))| (*slice, node.clone())).collect()
    }

    /// Leaves out nodes that stall or are slow; never more than half of those that were met.
    fn exclude(&mut self, tasks: &[Task]) -> Result<()> {
        let mut fresh = false;
        for (name, why) in unfit(&self.ended.nodes) {
            let room = (self.state.excluded.len() + 1) * 2 <= self.ended.nodes.len();
            if room && !self.state.excluded.contains(&name) {
                eprintln!("node {name} gets nothing more: {why}");
                self.ended.excluded.push(format!("{name}: {why}"));
                self.state.excluded.push(name);
                fresh = true;
            }
        }
        if !fresh {
            return Ok(());
        }
        self.state.write(self.folder)?;
        let jobs: BTreeSet<&String> = tasks.iter().filter(|t| t.state == "PD").map(|t| &t.job).collect();
        for job in jobs {
            try_to("exclude a node", self.queue.exclude(job, &self.state.excluded));
        }
        Ok(())
    }

    fn jobs(&self) -> Vec<String> {
        self.state
            .submissions
            .iter()
            .filter_map(|s| s.job.clone())
            .collect()
    }

    /// Ends everything that is still queued.
    fn stop(&self, why: &str) -> Result<()> {
        let tasks = match self.queue.tasks() {
            Ok(tasks) => tasks,
            Err(error) => {
                eprintln!(
                    "{error:#}; to end what is queued: scancel {}",
                    self.jobs().join(" ")
                );
                return Ok(());
            }
        };
        let live = tasks.iter().filter(|task| task.live()).count();
        if live > 0 {
            eprintln!("{why}: {live} tasks that are not needed any more are ended");
            let jobs: BTreeSet<String> = tasks.into_iter().map(|task| task.job).collect();
            self.queue.cancel(&jobs.into_iter().collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

/// What may fail without harm: the run goes on, somebody should know.
fn try_to(what: &str, done: Result<()>) {
    if let Err(error) = done {
        eprintln!("could not {what}: {error:#}");
    }
}

/// The lower median.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len().checked_sub(1)? / 2).copied()
}

/// Nodes that should get nothing more, and why.
fn unfit(nodes: &BTreeMap<String, Vec<Node>>) -> Vec<(String, String)> {
    // The best of a node's: what was slow once was busy, what never is fast is slow.
    let own = |slices: &[Node]| {
        slices
            .iter()
            .map(|node| node.calibration)
            .fold(f64::INFINITY, f64::min)
    };
    let Some(usual) = median(nodes.values().map(|slices| own(slices)).collect()) else {
        return Vec::new();
    };
    let mut unfit = Vec::new();
    for (name, slices) in nodes {
        let stalled = slices
            .iter()
            .filter(|node| node.busy.is_some_and(|busy| busy.unreliable()))
            .count();
        let speed = own(slices);
        if slices.len() >= FEWEST && speed > usual * SLOW {
            unfit.push((
                name.clone(),
                format!("its calibration game takes {speed:.1} ms, {usual:.1} ms elsewhere"),
            ));
        } else if stalled >= 2 && stalled * 2 > slices.len() {
            unfit.push((
                name.clone(),
                format!(
                    "bots were kept waiting in {stalled} of its {} slices",
                    slices.len()
                ),
            ));
        }
    }
    unfit
}

#[cfg(test)]
mod tests {
    use super::{Node, unfit};
    use crate::arena::load::Busy;

    #[test]
    fn slow_and_stalling_nodes_are_told_from_the_others() {
        let node = |name: &str, calibration: f64, bad_share: f64| Node {
            name: name.into(),
            calibration,
            busy: Some(Busy {
                samples: 1_000,
                bad_share,
                worst_ms: 9.0,
            }),
            seconds: 1.0,
        };
        let slices = [
            [node("a", 10.0, 0.0), node("a", 10.5, 0.0), node("a", 20.0, 0.0)],
            [node("b", 19.8, 0.0), node("b", 10.1, 0.2), node("b", 19.9, 0.0)],
            [node("c", 14.0, 0.0), node("c", 13.9, 0.0), node("c", 14.5, 0.0)],
            [node("d", 10.1, 0.02), node("d", 10.0, 0.3), node("d", 10.0, 0.0)],
        ];
        let nodes = slices
            .into_iter()
            .map(|both| (both[0].name.clone(), both.to_vec()))
            .collect();
        let names: Vec<String> = unfit(&nodes).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["c", "d"]);
    }
}
