//! `fifty bundle-corpus`: the bundler on every program of a project, a row each.

use crate::bundle::corpus::{Corpus, Verdict};
use crate::bundle::target::Target;
use crate::bundle::{SECONDS, budget_of};
use anyhow::{Result, ensure};
use clap::Args as ClapArgs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Arguments of `bundle-corpus`.
#[derive(ClapArgs)]
pub struct Args {
    /// Programs by name. Default: all.
    names: Vec<String>,
    /// Folder of the project: programs in src/bin, their input in input/NAME.txt.
    #[arg(long, default_value = "tests/corpus")]
    project: PathBuf,
    /// Judge, as `bundle` takes it.
    #[arg(long, default_value = "plain")]
    target: String,
    /// Seconds of the compiler's processor time a program, as `bundle` takes it.
    #[arg(long, value_name = "SECONDS", default_value_t = SECONDS)]
    budget: u64,
}

/// Bundles, compares, prints; fails if an answer is wrong.
pub fn run(args: &Args) -> Result<ExitCode> {
    let corpus = Corpus {
        folder: args.project.clone(),
        target_dir: args.project.join("target"),
        budget: budget_of(args.budget),
    };
    let target = Target::find(&args.target)?;
    let all = corpus.names()?;
    for name in &args.names {
        ensure!(
            all.contains(name),
            "{name}: no program of {}",
            args.project.display()
        );
    }
    let names = if args.names.is_empty() { &all } else { &args.names };
    let (mut same, mut wrong) = (0, 0);
    for name in names {
        let started = Instant::now();
        let verdict = corpus.check(name, &target)?;
        let seconds = started.elapsed().as_secs();
        match verdict {
            Verdict::Same(characters) => {
                same += 1;
                println!("{name:<20} {characters:>8} characters {seconds:>5} s");
            }
            Verdict::Refused(why) => {
                let why = why.lines().take(3).collect::<Vec<_>>().join(" ");
                println!("{name:<20}  refused {seconds:>15} s  {why}");
            }
            Verdict::Wrong => {
                wrong += 1;
                println!("{name:<20}    WRONG {seconds:>15} s");
            }
        }
    }
    println!("{same} of {} the same, {wrong} wrong", names.len());
    Ok(if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
