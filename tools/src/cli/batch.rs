//! `fifty batch plan | run | merge`: a run in slices, for any engine that starts commands on machines.

use super::contest::Common;
use super::numbers;
use super::recorder::RESULTS;
use super::{elsewhere, league, play, sprt, tune_args, tune_elsewhere};
use crate::arena::interrupt;
use crate::batch::merge::{Merged, merge, ranges};
use crate::batch::plan::{BatchPlan, PROGRAM};
use crate::batch::play::{Done, play as play_slice};
use anyhow::{Context, Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use std::fmt::Write as _;
use std::fs;
use std::io::{Write as _, stdout};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Arguments of `batch`.
#[derive(ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Cut a run into slices: `fifty batch plan league wondev --bot … --bot … -o plan`.
    Plan(Box<PlanArgs>),
    /// Play one slice; twice or at once does no harm.
    Run {
        /// The plan's folder.
        plan: PathBuf,
        /// Which slice, from 1.
        #[arg(long)]
        slice: usize,
        /// Folder for results.
        #[arg(short, long)]
        out: PathBuf,
        /// Games at once.
        #[arg(long, default_value_t = 1, value_parser = numbers::jobs)]
        jobs: usize,
    },
    /// Take results of slices, or results files of earlier merges, into a results file: every game once.
    Merge {
        /// Slices' results.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Results file.
        #[arg(long, default_value = RESULTS)]
        results: PathBuf,
    },
}

/// Arguments of `batch plan`.
#[derive(ClapArgs)]
pub struct PlanArgs {
    /// The plan's folder, which must not be there yet; -o does as well, before or after the command.
    #[arg(long, global = true)]
    out: Option<PathBuf>,
    /// The same.
    #[arg(short = 'o', hide = true)]
    before: Option<PathBuf>,
    /// Slices to cut into, whole groups each. Default: as many as --slice-games makes.
    #[arg(long, global = true, value_parser = numbers::count)]
    slices: Option<usize>,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// As `fifty play`.
    Play(play::Args),
    /// As `fifty league`, of one game.
    League(league::Args),
    /// As `fifty sprt`.
    Sprt(sprt::Args),
    /// The next step of `fifty tune GAME`; once its slices are merged, the next.
    Tune(tune_args::Args),
}

/// Exit 0: done; 2: could not, or a file was damaged; 128 and its number after a signal.
pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.step {
        Step::Plan(args) => plan(args),
        Step::Run {
            plan,
            slice,
            out,
            jobs,
        } => slice_of(plan, *slice, out, *jobs),
        Step::Merge { files, results } => merged(files, results),
    }
}

/// Where `-o` names a folder rather than an option of the game.
fn folder_among(options: &[String]) -> Option<&String> {
    options.iter().find(|option| !option.contains('='))
}

/// The run's own arguments: without the plan's folder among the options of the game.
fn own(common: &Common) -> Common {
    let mut common = common.clone();
    common.options.retain(|option| option.contains('='));
    common
}

fn plan(args: &PlanArgs) -> Result<ExitCode> {
    let options = match &args.what {
        What::Play(own) => &own.common.options,
        What::League(own) => &own.common.options,
        What::Sprt(own) => &own.common.options,
        What::Tune(own) => &own.option,
    };
    let behind = folder_among(options).map(PathBuf::from);
    let Some(out) = args.out.clone().or_else(|| args.before.clone()).or(behind) else {
        bail!("expected -o FOLDER for the plan");
    };
    if out.exists() {
        bail!(
            "{}: is there already; expected a new folder for the plan",
            out.display()
        );
    }
    let plan = match &args.what {
        What::Play(run) => {
            let own = own(&run.common);
            let (contest, (spec, games)) = play::asked(run, &own)?;
            elsewhere::plan(&contest, ("play", &spec), &games, args.slices, &out)?
        }
        What::League(run) => {
            let own = own(&run.common);
            let (contest, (spec, games)) = league::asked(run, &own)?;
            elsewhere::plan(&contest, ("league", &spec), &games, args.slices, &out)?
        }
        What::Sprt(run) => {
            let own = own(&run.common);
            let (contest, (spec, games)) = sprt::asked(run, &own)?;
            elsewhere::plan(&contest, ("sprt", &spec), &games, args.slices, &out)?
        }
        What::Tune(run) => {
            let mut own = run.clone();
            own.option.retain(|option| option.contains('='));
            tune_elsewhere::plan_next(&own, args.slices, &out)?
        }
    };
    told(&plan, &out)?;
    Ok(ExitCode::SUCCESS)
}

/// What to do with a plan.
fn told(plan: &BatchPlan, out: &Path) -> std::io::Result<()> {
    let (folder, slices) = (out.display(), plan.head.slices());
    writeln!(
        stdout(),
        "{folder}: {} {} in {slices} slices; nothing but this folder is needed elsewhere\n  \
         {folder}/{PROGRAM} batch run {folder} --slice N -o out    for N from 1 to {slices}\n  \
         fifty batch merge out/* --results {RESULTS}",
        plan.head.total(),
        if plan.head.kind == "tune" {
            "pairs"
        } else {
            "games"
        },
    )
}

/// The plan's own program plays: the same code everywhere, whatever is installed.
fn hand_over(folder: &Path) -> Result<()> {
    let theirs = folder.join(PROGRAM);
    let own = std::env::current_exe().context("this program is not found")?;
    let size = |path: &Path| fs::metadata(path).map(|meta| meta.len()).ok();
    if size(&theirs).is_none() {
        bail!(
            "{}: no such file, expected the program that made the plan",
            theirs.display()
        );
    }
    let same = fs::canonicalize(&theirs)? == fs::canonicalize(&own)?
        || (size(&theirs) == size(&own) && fs::read(&theirs)? == fs::read(&own)?);
    if same {
        return Ok(());
    }
    let error = Command::new(fs::canonicalize(&theirs)?)
        .args(std::env::args_os().skip(1))
        .exec();
    bail!(
        "{}: the plan's program cannot be started here: {error}",
        theirs.display()
    );
}

fn slice_of(folder: &Path, slice: usize, out: &Path, jobs: usize) -> Result<ExitCode> {
    BatchPlan::read(folder)?.check(slice)?;
    hand_over(folder)?;
    match play_slice(folder, slice, out, jobs) {
        Ok(Done::Played(path)) => println!("{}", path.display()),
        Ok(Done::Known(path)) => println!("{}: was there already", path.display()),
        Err(error) if interrupt::requested() => {
            eprintln!("fifty: slice {slice}: {error:#}");
            return Ok(interrupt::exit_code());
        }
        Err(error) => return Err(error.context(format!("slice {slice}"))),
    }
    Ok(ExitCode::SUCCESS)
}

fn merged(files: &[PathBuf], results: &Path) -> Result<ExitCode> {
    let report = merge(files, results)?;
    for run in &report.runs {
        writeln!(stdout(), "{}", line(run, results))?;
    }
    for damaged in &report.damaged {
        eprintln!("fifty: {damaged}; left out");
    }
    if !report.damaged.is_empty() {
        eprintln!("fifty: what was left out is missing above; its slices can be played again");
        return Ok(ExitCode::from(2));
    }
    if report.runs.is_empty() {
        bail!("expected results of slices, found none");
    }
    Ok(ExitCode::SUCCESS)
}

fn line(merged: &Merged, results: &Path) -> String {
    let head = &merged.head;
    let (what, name) = match merged.run {
        Some(run) => ("games", format!("run {run}")),
        None => (
            "pairs",
            format!("run {}", head.spec["run"].as_str().unwrap_or_default()),
        ),
    };
    let mut text = format!(
        "{}: {} {}, {name}: {} of {} {what}, {} new",
        results.display(),
        head.kind,
        head.game,
        merged.known,
        head.total(),
        merged.new
    );
    if merged.missing.is_empty() {
        text += "; nothing is missing";
    } else {
        let _ = write!(text, "; slices missing: {}", ranges(&merged.missing));
    }
    if merged.run.is_some() && !head.command.is_empty() {
        let words: Vec<_> = head.command.iter().map(|word| interrupt::quoted(word)).collect();
        let _ = write!(
            text,
            "\n  its table, or the rest of it here: fifty {} --resume --results {}",
            words.join(" "),
            results.display()
        );
    }
    text
}
