//! The command line: one module a subcommand.

use crate::bundle::litter::Room;
use crate::out;
use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

mod apply;
mod ask;
mod batch;
mod bench;
mod bots;
mod bundle;
mod bundle_corpus;
mod clock;
mod contest;
mod elsewhere;
mod evaluate;
mod export;
mod fit;
mod games;
mod garble;
mod import;
mod league;
mod limit;
mod named;
mod new;
mod numbers;
mod options;
mod outsider;
mod play;
mod recorder;
mod referee;
mod report;
mod review;
mod run;
mod serve;
mod ship;
mod show;
mod sprt;
mod train;
mod tune;
mod tune_args;
mod tune_elsewhere;
mod tune_program;
mod verify;

#[derive(Parser)]
#[command(
    name = "fifty",
    about = "Contest bots: bundle, referee, verify, measure and tune",
    version
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The main job: one proven submission file a game in dist/.
    Ship(ship::Args),
    /// One source file out of any Cargo project's program.
    Bundle(bundle::Args),
    /// The bundler on every program of a project, compared with what Cargo makes of it.
    BundleCorpus(bundle_corpus::Args),
    /// Play matches between two bots (up to four in slime).
    Play(play::Args),
    /// Round robin or gauntlet, in one game or all, with ratings.
    League(league::Args),
    /// Candidate against base by SPRT, until the answer is clear.
    Sprt(sprt::Args),
    /// A league, match, test or tuner's step cut into slices that are played anywhere, and taken in again.
    Batch(batch::Args),
    /// Today's bot against itself with more time or work: what more speed would be worth.
    Limit(limit::Args),
    /// What part of the clock is of use, turn by turn.
    Clock(clock::Args),
    /// One game, as cg-brutaltester, psyleague and cgarena call a referee.
    Referee(referee::Args),
    /// A stored game as a page or as text.
    Show(show::Args),
    /// The workbench: a page on this machine over a results file.
    Serve(serve::Args),
    /// Candidates and the benchmark pool.
    Bots(bots::Args),
    /// Candidates against the benchmark pool, by stages.
    Evaluate(evaluate::Args),
    /// Stored games that fit a filter, sorted; or who does how well in them.
    Games(games::Args),
    /// Games played elsewhere: from CodinGame, from a referee at home, from a contest's own tool.
    Import(import::Args),
    /// The turns at which a bot loses most against itself with many times its clock.
    Review(review::Args),
    /// Bots asked again at a turn of a stored game; both choices played out from there.
    Ask(ask::Args),
    /// Stored games as CSV or JSON lines.
    Export(export::Args),
    /// Fixed positions, fixed work, fixed seeds: speed and signature of every search.
    Bench(bench::Args),
    /// Replay recorded games against our simulator and protocol reader.
    Verify(verify::Args),
    /// Tune marked numbers by self-play.
    Tune(tune_args::Args),
    /// Train the networks of slime and wondev from games.
    Train(train::Args),
    /// Fit a linear evaluation to positions of self-play.
    Fit(fit::Args),
    /// Garbled input for every bot: none may fall over it.
    Garble(garble::Args),
    /// Write a page of a fresh game of each kind and step through it in headless Chromium.
    CheckPages {
        /// Folder for the pages.
        #[arg(default_value = "target/pages")]
        dir: std::path::PathBuf,
    },
    /// Start a game of your own from a small one that works.
    New(new::Args),
    /// Try the workbench in headless Chromium, in all games, with pictures of every page.
    CheckServe {
        /// Folder for the pictures.
        #[arg(default_value = "target/serve")]
        dir: std::path::PathBuf,
        /// Only this game.
        #[arg(long)]
        game: Option<String>,
        /// Instead, how fast pages are over a results file of so many games.
        #[arg(long, value_name = "GAMES", conflicts_with = "game")]
        load: Option<usize>,
        /// Instead, what watching costs a run of so many games.
        #[arg(long, value_name = "GAMES", conflicts_with_all = ["game", "load"])]
        watched: Option<usize>,
        /// A seat whose clock `--watched` looks at.
        #[arg(long, value_name = "MS", hide = true)]
        seat: Option<u64>,
    },
    /// Write a run's values back into the source.
    Apply(apply::Args),
}

/// Runs the command line. Exit 0: done; 1: a check failed; 2: bad input.
pub fn main() -> ExitCode {
    let cli = Cli::parse_from(options::spell_out(std::env::args_os().collect(), &Cli::command()));
    let done = carry_out(&cli.command);
    let code = done.unwrap_or_else(|error| {
        // Whoever read our output has seen enough of it.
        let left = error.downcast_ref().is_some_and(out::nobody_reads);
        if left {
            return ExitCode::SUCCESS;
        }
        eprintln!("fifty: {error:#}");
        ExitCode::from(2)
    });
    if let Err(error) = out::end() {
        eprintln!("fifty: standard output: {error}; all else was done, and what is stored is kept");
        return ExitCode::from(2);
    }
    code
}

fn carry_out(command: &Command) -> Result<ExitCode> {
    let bundles = matches!(
        command,
        Command::Ship(_) | Command::Bundle(_) | Command::BundleCorpus(_)
    );
    let _room = bundles.then(Room::new).transpose()?;
    match command {
        Command::Ship(args) => ship::run(args),
        Command::Bundle(args) => bundle::run(args),
        Command::BundleCorpus(args) => bundle_corpus::run(args),
        Command::Play(args) => play::run(args),
        Command::League(args) => league::run(args),
        Command::Sprt(args) => sprt::run(args),
        Command::Batch(args) => batch::run(args),
        Command::Limit(args) => limit::run(args),
        Command::Clock(args) => clock::run(args),
        Command::Referee(args) => referee::run(args),
        Command::Show(args) => show::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Bots(args) => bots::run(args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Games(args) => games::run(args),
        Command::Import(args) => import::run(args),
        Command::Review(args) => review::run(args),
        Command::Ask(args) => ask::run(args),
        Command::Export(args) => export::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Train(args) => train::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Garble(args) => garble::run(args),
        Command::CheckPages { dir } => show::check_pages(dir),
        Command::New(args) => new::run(args),
        Command::CheckServe {
            dir,
            game,
            load,
            watched,
            seat,
        } => match (load, watched, seat) {
            (Some(games), ..) => crate::serve::load::run(*games),
            (_, Some(games), _) => crate::serve::watched::run(*games, 3),
            (.., Some(ms)) => crate::serve::watched::seat(*ms),
            _ => crate::serve::check::run(dir, game.as_deref()),
        }
        .map(|()| ExitCode::SUCCESS),
        Command::Apply(args) => apply::run(args),
    }
}
