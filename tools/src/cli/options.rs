//! `--league 3` for `-o league=3`: every option of a game may be written as a flag of its own. And what other arenas
//! start a referee with: `-p1`, `-seed 7`, `-league 19`, `-s`.

use crate::games::adapters;
use clap::Command;
use std::collections::BTreeSet;
use std::ffi::OsString;

/// Rewrites game options for the subcommands of `cli` that take any; a flag of the subcommand's own stays one, and
/// everything else passes unchanged. Nothing is touched after `--`.
pub fn spell_out(args: Vec<OsString>, cli: &Command) -> Vec<OsString> {
    // `batch plan league` takes what `league` takes.
    let words = args.iter().skip(1).map_while(|word| word.to_str());
    let command = words
        .scan(cli, |at, word| {
            *at = at.find_subcommand(word)?;
            Some(*at)
        })
        .last();
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
        let rest = args.split_off(2);
        args.extend(of_a_referee(rest));
    }
    args
}

/// Words of one hyphen as CodinGame's command line has them. `-s` before a number is a seed, elsewhere "server mode",
/// which a referee that only plays has nothing to do for.
fn of_a_referee(args: Vec<OsString>) -> Vec<OsString> {
    const LONG: [&str; 12] = [
        "-p1",
        "-p2",
        "-p3",
        "-p4",
        "-p1n",
        "-p2n",
        "-p3n",
        "-p4n",
        "-seed",
        "-league",
        "-port",
        "-cgarena-compat",
    ];
    /// Whose next word is a value, whatever it looks like.
    const VALUED: [&str; 4] = ["-l", "-d", "-o", "-r"];
    let mut out = Vec::with_capacity(args.len());
    let mut args = args.into_iter().peekable();
    while let Some(arg) = args.next() {
        let text = arg.to_string_lossy().into_owned();
        let name = text.split('=').next().unwrap_or_default();
        if LONG.contains(&name) || LONG.iter().any(|long| name.strip_prefix('-') == Some(*long)) {
            let double = if text.starts_with("--") { "" } else { "-" };
            let word = format!("{double}{text}");
            // A command may begin with a hyphen, a seed with a minus.
            match args.next_if(|_| !text.contains('=') && name.trim_start_matches('-') != "cgarena-compat") {
                Some(value) => {
                    let mut joined = OsString::from(word + "=");
                    joined.push(value);
                    out.push(joined);
                }
                None => out.push(word.into()),
            }
        } else if text == "-s" {
            let number = |next: &OsString| next.to_string_lossy().parse::<i128>().is_ok();
            if let Some(seed) = args.next_if(number) {
                out.push(format!("--seed={}", seed.to_string_lossy()).into());
            }
        } else {
            let valued = VALUED.contains(&text.as_str());
            out.push(arg);
            out.extend(args.next_if(|_| valued));
        }
    }
    out
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
                "fifty referee wondev -p1 ./a -p2 ./b -s -seed -7 -league 19 -l -s",
                "fifty referee wondev --p1=./a --p2=./b --seed=-7 --league=19 -l -s",
            ),
            (
                "fifty referee rails --p1 ./a -s 5 -p1n me -d seed=3",
                "fifty referee rails --p1=./a --seed=5 --p1n=me -d seed=3",
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
