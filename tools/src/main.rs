//! `cargo fifty <subcommand>`.

use std::process::ExitCode;

fn main() -> ExitCode {
    fifty_tools::cli::main()
}
