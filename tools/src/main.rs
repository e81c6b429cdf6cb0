//! `cargo fifty <subcommand>`.

use std::process::ExitCode;

fn main() -> ExitCode {
    fifty_tools::arena::roles::intercept().unwrap_or_else(fifty_tools::cli::main)
}
