//! `fifty new NAME`: a game to start from, that works at once.

use crate::paths::project_root;
use crate::scaffold::{create, remove};
use anyhow::Result;
use clap::Args as ClapArgs;
use std::process::ExitCode;

/// Arguments of `new`.
#[derive(ClapArgs)]
pub struct Args {
    /// The game's name: small letters and digits.
    name: String,
    /// Take it out again; refused once a file of it was changed.
    #[arg(long)]
    remove: bool,
}

/// Writes or removes, and says what comes next.
pub fn run(args: &Args) -> Result<ExitCode> {
    let root = &project_root()?;
    let name = &args.name;
    if args.remove {
        for path in remove(root, name)? {
            println!("removed {}", path.display());
        }
        return Ok(ExitCode::SUCCESS);
    }
    for path in create(root, name)? {
        println!("wrote {}", path.display());
    }
    println!(
        "\n{name} plays already:\n  cargo test {name}\n  cargo fifty play {name} --bot engine:1000 --bot builtin:greedy --games 4\n  \
         cargo fifty bench {name}\n  cargo fifty ship {name}\nsrc/games/{name}/mod.rs says what to change, and in which order."
    );
    Ok(ExitCode::SUCCESS)
}
