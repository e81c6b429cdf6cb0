//! `fifty bots`: candidates and the benchmark pool in a results file.

use super::outsider::Outsider;
use super::recorder;
use crate::arena::store::Store;
use crate::serve::index::Index;
use crate::serve::pool::{self, Role};
use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `bots`.
#[derive(ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    referee: Outsider,
    /// Results file.
    #[arg(long, default_value = recorder::RESULTS, global = true)]
    results: PathBuf,
    /// Print JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Action {
    /// Add a bot: a `.rs` file, a command, `builtin:NAME`, `engine:…`.
    Add {
        /// Game by name.
        game: String,
        /// The bot, as `play` names it.
        bot: String,
        /// It measures others instead of being measured.
        #[arg(long)]
        benchmark: bool,
    },
    /// Say what a bot is: candidate, benchmark, promoted or rejected.
    Set {
        /// Its number.
        id: i64,
        /// What it is.
        role: Role,
    },
    /// Take a bot out of the pool; its games stay.
    Remove {
        /// Its number.
        id: i64,
    },
}

/// Lists or changes the pool. Exit 0: done; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    args.referee.game(None)?;
    // Makes the file where there is none: a pool may be the first thing in it.
    drop(Store::open(&args.results)?);
    let mut index = Index::open(&args.results)?;
    index.update(|_, _| {})?;
    let db = &index.db;
    match &args.action {
        None => {}
        Some(Action::Add { game, bot, benchmark }) => {
            let role = if *benchmark {
                Role::Benchmark
            } else {
                Role::Candidate
            };
            pool::add(db, game, bot, role)?;
        }
        Some(Action::Set { id, role }) => {
            pool::assign(db, *id, *role)?;
        }
        Some(Action::Remove { id }) => {
            pool::remove(db, *id)?;
        }
    }
    let entries = pool::all(db)?;
    if args.json {
        println!("{}", serde_json::to_string(&entries)?);
        return Ok(ExitCode::SUCCESS);
    }
    for entry in &entries {
        println!(
            "{:>4}  {:<10} {:<9}  {}",
            entry.id,
            entry.game,
            entry.role.word(),
            entry.bot
        );
        for stage in pool::stages(db, entry.id)? {
            println!(
                "      run {}, {}{}: {} of {} games, {:.1} % of the points, {} faults",
                stage.run,
                stage.stage,
                (stage.version.as_ref()).map_or_else(String::new, |version| format!(" of {version}")),
                stage.games,
                stage.total,
                stage.points * 100.0,
                stage.faults
            );
        }
    }
    if entries.is_empty() {
        println!(
            "no bots in {}: cargo fifty bots add GAME BOT [--benchmark]",
            args.results.display()
        );
    }
    Ok(ExitCode::SUCCESS)
}
