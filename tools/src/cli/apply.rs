//! `fifty apply RUN`: writes a run's values back into the source.

use crate::paths::project_root;
use crate::results;
use crate::tune::source;
use crate::tune::store::Store;
use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `apply`.
#[derive(ClapArgs)]
pub struct Args {
    /// Name of the run or fit.
    run: String,
    /// Results file.
    #[arg(long, default_value = super::recorder::RESULTS)]
    db: PathBuf,
    /// Folder whose `tunables!` lines are changed. Default: `src/games/<game>`.
    #[arg(long)]
    source: Option<PathBuf>,
}

/// Changes the lines and lists them.
pub fn run(args: &Args) -> Result<ExitCode> {
    results::must_exist(&args.db)?;
    let store = Store::open(&args.db)?;
    let Some((game, values)) = store.answer(&args.run)? else {
        bail!(
            "{}: no finished run {}; there are: {}",
            args.db.display(),
            args.run,
            store.runs()?.join(" ")
        );
    };
    let dir = match &args.source {
        Some(dir) => dir.clone(),
        None => project_root()?.join("src/games").join(&game),
    };
    let changes = source::apply(&dir, &values)?;
    for c in &changes {
        println!(
            "{}:{}: {} {} -> {}",
            c.file.display(),
            c.line,
            c.name,
            c.before,
            c.after
        );
    }
    println!("{} of {} values changed", changes.len(), values.len());
    Ok(ExitCode::SUCCESS)
}
