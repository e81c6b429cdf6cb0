//! `fifty import FILES… --as GAME`: games played elsewhere, checked by the simulator and stored like our own.

use super::named;
use super::recorder;
use crate::serve::take::{files, take};
use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `import`.
#[derive(ClapArgs)]
pub struct Args {
    /// Files or whole folders: games downloaded from CodinGame (JSON, wrapped or not, in arrays, one a line, or
    /// gzipped), logs of a CodinGame referee (`-l`), the log of connexion's testing tool, games of slime's controller.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Which game they are.
    #[arg(long = "as", value_name = "GAME")]
    game: String,
    /// Option of the game that the files do not tell, key=value.
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// Results file.
    #[arg(long, default_value = recorder::RESULTS)]
    results: PathBuf,
    /// Print one JSON object as well.
    #[arg(long)]
    json: bool,
}

/// Reads, checks and stores. Exit 0: all agree; 1: some game differs or cannot be read; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    let adapter = named::adapter_named(&args.game)?;
    let given = named::options(&args.options)?;
    let named = files(&args.files)?.into_iter().map(|path| {
        let name = path.display().to_string();
        let read =
            move || std::fs::read(&path).with_context(|| format!("{}: cannot be read", path.display()));
        (name, Box::new(read) as Box<dyn FnOnce() -> Result<Vec<u8>>>)
    });
    let taken = take(adapter, &given, named, &args.results)?;
    for (name, error) in &taken.differ {
        println!("differs: {name}: {error}");
    }
    let numbers = match (taken.stored.first(), taken.stored.last()) {
        (Some(first), Some(last)) => format!(" as games {first} to {last} of {}", args.results.display()),
        _ => String::new(),
    };
    let known = match taken.known {
        0 => String::new(),
        known => format!(", {known} were there"),
    };
    println!(
        "{}: {} games agree with the simulator, {} stored{numbers}{known}; {} differ",
        adapter.name(),
        taken.stored.len() + taken.known,
        taken.stored.len(),
        taken.differ.len()
    );
    if args.json {
        println!(
            "{}",
            json!({"game": adapter.name(), "stored": taken.stored, "known": taken.known, "differ": taken.differ})
        );
    }
    Ok(if taken.differ.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
