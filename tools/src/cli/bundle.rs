//! `fifty bundle BIN`: one file out of a Cargo project.

use crate::bundle::print::Minify;
use crate::bundle::project::Selection;
use crate::bundle::target::Target;
use crate::bundle::{Progress, Request, bundle, report, write};
use anyhow::Result;
use clap::Args as ClapArgs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `bundle`.
#[derive(ClapArgs)]
pub struct Args {
    /// Name of the program.
    bin: String,
    /// Judge: codingame, nypc, atcoder, plain, or a .json file like theirs.
    #[arg(long, default_value = "codingame")]
    target: String,
    /// The project; by default the one around the current folder.
    #[arg(long)]
    manifest_path: Option<PathBuf>,
    /// Where to write; by default standard output.
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// How far to squeeze the text.
    #[arg(long, value_enum, default_value_t = Minify::None)]
    minify: Minify,
    /// Features to switch on.
    #[arg(long, value_delimiter = ',')]
    features: Vec<String>,
    /// Leave the default features off.
    #[arg(long)]
    no_default_features: bool,
}

/// Bundles, proves, writes, reports.
pub fn run(args: &Args) -> Result<ExitCode> {
    let request = Request {
        selection: Selection {
            bin: args.bin.clone(),
            manifest: args.manifest_path.clone(),
            features: args.features.clone(),
            no_default_features: args.no_default_features,
        },
        target: Target::find(&args.target)?,
        minify: args.minify,
        progress: Progress::bar(&args.bin),
        cache: None,
    };
    let bundle = bundle(&request)?;
    bundle.check()?;
    eprintln!("{}", report::table(&bundle.shares, bundle.limit));
    match &args.output {
        Some(path) => write(&bundle.text, path)?,
        None => print!("{}", bundle.text),
    }
    Ok(ExitCode::SUCCESS)
}
