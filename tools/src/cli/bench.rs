//! `fifty bench [GAME…]`: fixed positions, fixed work, fixed seeds; speed and signature.

use super::named::adapters_named;
use crate::adapter::BenchLine;
use crate::competing;
use crate::instructions;
use crate::paths::project_root;
use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::json;
use std::process::ExitCode;

/// Arguments of `bench`.
#[derive(ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "one a switch of the command line")]
pub struct Args {
    /// Games by name. Default: all.
    games: Vec<String>,
    /// Print one JSON object as well.
    #[arg(long)]
    json: bool,
    /// The search core beside public crates instead, under the judge's flags and the machine's own.
    /// Exit 1 below the targets.
    #[arg(long, alias = "peers")]
    competing: bool,
    /// Count the instructions of each bot's answers under valgrind instead, and compare with what
    /// `benches/instructions.json` holds. Exit 1 if one has grown by more than 5 %.
    #[arg(long)]
    instructions: bool,
    /// Keep the counts of `--instructions` as the new standard.
    #[arg(long, requires = "instructions")]
    record: bool,
    /// Play one game of the bot against itself at this work and print the number of answers.
    #[arg(long, hide = true)]
    one_game: Option<u64>,
}

/// One number of all lines of a game: the same on every machine unless a search changed.
fn signature(lines: &[BenchLine]) -> u64 {
    // FNV-1a over the lines' own signatures, in order.
    lines
        .iter()
        .flat_map(|line| line.signature.to_le_bytes())
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        })
}

/// Measures and prints. Exit 1 if a game measures nothing.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.competing {
        return Ok(if competing::bench(&project_root()?)? {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        });
    }
    let games = adapters_named(&args.games)?;
    if let Some(work) = args.one_game {
        for adapter in games {
            println!("{}", instructions::play_once(adapter, work)?);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if args.instructions {
        let fine = instructions::bench(&project_root()?, &games, args.record)?;
        return Ok(ExitCode::from(u8::from(!fine)));
    }
    let mut objects = Vec::new();
    let mut empty = 0;
    for adapter in games {
        let lines = adapter.bench();
        empty += u32::from(lines.is_empty());
        for line in &lines {
            println!(
                "{:<10} {:<34} {:>12} {:<10} {:>8.3} s CPU {:>9} {}/s  {:016x}",
                adapter.name(),
                line.name,
                line.work,
                line.unit,
                line.seconds,
                short(line.work as f64 / line.seconds.max(1e-9)),
                line.unit,
                line.signature
            );
        }
        println!("{:<10} Bench: {:016x}", adapter.name(), signature(&lines));
        objects.push(json!({
            "game": adapter.name(),
            "signature": format!("{:016x}", signature(&lines)),
            "lines": lines.iter().map(|line| json!({
                "name": line.name,
                "work": line.work,
                "unit": line.unit,
                "seconds": line.seconds,
                "per_second": line.work as f64 / line.seconds.max(1e-9),
                "signature": format!("{:016x}", line.signature),
            })).collect::<Vec<_>>(),
        }));
    }
    if args.json {
        println!("{}", json!({ "games": objects }));
    }
    Ok(if empty == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Three digits and a unit: `1.23 M`.
fn short(value: f64) -> String {
    let (value, unit) = match value {
        v if v >= 1e9 => (v / 1e9, " G"),
        v if v >= 1e6 => (v / 1e6, " M"),
        v if v >= 1e3 => (v / 1e3, " k"),
        v => (v, " "),
    };
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::{short, signature};
    use crate::adapter::BenchLine;

    #[test]
    fn speeds_keep_three_digits() {
        assert_eq!(
            [1.234e9, 56_780.0, 999.0, 123_456_789.0].map(short),
            ["1.23 G", "56.8 k", "999 ", "123 M"]
        );
    }

    #[test]
    fn signatures_depend_on_every_line_and_their_order() {
        let line = |signature| BenchLine {
            name: String::new(),
            work: 1,
            unit: "nodes",
            seconds: 1.0,
            signature,
        };
        let both = signature(&[line(1), line(2)]);
        assert_ne!(both, signature(&[line(2), line(1)]));
        assert_ne!(both, signature(&[line(1)]));
    }
}
