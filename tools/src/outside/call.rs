//! One game by an outside referee: its command line, its process, and what came of it.
//!
//! The referee starts the bots and holds their clocks. Its process has a group of its own and is ended, with whatever it
//! started, when its time is up, when the run is interrupted, and when this program is gone. Not here: many games
//! (`arena::matches`), reading what it printed (`said`).

use super::outcome::{self, Finished};
use super::said::{Failure, Trouble};
use super::settings::{Convention, Game};
use crate::arena::command::CommandLine;
use crate::arena::guard::Mark;
use crate::arena::process::describe;
use crate::arena::runner::Played;
use crate::arena::{interrupt, sys};
use crate::games::connexion::formats::Bags;
use nix::sys::signal::Signal;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// Most bytes of output that are kept.
const MOST: usize = 4 << 20;

/// Plays it.
pub fn play(game: &Game<'_>) -> Result<Played, Failure> {
    let broken = |why: std::io::Error| Failure::new(Trouble::Crashed, format!("no temporary folder: {why}"));
    let folder = tempfile::tempdir().map_err(broken)?;
    let files = Files {
        log: folder
            .path()
            .join(if game.settings.adapter == Convention::Settings {
                "log.txt"
            } else {
                "game.json"
            }),
        settings: folder.path().join("settings.ini"),
        input: folder.path().join("input.txt"),
    };
    if game.settings.adapter == Convention::Settings {
        prepare(game, &files)?;
    }
    let line = line(game, &files)?;
    let (stdout, stderr) = run(&line, Duration::from_secs(game.settings.timeout))?;
    let log = std::fs::read(&files.log)
        .ok()
        .filter(|log| !log.is_empty())
        .map(|log| String::from_utf8_lossy(&log).into_owned());
    outcome::of(&Finished {
        game,
        stdout,
        stderr,
        log,
    })
}

/// Files of one game.
struct Files {
    log: PathBuf,
    settings: PathBuf,
    input: PathBuf,
}

/// Writes the settings file and the input.
fn prepare(game: &Game<'_>, files: &Files) -> Result<(), Failure> {
    let failed = |why: String| Failure::new(Trouble::Crashed, why);
    let input = match &game.settings.inputs {
        None => {
            std::fs::write(&files.input, Bags::random(game.seed).render())
                .map_err(|e| failed(e.to_string()))?;
            files.input.clone()
        }
        Some(pattern) => {
            let found = glob::glob(pattern).map_err(|e| failed(format!("inputs = {pattern}: {e}")))?;
            let mut found: Vec<PathBuf> = found.flatten().collect();
            found.sort();
            let at = game.seed.checked_rem(found.len() as u64).unwrap_or_default() as usize;
            let chosen = found.get(at).cloned();
            chosen.ok_or_else(|| failed(format!("inputs = {pattern}: no such files")))?
        }
    };
    let lines = [
        ("INPUT", input.display().to_string()),
        ("LOG", files.log.display().to_string()),
        ("EXEC1", game.bots[0].1.clone()),
        ("EXEC2", game.bots[1].1.clone()),
    ];
    let mut text = String::new();
    for (key, value) in lines {
        text += &(key.to_owned() + "=" + &value + "\n");
    }
    std::fs::write(&files.settings, text).map_err(|e| failed(e.to_string()))
}

/// The words of the command with everything filled in that it asks for, and what its convention adds.
fn line(game: &Game<'_>, files: &Files) -> Result<CommandLine, Failure> {
    let settings = game.settings;
    let mut line = CommandLine::parse(&settings.command)
        .map_err(|why| Failure::new(Trouble::Crashed, format!("{why:#}")))?;
    let mut options = settings.options.clone();
    options.extend(game.options.clone());
    let pairs: Vec<String> = options
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    let mut values = vec![
        ("seed".to_owned(), game.seed.to_string()),
        ("log".to_owned(), files.log.display().to_string()),
        ("replay_path".to_owned(), files.log.display().to_string()),
        ("settings".to_owned(), files.settings.display().to_string()),
        ("input".to_owned(), files.input.display().to_string()),
        ("options".to_owned(), pairs.join(" ")),
        (
            "clock".to_owned(),
            settings.clock.map_or_else(String::new, |ms| ms.to_string()),
        ),
    ];
    for (n, (_, command)) in game.bots.iter().enumerate() {
        values.push((format!("p{}", n + 1), command.clone()));
    }
    let mut asked = Vec::new();
    let mut words = Vec::new();
    for word in &line.words {
        if ["{players}", "{PLAYERS}", "%ALL_PLAYERS%"].contains(&word.as_str()) {
            asked.push("p1".to_owned());
            words.extend(game.bots.iter().map(|(_, command)| command.clone()));
            continue;
        }
        let mut word = word.clone();
        for (key, value) in &values {
            let upper = key.to_uppercase();
            for spelt in [format!("{{{key}}}"), format!("{{{upper}}}"), format!("%{upper}%")] {
                if word.contains(&spelt) {
                    word = word.replace(&spelt, value);
                    asked.push(key.clone());
                }
            }
        }
        words.push(word);
    }
    let open = |key: &str| !asked.iter().any(|asked| asked == key);
    let players = open("p1") && open("settings");
    if players && matches!(settings.adapter, Convention::Brutaltester | Convention::Codingame) {
        for (n, (_, command)) in game.bots.iter().enumerate() {
            words.extend([format!("-p{}", n + 1), command.clone()]);
        }
    }
    let seed = game.seed.to_string();
    let wants_log = settings.log && open("log") && open("replay_path");
    match settings.adapter {
        Convention::Brutaltester => {
            if open("seed") {
                let told: Vec<String> = [format!("seed={seed}")].into_iter().chain(pairs).collect();
                words.extend(["-d".to_owned(), told.join(" ")]);
            }
        }
        Convention::Codingame => {
            if open("seed") {
                words.extend(["-seed".to_owned(), seed]);
            }
            for (key, value) in options.iter().filter(|_| open("options")) {
                words.extend([format!("-{key}"), value.clone()]);
            }
        }
        Convention::Psyleague => {
            if players {
                words.extend(game.bots.iter().map(|(_, command)| command.clone()));
            }
        }
        Convention::Settings => {
            if open("settings") {
                words.push(files.settings.display().to_string());
            }
        }
    }
    if wants_log && matches!(settings.adapter, Convention::Brutaltester | Convention::Codingame) {
        words.extend(["-l".to_owned(), files.log.display().to_string()]);
    }
    line.words = words;
    Ok(line)
}

/// What a pipe has said so far.
struct Heard {
    text: Arc<Mutex<Vec<u8>>>,
    over: mpsc::Receiver<()>,
}

/// Reads a pipe to its end; keeps the first bytes or, with `last`, the last ones.
fn hear(mut pipe: impl Read + Send + 'static, last: bool) -> Heard {
    let text = Arc::new(Mutex::new(Vec::new()));
    let (send, over) = mpsc::channel();
    let kept = text.clone();
    std::thread::spawn(move || {
        let mut buffer = [0u8; 16 << 10];
        while let Ok(n @ 1..) = pipe.read(&mut buffer) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if last || kept.len() < MOST {
                kept.extend_from_slice(&buffer[..n]);
            }
            if last && kept.len() > 64 << 10 {
                let excess = kept.len() - (32 << 10);
                kept.drain(..excess);
            }
        }
        let _ = send.send(());
    });
    Heard { text, over }
}

impl Heard {
    fn flooded(&self) -> bool {
        self.text.lock().unwrap_or_else(PoisonError::into_inner).len() >= MOST
    }

    /// All of it; whoever else holds the pipe open is not waited for.
    fn text(&self) -> String {
        let _ = self.over.recv_timeout(Duration::from_secs(2));
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// The last lines of what a program said, in one.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines[lines.len().saturating_sub(3)..].join(" | ");
    let short: String = last
        .chars()
        .rev()
        .take(400)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    if short.is_empty() {
        String::new()
    } else {
        format!("; it said: {short}")
    }
}

/// Runs it to its end: stdout and stderr.
fn run(line: &CommandLine, most: Duration) -> Result<(String, String), Failure> {
    let mark = Mark::new();
    let mut command: Command = line.command();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    mark.put(&mut command);
    let program = Path::new(&line.words[0]).display().to_string();
    let start = |why: String| Failure::new(Trouble::Crashed, format!("{program} cannot be started: {why}"));
    let mut child = command.spawn().map_err(|e| start(e.to_string()))?;
    let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(start("no pipes".to_owned()));
    };
    let (out, err) = (hear(out, false), hear(err, true));
    let until = Instant::now() + most;
    let mut nap = Duration::from_micros(500);
    let mut end: Option<ExitStatus> = None;
    while end.is_none() && Instant::now() < until && !interrupt::requested() && !out.flooded() {
        end = child
            .try_wait()
            .map_err(|e| Failure::new(Trouble::Crashed, e.to_string()))?;
        if end.is_none() {
            std::thread::sleep(nap);
            nap = (nap * 2).min(Duration::from_millis(5));
        }
    }
    sys::signal_group(child.id(), Signal::SIGKILL);
    if end.is_none() {
        let _ = child.wait();
    }
    mark.sweep(&[child.id()]);
    let (stdout, stderr) = (out.text(), err.text());
    match end {
        Some(status) if status.success() => Ok((stdout, stderr)),
        Some(status) => Err(Failure::new(Trouble::Crashed, describe(status) + &tail(&stderr))),
        None if out.flooded() => Err(Failure::new(
            Trouble::Nonsense,
            format!("more than {} MiB of output", MOST >> 20),
        )),
        None => Err(Failure::new(
            Trouble::Hung,
            format!("no end within {} s", most.as_secs()) + &tail(&stderr),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{Files, Game, line};
    use crate::outside::settings::{Convention, Settings};
    use std::collections::BTreeMap;

    fn words(command: &str, adapter: Convention) -> String {
        let settings = Settings {
            adapter,
            clock: Some(50),
            options: [("league".to_owned(), "2".to_owned())].into(),
            ..Settings::new(command)
        };
        let game = Game {
            settings: &settings,
            options: &BTreeMap::new(),
            bots: vec![("a".into(), "./a -x".into()), ("b".into(), "./b".into())],
            seed: 7,
        };
        let files = Files {
            log: "LOG".into(),
            settings: "INI".into(),
            input: "IN".into(),
        };
        line(&game, &files).unwrap().words.join("|")
    }

    #[test]
    fn every_convention_is_spoken() {
        use Convention::{Brutaltester, Codingame, Psyleague, Settings};
        for (command, adapter, want) in [
            (
                "ref x",
                Brutaltester,
                "ref|x|-p1|./a -x|-p2|./b|-d|seed=7 league=2|-l|LOG",
            ),
            (
                "ref",
                Codingame,
                "ref|-p1|./a -x|-p2|./b|-seed|7|-league|2|-l|LOG",
            ),
            ("python play.py", Psyleague, "python|play.py|./a -x|./b"),
            (
                "python play.py {SEED} {PLAYERS} {log}",
                Psyleague,
                "python|play.py|7|./a -x|./b|LOG",
            ),
            (
                "py %P2% %P1% -t {clock} -s{seed}",
                Brutaltester,
                "py|./b|./a -x|-t|50|-s7|-l|LOG",
            ),
            ("tool", Settings, "tool|INI"),
            ("tool -c {settings} -v", Settings, "tool|-c|INI|-v"),
        ] {
            assert_eq!(words(command, adapter), want);
        }
    }
}
