//! Slurm by its own programs: `sbatch`, `squeue`, `scancel`, `scontrol`.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// Tasks of one array: Slurm's `MaxArraySize` is 1001 unless somebody raised it.
pub const MOST: usize = 1_000;

/// `--on slurm`, with words for `sbatch` behind it: `--on 'slurm --partition=long'`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct On {
    /// For `sbatch`, after ours.
    pub words: Vec<String>,
}

impl std::str::FromStr for On {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut words = shell_words::split(text).with_context(|| text.to_owned())?;
        if words.first().map(String::as_str) != Some("slurm") {
            bail!("{text}: expected slurm, and words for sbatch behind it");
        }
        words.remove(0);
        Ok(Self { words })
    }
}

/// A task of an array as `squeue` knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Which submission of the plan.
    pub submission: usize,
    /// The array's number.
    pub job: String,
    /// Place in the array.
    pub index: usize,
    /// Two letters: `PD` waits, `R` runs, `CG` ends.
    pub state: String,
    /// Where.
    pub node: String,
    /// Why it waits.
    pub reason: String,
}

impl Task {
    /// As `scancel` and `scontrol` know it.
    pub fn id(&self) -> String {
        format!("{}_{}", self.job, self.index)
    }

    /// True while it may still bring a result.
    pub fn live(&self) -> bool {
        !matches!(
            self.state.as_str(),
            "CG" | "CD" | "CA" | "F" | "NF" | "TO" | "OOM" | "BF" | "DL"
        )
    }
}

/// The arrays of one plan.
#[derive(Debug)]
pub struct Queue {
    name: String,
    words: Vec<String>,
}

fn call(program: &str, args: &[String]) -> Result<String> {
    let done = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{program}: cannot be started; is Slurm installed here?"))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        bail!("{program} {}: {}", args.join(" "), said.trim());
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

impl Queue {
    /// For the plan of this name.
    pub fn new(plan: &str, on: &On) -> Self {
        Self {
            name: format!("fifty-{plan}-"),
            words: on.words.clone(),
        }
    }

    /// Hands in `tasks` tasks of a script: the array's number.
    pub fn submit(
        &self,
        submission: usize,
        script: &Path,
        tasks: usize,
        exclude: &[String],
        logs: &Path,
    ) -> Result<String> {
        let mut args: Vec<String> = [
            "--parsable",
            "--ntasks=1",
            "--cpus-per-task=1",
            "--requeue",
            "--open-mode=append",
        ]
        .map(String::from)
        .to_vec();
        args.push(format!("--job-name={}{submission}", self.name));
        args.push(format!("--array=0-{}", tasks - 1));
        args.push(format!("--output={}/%A_%a.log", logs.display()));
        if !exclude.is_empty() {
            args.push(format!("--exclude={}", exclude.join(",")));
        }
        args.extend(self.words.iter().cloned());
        args.push(script.display().to_string());
        let said = call("sbatch", &args)?;
        // `JOB` or `JOB;CLUSTER`.
        let job = said.trim().split(';').next().unwrap_or_default();
        if job.is_empty() || !job.bytes().all(|b| b.is_ascii_digit()) {
            bail!("sbatch printed {said:?}: expected a job's number");
        }
        Ok(job.to_owned())
    }

    /// All tasks that are still known, of every submission.
    pub fn tasks(&self) -> Result<Vec<Task>> {
        let args = ["--me", "--noheader", "--array", "--format=%j|%F|%K|%t|%N|%r"].map(String::from);
        Ok(self.read(&call("squeue", &args)?))
    }

    fn read(&self, text: &str) -> Vec<Task> {
        let task = |line: &str| {
            let words: Vec<&str> = line.trim().split('|').collect();
            let [name, job, index, state, node, reason] = words[..] else {
                return None;
            };
            Some(Task {
                submission: name.strip_prefix(&self.name)?.parse().ok()?,
                job: job.to_owned(),
                index: index.parse().ok()?,
                state: state.to_owned(),
                node: node.to_owned(),
                reason: reason.to_owned(),
            })
        };
        text.lines().filter_map(task).collect()
    }

    /// Ends jobs or tasks, waiting or running.
    pub fn cancel(&self, ids: &[String]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        call("scancel", ids).map(|_| ())
    }

    /// What waits of an array goes to no node of `nodes`.
    pub fn exclude(&self, job: &str, nodes: &[String]) -> Result<()> {
        let args = [
            "update".to_owned(),
            format!("jobid={job}"),
            format!("excnodelist={}", nodes.join(",")),
        ];
        call("scontrol", &args).map(|_| ())
    }

    /// A task that Slurm has put back waits for two minutes, and where its start failed, for good: not here.
    pub fn hasten(&self, task: &Task) -> Result<()> {
        if task.reason.starts_with("launch") || task.reason.contains("Held") {
            call("scontrol", &["release".to_owned(), task.id()])?;
        }
        let args = [
            "update".to_owned(),
            format!("jobid={}", task.id()),
            "starttime=now".to_owned(),
        ];
        call("scontrol", &args).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::{On, Queue};

    #[test]
    fn tasks_of_other_plans_are_not_ours() {
        let on: On = "slurm --partition='a b'".parse().unwrap();
        assert_eq!(on.words, ["--partition=a b"]);
        assert!("lsf".parse::<On>().is_err());
        let queue = Queue::new("0a1b", &on);
        let text =
            "fifty-0a1b-2|17|3|R|n1|None\nfifty-ffff-1|16|0|PD||Resources\nfifty-0a1b-2|17|9|CG|n2|None\nx\n";
        let tasks = queue.read(text);
        assert_eq!(tasks.len(), 2);
        assert_eq!((tasks[0].submission, tasks[0].id()), (2, "17_3".to_owned()));
        assert!(tasks[0].live() && !tasks[1].live());
    }
}
