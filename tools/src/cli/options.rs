//! `--league 3` for `-o league=3`: every option of a game may be written as a flag of its own. And `-p1`, as
//! other arenas start a referee, for `--p1`.

use crate::games::adapters;
use clap::Command;
use std::collections::BTreeSet;
use std::ffi::OsString;

/// Rewrites game options for the subcommands of `cli` that take any; a flag of the subcommand's own stays one, and
/// everything else passes unchanged. Nothing is touched after `--`.
pub fn spell_out(args: Vec<OsString>, cli: &Command) -> Vec<OsString> {
    let command = args.get(1).and_then(|name| cli.find_subcommand(name));
    let own = || command.into_iter().flat_map(Command::get_arguments);
    let names: BTreeSet<&str> = adapters()
        .iter()
        .filter(|_| own().any(|arg| arg.get_long() == Some("option")))
        .flat_map(|r| r.options())
        .map(|&(name, _, _)| name)
        .filter(|&name| own().all(|arg| arg.get_long() != Some(name)))
        .collect();
    let mut args = rewrite(args, &names);
    if args.get(1).is_some_and(|command| command == "referee") {
        for arg in &mut args[2..] {
            if ["-p1", "-p2", "-p3", "-p4"].iter().any(|seat| arg == seat) {
                *arg = format!("-{}", arg.to_string_lossy()).into();
            }
        }
    }
    args
}

fn rewrite(args: Vec<OsString>, names: &BTreeSet<&str>) -> Vec<OsString> {
    let mut out = Vec::with_capacity(args.len());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let text = arg.to_string_lossy().into_owned();
        if text == "--" {
            out.push(arg);
            out.extend(args);
            return out;
        }
        let flag = text.strip_prefix("--").unwrap_or_default();
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (flag, None),
        };
        if !names.contains(name) {
            out.push(arg);
            continue;
        }
        match value.or_else(|| args.next().map(|v| v.to_string_lossy().into_owned())) {
            Some(value) => out.extend(["-o".into(), format!("{name}={value}").into()]),
            None => out.push(arg),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{rewrite, spell_out};
    use clap::CommandFactory;

    #[test]
    fn options_of_a_game_become_pairs() {
        let names = ["league", "variant"].into();
        let words = |text: &str| {
            text.split(' ')
                .map(Into::into)
                .collect::<Vec<std::ffi::OsString>>()
        };
        assert_eq!(
            rewrite(words("fifty play wondev --league 3 --variant=x --seed 4"), &names),
            words("fifty play wondev -o league=3 -o variant=x --seed 4")
        );
        assert_eq!(
            rewrite(words("a -- --league 3"), &names),
            words("a -- --league 3")
        );
        assert_eq!(rewrite(words("a --league"), &names), words("a --league"));
        let cli = crate::cli::Cli::command();
        for (given, meant) in [
            (
                "fifty referee wondev -p1 ./a -p2 ./b",
                "fifty referee wondev --p1 ./a --p2 ./b",
            ),
            (
                "fifty play wondev --league 3 --games 2",
                "fifty play wondev -o league=3 --games 2",
            ),
            // Some game has an option of that name.
            ("fifty games --fault timeout", "fifty games --fault timeout"),
        ] {
            assert_eq!(spell_out(words(given), &cli), words(meant));
        }
    }
}
