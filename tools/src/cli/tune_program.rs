//! `fifty tune --bot 'COMMAND {name}' --param name=value,min,max,step`: tuning any program.

use super::named::options_in_turn;
use super::tune_args::Args;
use crate::arena::interrupt;
use crate::arena::stats::signed;
use crate::results;
use crate::tune::faults::Tally;
use crate::tune::games::elo;
use crate::tune::program::{Duel, Method, Program, Recipe};
use crate::tune::program_report as report;
use crate::tune::spsa::Settings;
use crate::tune::store::Store;
use anyhow::{Context, Result, bail};
use std::cell::RefCell;
use std::fmt::Write;
use std::process::ExitCode;

/// Runs or resumes. Exit 0: as many games as asked for; 2: could not; 128 and its number after a signal.
pub fn run(args: &Args) -> Result<ExitCode> {
    let adapter = args.which.game()?;
    let Some(bot) = &args.bot else {
        bail!("--param: expected --bot with the program that takes it");
    };
    let options = options_in_turn(&args.option, adapter, args.seed)?;
    let recipe = Recipe {
        bot: bot.clone(),
        params: args.numbers.clone(),
        first_line: args.first_line.clone(),
        opponents: args.opponents.clone(),
        options,
        method: args.method,
        walk: Settings {
            seed: args.seed,
            perturb: args.perturb,
            gain: args.gain,
            batch: args.batch,
        },
    };
    let setup = serde_json::to_string(&recipe)?;
    args.sandbox.check()?;
    let mut program = Program::new(adapter, recipe)?;
    program.sandbox = args.sandbox;
    let (mut store, name) = begun(args, adapter.name(), &setup)?;
    interrupt::watch()?;
    let wherever = super::tune_elsewhere::step_of_program(args, &program, &name);
    let tally = RefCell::new(Tally::default());
    let step = |duels: &[Duel]| -> Result<Vec<f64>> {
        let met = wherever(duels)?;
        // In the closing match the second one is the start's.
        let others = duels.iter().all(|duel| program.is_opponent(&duel.bots[1]));
        let names = duels
            .iter()
            .map(|duel| [0, 1].map(|i| duel.bots[i].name.as_str()));
        let counted = tally.borrow_mut().count(names.zip(&met), others);
        counted.with_context(|| format!("run {name}: what came before is kept in {}", args.db.display()))?;
        Ok(met.iter().map(|met| met.score).collect())
    };
    let (mut text, answer, trials, stopped) = match args.method {
        Method::Spsa => {
            let played = program.walk(&mut store, &name, args.games, &step)?;
            (
                report::walk(&name, &played),
                played.answer(),
                Vec::new(),
                played.stopped,
            )
        }
        Method::Gp => {
            let (trials, stopped) = program.search(&mut store, &name, args.games, &step)?;
            (
                report::search(&name, &program, &trials),
                program.answer(&trials),
                trials,
                stopped,
            )
        }
    };
    let mut failed = None;
    if args.check > 0 && !stopped && !interrupt::requested() {
        match program.compare(&answer, &program.start(), args.check, &step) {
            Err(_) if interrupt::requested() => {}
            // What was found is told all the same.
            Err(error) => failed = Some(error),
            Ok(results) => {
                let (value, half) = elo(&results);
                let _ = writeln!(
                    text,
                    "answer against start on {} seeds of their own: {} Elo +-{half:.0}",
                    args.check,
                    signed(value, 0)
                );
            }
        }
    }
    text += &tally.borrow().text();
    print!("{text}");
    if let Some(path) = &args.html {
        std::fs::write(path, report::page(&name, &text, &program, &trials))
            .with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    if let Some(error) = failed {
        return Err(error.context("the closing match"));
    }
    if stopped || interrupt::requested() {
        println!("interrupted; go on with: {}", interrupt::resume_line());
        return Ok(interrupt::exit_code());
    }
    let values: Vec<String> = answer
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    println!("answer: {}", values.join(" "));
    Ok(ExitCode::SUCCESS)
}

/// The results file with the run in it, begun or gone on with, and its name.
fn begun(args: &Args, game: &str, setup: &str) -> Result<(Store, String)> {
    if args.resume {
        results::must_exist(&args.db)?;
    }
    let name = args.run.clone().unwrap_or_else(|| format!("{game} program"));
    let store = Store::open(&args.db)?;
    match (store.setup(&name)?, args.resume) {
        (Some((_, kept)), true) if kept == setup => {}
        (Some(_), true) => {
            bail!("run {name} was started with other arguments: give the same ones, or another --run")
        }
        (Some(_), false) => bail!(
            "run {name} exists in {}: --resume it or name another with --run",
            args.db.display()
        ),
        (None, true) => bail!("no run {name} in {} to resume", args.db.display()),
        (None, false) => store.begin(&name, game, setup)?,
    }
    Ok((store, name))
}
