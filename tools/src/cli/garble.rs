//! `fifty garble [GAME…]`: the bots against input that no judge would write.
//!
//! Real messages of fresh games are garbled (bytes, numbers, words, lines, lengths) and given to the bot in this
//! process after a true beginning; some also, as raw bytes, to the program built from it. A panic, a signal or an
//! exit that tells of an error is a failure, printed with the input that made it. Not checked: what it answers.

use super::named::adapters_named;
use crate::adapter::{Adapter, Player, Transport};
use crate::arena::bots::Bot;
use crate::arena::interrupt;
use crate::arena::matches::recorded;
use crate::paths::project_root;
use crate::progress::Progress;
use crate::ship;
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use fifty::kit::clock::Budget;
use fifty::kit::rng::Rng;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Messages one bot meets before a fresh one takes its place.
const LIFE: usize = 50;
/// Bytes of an argument that the system still takes.
const ARGUMENT: usize = 100_000;

/// Arguments of `garble`.
#[derive(ClapArgs)]
pub struct Args {
    /// Games by name. Default: all.
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Garbled messages in all, for the bots in this process.
    #[arg(long, default_value_t = 10_000)]
    inputs: u64,
    /// Garbled games for each program, which is built first; 0 for none.
    #[arg(long, default_value_t = 50)]
    programs: u64,
    /// Decides everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Garbles and counts. Exit 0: nothing failed; 1: something did; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    let games = adapters_named(&args.games)?;
    interrupt::watch()?;
    if args.inputs == 0 && args.programs == 0 {
        bail!("--inputs 0 --programs 0: expected more of one of them");
    }
    let share = args.inputs.div_ceil(games.len() as u64);
    let (mut inputs, mut runs, mut failures) = (0, 0, 0);
    for game in &games {
        let told = told(*game, args.seed)?;
        let mut rng = Rng::new(args.seed);
        let (done, failed) = inside(*game, &told, share, &mut rng)?;
        let (ran, fell) = outside(*game, &told, args.programs, &mut rng)?;
        println!(
            "{}: {done} garbled inputs and {ran} garbled games of the program, {} failures",
            game.name(),
            failed + fell
        );
        inputs += done;
        runs += ran;
        failures += failed + fell;
    }
    println!(
        "{inputs} garbled inputs and {runs} garbled games over {} bots, {failures} failures",
        games.len()
    );
    if interrupt::requested() {
        println!("interrupted before {} inputs", args.inputs);
        return Ok(interrupt::exit_code());
    }
    Ok(ExitCode::from(u8::from(failures > 0)))
}

/// What was sent to each seat in a few fresh games, message by message.
fn told(game: &'static dyn Adapter, seed: u64) -> Result<Vec<Vec<(String, usize)>>> {
    let bots = [
        Bot::parse("builtin:greedy", game)?,
        Bot::parse("builtin:random", game)?,
    ];
    let mut all = Vec::new();
    for n in 0..4 {
        let trace = recorded(game, &bots, seed + n, 0)?;
        for seat in 0..trace.bots.len() {
            let own = trace.exchanges().filter(|e| e.seat == seat);
            all.push(own.map(|e| (e.send.clone(), e.want)).collect());
        }
    }
    Ok(all)
}

/// The bot in this process; how many it met, and how many it fell over.
fn inside(
    game: &'static dyn Adapter,
    told: &[Vec<(String, usize)>],
    count: u64,
    rng: &mut Rng,
) -> Result<(u64, u64)> {
    let fresh = || -> Result<Box<dyn Player>> { game.engine(Budget::Work(1), &[]) };
    let mut progress = Progress::new(&format!("garble {}", game.name()), count, 0).in_units("inputs");
    let (mut done, mut failures) = (0, 0);
    while done < count && !interrupt::requested() {
        let messages = &told[rng.below(told.len() as u32) as usize];
        let mut player = fresh()?;
        // From the game's beginning now and then, so that the bot knows the game; and garbled from the first message
        // now and then, so that it never learns what it should.
        let last = messages.len() as u32;
        let from = if rng.below(2) == 0 {
            0
        } else {
            rng.below(last) as usize
        };
        let first = if rng.below(4) == 0 {
            from
        } else {
            from + rng.below(last) as usize
        };
        let mut met = String::new();
        for (n, (send, want)) in messages.iter().enumerate().skip(from).take(LIFE) {
            let text = if n < first || rng.below(4) == 0 {
                send.clone()
            } else {
                done += 1;
                String::from_utf8_lossy(&garbled(send.as_bytes(), rng)).into_owned()
            };
            met.push_str(&text);
            let answered = catch_unwind(AssertUnwindSafe(|| {
                player.respond(&text, *want);
                player.said();
            }));
            if answered.is_err() {
                failures += 1;
                println!("{}: a panic after:\n{met:.2000}", game.name());
                break;
            }
            if done == count {
                break;
            }
        }
        progress.at(done, || format!("{failures} failures"));
    }
    progress.finish();
    Ok((done, failures))
}

/// The program built from the bot, with raw bytes.
fn outside(
    game: &'static dyn Adapter,
    told: &[Vec<(String, usize)>],
    count: u64,
    rng: &mut Rng,
) -> Result<(u64, u64)> {
    if count == 0 {
        return Ok((0, 0));
    }
    let program = ship::cargo_build(&project_root()?, &[game.name()], &[])?.remove(0);
    let (mut done, mut failures) = (0, 0);
    while done < count && !interrupt::requested() {
        let messages = &told[rng.below(told.len() as u32) as usize];
        let mut input = Vec::new();
        for (send, _) in messages {
            if rng.below(3) == 0 {
                input.extend(garbled(send.as_bytes(), rng));
            } else {
                input.extend(send.as_bytes());
            }
        }
        let whole = game.transport() == Transport::Argument;
        if whole {
            let (send, _) = &messages[rng.below(messages.len() as u32) as usize];
            input = garbled(send.as_bytes(), rng);
            input.retain(|&byte| byte != 0);
            input.truncate(ARGUMENT);
        }
        if let Some(how) = falls(&program, &input, whole)? {
            failures += 1;
            println!(
                "{}: the program {how} after:\n{:.2000}",
                game.name(),
                String::from_utf8_lossy(&input)
            );
        }
        done += 1;
    }
    Ok((done, failures))
}

/// How the program ended, if that was not as it should.
fn falls(program: &Path, input: &[u8], whole: bool) -> Result<Option<String>> {
    let mut command = Command::new(program);
    command
        .env("FIFTY_ITERATIONS", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if whole {
        command.arg(OsStr::from_bytes(input));
    }
    let mut child = command
        .spawn()
        .with_context(|| format!("{}", program.display()))?;
    let mut stdin = child.stdin.take().context("it was piped")?;
    let bytes = if whole { Vec::new() } else { input.to_vec() };
    // It may go before it has read everything.
    let writer = std::thread::spawn(move || stdin.write_all(&bytes).is_ok());
    let output = child.wait_with_output()?;
    let _ = writer.join();
    let said = String::from_utf8_lossy(&output.stderr);
    Ok(if said.contains("panicked at") {
        Some("panicked".to_owned())
    } else if let Some(signal) = output.status.signal() {
        Some(format!("was ended by signal {signal}"))
    } else {
        output
            .status
            .code()
            .filter(|&code| code != 0)
            .map(|code| format!("left with exit code {code}"))
    })
}

/// Numbers that readers trip over.
const NUMBERS: [&str; 12] = [
    "-1",
    "0",
    "1",
    "255",
    "256",
    "65536",
    "2147483648",
    "-2147483649",
    "18446744073709551616",
    "1e9",
    "NaN",
    "+7",
];

/// One to four changes of a message.
fn garbled(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=rng.below(4) {
        bytes = garble(bytes, rng);
    }
    // Without an end of its line the next message belongs to it; mostly it has one.
    if rng.below(4) > 0 && text.ends_with(b"\n") && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes
}

fn garble(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let length = bytes.len();
    let place = |rng: &mut Rng| rng.below(length as u32 + 1) as usize;
    let (a, b) = (place(rng), place(rng));
    let (a, b) = (a.min(b), a.max(b));
    match rng.below(10) {
        0 => bytes.drain(a..b.min(a + 40)).for_each(drop),
        1 if a < length => bytes[a] = rng.next_u64() as u8,
        2 => {
            let again = bytes[a..b].to_vec();
            bytes.splice(b..b, again);
        }
        3 => bytes.truncate(a),
        4 => {
            let noise: Vec<u8> = (0..rng.below(30)).map(|_| rng.next_u64() as u8).collect();
            bytes.splice(a..a, noise);
        }
        5 if rng.below(50) == 0 => {
            let long = vec![b"1 x\xff"[rng.below(4) as usize]; 200_000];
            bytes.splice(a..a, long);
        }
        // A line twice, or two lines changed.
        6 | 5 => {
            let mut lines: Vec<Vec<u8>> = bytes
                .split_inclusive(|&b| b == b'\n')
                .map(<[u8]>::to_vec)
                .collect();
            if lines.len() > 1 {
                let (x, y) = (
                    rng.below(lines.len() as u32) as usize,
                    rng.below(lines.len() as u32) as usize,
                );
                if rng.below(2) == 0 {
                    lines.swap(x, y);
                } else {
                    lines.insert(x, lines[y].clone());
                }
            }
            bytes = lines.concat();
        }
        // A word becomes a number, or another word.
        _ => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let cut = |c: char| c.is_ascii_whitespace() || ",;".contains(c);
            let words: Vec<&str> = text.split(cut).filter(|word| !word.is_empty()).collect();
            if words.is_empty() {
                return bytes;
            }
            let pick = |rng: &mut Rng| words[rng.below(words.len() as u32) as usize];
            let (old, other) = (pick(rng), pick(rng));
            let new = match rng.below(3) {
                0 => other,
                _ => NUMBERS[rng.below(NUMBERS.len() as u32) as usize],
            };
            let skip = rng.below(4) as usize;
            let at = text
                .match_indices(old)
                .map(|(at, _)| at)
                .nth(skip)
                .or_else(|| text.find(old));
            let at = at.unwrap_or_default();
            bytes = [&text[..at], new, &text[at + old.len()..]].concat().into_bytes();
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::garbled;
    use fifty::kit::rng::Rng;

    #[test]
    fn messages_are_damaged_in_many_ways() {
        let mut rng = Rng::new(5);
        let text = b"12 4 PUT a1\nnext line\n";
        let changed = (0..1000).filter(|_| garbled(text, &mut rng) != text).count();
        assert!(changed > 900, "{changed}");
    }
}
