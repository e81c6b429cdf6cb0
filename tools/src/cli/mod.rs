//! The command line: one module a subcommand.

use clap::{Parser, Subcommand};
use std::process::ExitCode;

mod verify;

#[derive(Parser)]
#[command(
    name = "fifty",
    about = "Contest bots: bundle, referee, verify, measure and tune",
    version
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Replay recorded games against our simulator and protocol reader.
    Verify(verify::Args),
}

/// Runs the command line. Exit 0: done; 1: a check failed; 2: bad input.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        Command::Verify(args) => verify::run(args),
    };
    done.unwrap_or_else(|error| {
        eprintln!("fifty: {error:#}");
        ExitCode::from(2)
    })
}
