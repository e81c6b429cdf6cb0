//! `fifty serve`: the workbench as a page on this machine.

use super::outsider::Outsider;
use super::recorder;
use crate::arena::sandbox::Sandbox;
use crate::serve::web::guard::Door;
use crate::serve::web::{Desk, serve};
use anyhow::Result;
use clap::Args as ClapArgs;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `serve`.
#[derive(ClapArgs)]
pub struct Args {
    /// Results file; made where there is none.
    #[arg(long, default_value = recorder::RESULTS)]
    results: PathBuf,
    #[command(flatten)]
    referee: Outsider,
    /// What keeps bots that are asked or evaluated from harming others: all that this machine offers, nothing, or all or
    /// no answer.
    #[arg(long, value_enum, default_value = "auto")]
    sandbox: Sandbox,
    /// Port; 0 for any that is free.
    #[arg(long, default_value_t = 7150)]
    port: u16,
    /// Address to listen on. Whoever comes from another machine, or is another user of this one, needs the token.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// The token. Default: a new one, printed.
    #[arg(long, env = "FIFTY_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

/// Serves until interrupted. Exit 0: interrupted; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    args.referee.game(None)?;
    args.sandbox.check()?;
    let token = args.token.clone().filter(|t| !t.is_empty());
    let door = Door::new(token)?;
    let token = door.token().to_owned();
    let desk = Desk::open(&args.results, door)?.with(args.sandbox, args.referee.arguments());
    let results = args.results.display();
    serve(desk, SocketAddr::new(args.listen, args.port), |address| {
        let free = if address.ip().is_loopback() {
            format!("this user of this machine needs no token: http://{address}/\n")
        } else {
            String::new()
        };
        let text = format!("{results} at http://{address}/?token={token}\n{free}");
        // Whoever started it may not want to know; it serves all the same.
        let _ = io::stdout().write_all(text.as_bytes());
    })?;
    Ok(ExitCode::SUCCESS)
}
