//! `fifty tune GAME`: self-play tuning of marked numbers.

use super::tune_args::{Args, is_shipped, set_up};
use super::{tune_elsewhere, tune_program};
use crate::arena::interrupt;
use crate::tune::program::Method;
use crate::tune::report::{self, Check};
use crate::tune::{guard, page, run};
use anyhow::{Context, Result, bail};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// Runs or resumes.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.bot.is_some() || !args.numbers.is_empty() {
        return tune_program::run(args);
    }
    if !args.opponents.is_empty() || args.first_line.is_some() || args.method != Method::Spsa {
        bail!("--opponent, --first-line and --method belong to --bot with a --param");
    }
    let (plan, mut store, name, games) = set_up(args, false)?;
    let adapter = games.first().context("no options to play by")?.adapter;
    interrupt::watch()?;
    let stop = AtomicBool::new(false);
    let step = tune_elsewhere::step_of(args, &plan, &name, &games);
    let played = run::play(&plan, &games, &mut store, &name, args.games, &stop, &step)?;
    let (answer, first) = (played.answer(), played.space.params(&played.start));
    let defaults = played.space.params(&vec![0.0; played.space.len()]);
    let mut matches = vec![("tuned against start", &answer, &first)];
    if defaults != first {
        matches.push(("tuned against defaults", &answer, &defaults));
    }
    if !plan.start.is_empty() {
        matches.push(("start against defaults", &first, &defaults));
    }
    let mut checks = Vec::new();
    if args.check > 0 && !played.stopped {
        for (title, one, other) in matches {
            match run::compare(&games, one, other, args.check, plan.walk.seed ^ 0x5EED) {
                Err(_) if interrupt::requested() => break,
                elo => checks.push(Check {
                    title: format!("{title}, {} iterations", plan.work),
                    elo: elo?,
                    pairs: args.check,
                }),
            }
        }
    }
    print!("{}", report::text(&name, &plan, &played, &checks));
    if let Some(path) = &args.html {
        std::fs::write(path, page::html(&name, &plan, &played, &checks))
            .with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    if played.stopped || interrupt::requested() {
        println!("interrupted; go on with: {}", interrupt::resume_line());
        return Ok(interrupt::exit_code());
    }
    if args.sprt > 0 {
        let pool = plan.opponents(adapter)?;
        let verdict = guard::decide(&games, &answer, &first, &pool, args.sprt, plan.walk.seed, &stop)?;
        println!("{verdict}");
        if interrupt::requested() {
            println!("interrupted; go on with: {}", interrupt::resume_line());
            return Ok(interrupt::exit_code());
        }
        if !verdict.accepted() {
            return Ok(ExitCode::FAILURE);
        }
    }
    if is_shipped(&answer, adapter) {
        println!("the tuned values are those shipped, every one");
    } else {
        println!("to keep the values: cargo fifty apply {name}");
    }
    Ok(ExitCode::SUCCESS)
}
