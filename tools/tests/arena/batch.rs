//! Slices, however a run is cut into them and whatever happens to them, make the run of one machine.

use crate::program::command;
use fifty_tools::arena::store::Store;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Two bots at fixed work, cheap ones.
const GAME: [&str; 5] = ["connexion", "--bot", "engine:50", "--bot", "builtin:greedy"];

fn fifty(args: &[&str], dir: &Path) -> Output {
    command(args, dir).output().unwrap()
}

fn fine(args: &[&str], dir: &Path) -> String {
    let done = fifty(args, dir);
    assert_eq!(done.status.code(), Some(0), "{args:?}: {done:?}");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

fn start(args: &[&str], dir: &Path) -> Child {
    let mut command = command(args, dir);
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Games of the only run but for their times: results, and every message of each.
fn games(path: &Path) -> Vec<String> {
    let store = Store::read(path).unwrap();
    let runs = store.runs().unwrap();
    assert_eq!(runs.len(), 1, "{runs:?}");
    let ids = store.ids(runs[0].id).unwrap();
    let results = store.results(runs[0].id).unwrap().into_values();
    results
        .map(|mut result| {
            result.times.clear();
            let trace = store.trace(ids[&result.index]).unwrap();
            let exchanges = trace.steps.iter().flat_map(|step| &step.exchanges);
            let said: Vec<_> = exchanges.map(|e| (e.seat, &e.send, &e.output)).collect();
            format!("{result:?} {:?} {said:?}", trace.bots)
        })
        .collect()
}

fn slice(out: &Path, number: usize) -> PathBuf {
    out.join(format!("slice-{number:04}.jsonl"))
}

/// Plays one machine's run and the same in each number of slices.
#[test]
fn slices_make_the_run_whatever_comes_twice_or_dies() {
    let here = tempfile::tempdir().unwrap();
    let dir = here.path();
    let league = [&["league"], &GAME[..], &["--games", "12"]].concat();
    fine(&[&league[..], &["--results", "one.sqlite"]].concat(), dir);
    let expected = games(&dir.join("one.sqlite"));
    assert_eq!(expected.len(), 12);
    for slices in [1, 3, 5] {
        let (plan, out) = (format!("plan{slices}"), format!("out{slices}"));
        let results = format!("all{slices}.sqlite");
        let count = slices.to_string();
        let words = ["batch", "plan", "--slices", &count];
        fine(&[&words[..], &league, &["-o", &plan]].concat(), dir);
        let run = |number: usize| -> Vec<String> {
            let words = ["batch", "run", &plan, "--slice", &number.to_string(), "-o", &out];
            words.map(str::to_owned).to_vec()
        };
        let words = |number: usize| run(number);
        // Last to first; the first one twice at once, and once more; one killed, and played again.
        for number in (1..=slices).rev() {
            let own = words(number);
            let own: Vec<&str> = own.iter().map(String::as_str).collect();
            if number == slices {
                let mut killed = start(&own, dir);
                killed.kill().unwrap();
                killed.wait().unwrap();
            }
            let mut second = (number == 1).then(|| start(&own, dir));
            fine(&own, dir);
            if let Some(second) = &mut second {
                assert!(second.wait().unwrap().success());
                assert!(fine(&own, dir).contains("was there already"));
            }
        }
        let files: Vec<String> = (1..=slices)
            .map(|n| slice(Path::new(&out), n).display().to_string())
            .collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let merge = |files: &[&str]| {
            fifty(
                &[&["batch", "merge"], files, &["--results", &results]].concat(),
                dir,
            )
        };
        if slices == 5 {
            // Damaged on its way: named, left out; what is missing is named as well.
            let path = dir.join(files[2]);
            let whole = fs::read_to_string(&path).unwrap();
            fs::write(&path, whole.replacen("{\"game\"", "{\"gone\"", 1)).unwrap();
            let merged = merge(&files);
            let (told, said) = (
                String::from_utf8_lossy(&merged.stdout),
                String::from_utf8_lossy(&merged.stderr),
            );
            assert_eq!(merged.status.code(), Some(2), "{merged:?}");
            assert!(said.contains("slice-0003.jsonl line 2: expected"), "{said}");
            assert!(told.contains("slices missing: 3"), "{told}");
            let own = words(3);
            fine(&own.iter().map(String::as_str).collect::<Vec<_>>(), dir);
            assert!(path.with_extension("damaged").exists());
        }
        let twice = [&files[..], &files].concat();
        let told = String::from_utf8_lossy(&merge(&twice).stdout).into_owned();
        assert!(
            told.contains("12 of 12 games") && told.contains("nothing is missing"),
            "{told}"
        );
        let told = String::from_utf8_lossy(&merge(&files).stdout).into_owned();
        assert!(told.contains("12 of 12 games, 0 new"), "{told}");
        assert_eq!(games(&dir.join(&results)), expected, "{slices} slices");
        // What was merged is a run like any other: its own command finds nothing left to play.
        let again = fine(&[&league[..], &["--resume", "--results", &results]].concat(), dir);
        assert!(again.contains("connexion: 12 games"), "{again}");
        assert_eq!(games(&dir.join(&results)), expected);
    }
    // A tree: two results files into one.
    for (leaf, own) in [("a.sqlite", &[1, 4, 5][..]), ("b.sqlite", &[2, 3][..])] {
        let files: Vec<String> = own
            .iter()
            .map(|&n| slice(Path::new("out5"), n).display().to_string())
            .collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        fine(
            &[&["batch", "merge"], &files[..], &["--results", leaf]].concat(),
            dir,
        );
    }
    fine(
        &[
            "batch",
            "merge",
            "b.sqlite",
            "a.sqlite",
            "--results",
            "root.sqlite",
        ],
        dir,
    );
    assert_eq!(games(&dir.join("root.sqlite")), expected);
}

#[test]
fn a_plan_goes_anywhere_with_its_programs() {
    let here = tempfile::tempdir().unwrap();
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arena/bots");
    for name in ["toy_referee.py", "toy_bot.py"] {
        fs::copy(bots.join(name), here.path().join(name)).unwrap();
    }
    let play = [
        "play",
        "--referee",
        "python3 toy_referee.py",
        "--bot",
        "python3 toy_bot.py 0",
        "--bot",
        "two=python3 toy_bot.py 2",
        "--games",
        "4",
        "-o",
        "rounds=3",
    ];
    fine(&[&play[..], &["--results", "local.sqlite"]].concat(), here.path());
    fine(
        &[&["batch", "plan"], &play[..], &["--slices", "2", "--out", "plan"]].concat(),
        here.path(),
    );
    let there = tempfile::tempdir().unwrap();
    fs::rename(here.path().join("plan"), there.path().join("plan")).unwrap();
    for name in ["toy_referee.py", "toy_bot.py"] {
        fs::remove_file(here.path().join(name)).unwrap();
    }
    for number in ["1", "2"] {
        fine(
            &["batch", "run", "plan", "--slice", number, "-o", "out"],
            there.path(),
        );
    }
    let (one, two) = (slice(Path::new("out"), 1), slice(Path::new("out"), 2));
    let files = [one.to_str().unwrap(), two.to_str().unwrap()];
    fine(
        &[&["batch", "merge"], &files[..], &["--results", "all.sqlite"]].concat(),
        there.path(),
    );
    assert_eq!(
        games(&there.path().join("all.sqlite")),
        games(&here.path().join("local.sqlite"))
    );
    for (words, expected) in [
        (
            &["batch", "run", "plan", "--slice", "3", "-o", "out"][..],
            "1 to 2",
        ),
        (
            &["batch", "run", "nowhere", "--slice", "1", "-o", "out"],
            "nowhere",
        ),
        (
            &["batch", "plan", "league", "nothing", "-o", "p"],
            "no game named nothing",
        ),
        (&["batch", "plan", "league", "connexion"], "expected -o FOLDER"),
        (
            &["batch", "plan", "league", "connexion", "-o", "plan"],
            "is there already",
        ),
        (
            &["batch", "merge", "nothing.jsonl"],
            "nothing.jsonl: cannot be read",
        ),
    ] {
        let wrong = fifty(words, there.path());
        let said = String::from_utf8_lossy(&wrong.stderr);
        assert!(
            wrong.status.code() == Some(2) && said.contains(expected),
            "{words:?}: {wrong:?}"
        );
    }
}

#[test]
fn a_tuners_steps_in_slices_are_those_of_one_machine() {
    let here = tempfile::tempdir().unwrap();
    let tune = [
        "tune",
        "connexion",
        "--work",
        "40",
        "--batch",
        "2",
        "--check",
        "0",
        "--pool",
        "builtin:greedy",
    ];
    fine(
        &[&tune[..], &["--db", "one.sqlite", "--games", "16"]].concat(),
        here.path(),
    );
    for step in ["1", "2"] {
        let (plan, out) = (format!("plan{step}"), format!("out{step}"));
        fine(
            &[
                &["batch", "plan"],
                &tune[..],
                &["--db", "two.sqlite", "-o", &plan, "--slices", "2"],
            ]
            .concat(),
            here.path(),
        );
        for number in ["2", "1"] {
            fine(
                &["batch", "run", &plan, "--slice", number, "-o", &out],
                here.path(),
            );
        }
        let (one, two) = (slice(Path::new(&out), 1), slice(Path::new(&out), 2));
        let merge = |files: &[&Path]| {
            let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
            fine(
                &[&["batch", "merge"], &files[..], &["--results", "two.sqlite"]].concat(),
                here.path(),
            )
        };
        assert!(merge(&[&two]).contains("slices missing: 1"));
        assert!(merge(&[&two, &one]).contains("2 of 2 pairs, 2 new"));
        assert!(merge(&[&two, &one]).contains("2 of 2 pairs, 0 new"));
    }
    let rows = |file: &str| {
        let store = fifty_tools::tune::store::Store::open(&here.path().join(file)).unwrap();
        store.rows("connexion").unwrap()
    };
    assert_eq!(rows("one.sqlite").len(), 4);
    assert_eq!(rows("one.sqlite"), rows("two.sqlite"));
}

/// A folder with a cluster that is none: `bots/slurm.py` under the names of Slurm's programs.
struct Cluster {
    dir: tempfile::TempDir,
    home: PathBuf,
    path: String,
}

impl Cluster {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("slurm");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arena/bots/slurm.py");
        fs::create_dir_all(&home).unwrap();
        for name in ["sbatch", "squeue", "scancel", "scontrol"] {
            let path = home.join(name);
            let run = format!(
                "import sys; sys.argv[0] = '{name}'; exec(open('{}').read())",
                script.display()
            );
            fs::write(&path, format!("#!/bin/sh\nexec python3 -c \"{run}\" \"$@\"\n")).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            fs::set_permissions(&path, mode).unwrap();
        }
        let path = format!("{}:{}", home.display(), std::env::var("PATH").unwrap());
        Self { dir, home, path }
    }

    fn dir(&self) -> &Path {
        self.dir.path()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = command(words, self.dir());
        command.env("PATH", &self.path).env("FAKE_SLURM", &self.home);
        command
    }

    fn fine(&self, words: &[&str]) -> Output {
        let done = self.command(words).output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{done:?}");
        done
    }

    /// What Slurm's programs were called with.
    fn calls(&self) -> String {
        fs::read_to_string(self.home.join("calls")).unwrap()
    }
}

#[test]
fn a_cluster_plays_what_one_machine_plays_though_tasks_are_lost() {
    let cluster = Cluster::new();
    let dir = cluster.dir();
    let league = [&["league"], &GAME[..], &["--games", "12"]].concat();
    fine(&[&league[..], &["--results", "one.sqlite"]].concat(), dir);
    let expected = games(&dir.join("one.sqlite"));
    fs::write(cluster.home.join("lose"), "2").unwrap();
    let options = [
        "--on",
        "slurm --partition=any",
        "--slice-games",
        "2",
        "--results",
        "all.sqlite",
    ];
    let on = [&league[..], &options].concat();
    // The front end dies as soon as something is handed in.
    let mut first = cluster
        .command(&on)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let noted = dir.join("all.sqlite.plans/run-1/slurm/state.json");
    let handed_in = || fs::read_to_string(&noted).is_ok_and(|text| text.contains("\"job\":\"1\""));
    while !handed_in() && first.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(10));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let done = cluster.fine(&[&on[..], &["--resume"]].concat());
    let [told, said] = [&done.stdout, &done.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(
        told.contains("connexion: 12 games") && told.contains("node node0"),
        "{told}"
    );
    assert!(said.contains("ended without a result: handed in again"), "{said}");
    assert_eq!(games(&dir.join("all.sqlite")), expected);
    let calls = cluster.calls();
    assert!(
        calls.contains("--cpus-per-task=1") && calls.contains("--partition=any"),
        "{calls}"
    );
    // A second front end has nothing to do.
    cluster.fine(&[&on[..], &["--resume"]].concat());
    assert_eq!(
        cluster.calls().matches("sbatch").count(),
        calls.matches("sbatch").count()
    );
}

#[test]
fn a_test_that_is_decided_ends_its_array() {
    let cluster = Cluster::new();
    let line = "sprt connexion --candidate engine:50 --base builtin:random --elo1 200 --games 400 --on slurm \
                --slice-games 10 --results test.sqlite";
    cluster.fine(&line.split_ascii_whitespace().collect::<Vec<_>>());
    let calls = cluster.calls();
    assert!(calls.contains("scancel"), "{calls}");
    let played = games(&cluster.dir().join("test.sqlite")).len();
    assert!(
        played < 120,
        "{played} games were played for a test that 60 decide"
    );
    let until = Instant::now() + Duration::from_secs(60);
    while fs::read_dir(cluster.home.join("tasks")).unwrap().count() > 0 {
        assert!(Instant::now() < until, "the array goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Slurm's programs without a controller: nothing is handed in, and nobody waits for it.
#[test]
fn a_cluster_that_never_answered_is_not_waited_for() {
    let cluster = Cluster::new();
    fs::write(
        cluster.home.join("squeue"),
        "#!/bin/sh\necho no configuration >&2\nexit 1\n",
    )
    .unwrap();
    let line =
        "sprt connexion --candidate engine:50 --base builtin:random --games 40 --on slurm --results r.sqlite";
    let began = Instant::now();
    let done = cluster
        .command(&line.split_ascii_whitespace().collect::<Vec<_>>())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(
        said.contains("squeue") && said.contains("no configuration"),
        "{said}"
    );
    assert!(began.elapsed() < Duration::from_secs(60), "{said}");
    assert!(!cluster.home.join("calls").exists(), "{}", cluster.calls());
}

#[test]
fn a_tuners_step_goes_there_as_well() {
    let cluster = Cluster::new();
    let tune: Vec<&str> = "tune connexion --work 40 --batch 2 --check 0 --games 8"
        .split(' ')
        .collect();
    fine(&[&tune[..], &["--db", "here.sqlite"]].concat(), cluster.dir());
    let there = ["--db", "there.sqlite", "--on", "slurm", "--slice-pairs", "1"];
    cluster.fine(&[&tune[..], &there].concat());
    let rows = |file: &str| {
        let store = fifty_tools::tune::store::Store::open(&cluster.dir().join(file));
        store.unwrap().rows("connexion").unwrap()
    };
    assert_eq!(rows("here.sqlite").len(), 4);
    assert_eq!(rows("here.sqlite"), rows("there.sqlite"));
}
