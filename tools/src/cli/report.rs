//! Tables of a run, for people: standings, faults, how busy the machine was.

use crate::arena::bots::Bot;
use crate::arena::load::Busy;
use crate::arena::result::{GameResult, Standing, repeats as repeated};
use crate::outside::said::Failure;
use std::collections::BTreeMap;

/// Names of at most `most` characters that are still different, and their greatest length: a long one loses its
/// middle, and has its number where that does not tell it from another.
pub fn shortened(names: &[String], most: usize) -> (Vec<String>, usize) {
    let cut = |name: &String, most: usize| -> String {
        let chars: Vec<char> = name.chars().collect();
        if chars.len() <= most {
            return name.clone();
        }
        // What tells two apart stands mostly at the end: arguments, a file's name.
        let head = most / 3;
        let tail = most - head - 1;
        chars[..head]
            .iter()
            .chain(&['…'])
            .chain(&chars[chars.len() - tail..])
            .collect()
    };
    let mut short: Vec<String> = names.iter().map(|name| cut(name, most)).collect();
    for n in 0..short.len() {
        if names[n] != short[n]
            && short
                .iter()
                .enumerate()
                .any(|(m, other)| m != n && *other == short[n])
        {
            let number = format!(" #{}", n + 1);
            short[n] = cut(&names[n], most - number.len()) + &number;
        }
    }
    let width = short.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    (short, width)
}

/// The table of standings.
pub fn standings(table: &[Standing], seats: usize) {
    let names: Vec<String> = table.iter().map(|s| s.bot.clone()).collect();
    let (names, width) = shortened(&names, 48);
    for (s, name) in table.iter().zip(names) {
        let record = if seats == 2 {
            format!("W {} D {} L {}", s.wins, s.draws, s.losses)
        } else {
            format!("first {} times", s.wins)
        };
        println!(
            "{name:width$}  {:6.1} % of {} ({record}), score {:.1}{}",
            s.share * 100.0,
            s.games,
            s.mean_score,
            times(s)
        );
        let mut notes: Vec<String> = s.faults.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
        if s.late > 0 {
            notes.push(format!("late answers {}", s.late));
        }
        if !notes.is_empty() {
            println!("{:width$}  faults: {}", "", notes.join(", "));
        }
        if s.excused > 0 {
            println!(
                "{:width$}  excused: {} of {} answers, late only because the bot was kept from running",
                "", s.excused, s.times.answers
            );
        }
    }
}

/// Says how many games were other games once more.
pub fn repeats(results: &BTreeMap<usize, GameResult>) {
    let again = repeated(results);
    if let Some(result) = again.first().map(|first| &results[first]) {
        println!(
            "{} of {} games are repeats of others: the same position, the same answers, the same result (the first is on \
             seed {}). Bots that take no notice of the seed play one game again and again; a repeat is no \
             evidence, and the interval is that of the different games",
            again.len(),
            results.len(),
            result.seed
        );
    }
}

/// Its answer times; nothing where nobody measured them, as under an outside referee.
fn times(standing: &Standing) -> String {
    if standing.times.answers == 0 {
        return String::new();
    }
    format!("; {}", standing.times)
}

/// The first few faults in full. `id` is the number that `show` wants of a game, by place in the run; none where it is
/// not stored.
pub fn faults(results: &BTreeMap<usize, GameResult>, names: &[String], id: impl Fn(usize) -> Option<i64>) {
    let mut shown = 0;
    let mut more = 0;
    for result in results.values() {
        for fault in &result.faults {
            if shown == 5 {
                more += 1;
                continue;
            }
            shown += 1;
            let detail = if fault.detail.is_empty() {
                String::new()
            } else {
                format!(": {}", fault.detail)
            };
            let game = match id(result.index) {
                Some(id) => format!("game {id} (seed {})", result.seed),
                None => format!("seed {}", result.seed),
            };
            println!(
                "{game}, seat {}, {}: {}{detail}",
                fault.seat, names[result.seating[fault.seat]], fault.kind
            );
            for line in &fault.stderr {
                println!("    stderr: {line}");
            }
        }
    }
    if more > 0 {
        println!("and {more} more faults");
    }
}

/// Games that an outside referee failed: how many of each kind, and the first of each.
pub fn failures(failures: &[(u64, Failure)], total: usize, forgotten: bool) {
    if failures.is_empty() {
        return;
    }
    println!(
        "the referee failed {} of {total} games, left out with their groups{}:",
        failures.len(),
        if forgotten {
            ""
        } else {
            " (the same command with --resume plays them again)"
        }
    );
    let mut kinds: BTreeMap<_, Vec<&(u64, Failure)>> = BTreeMap::new();
    for failure in failures {
        kinds.entry(failure.1.trouble).or_default().push(failure);
    }
    for (trouble, mut all) in kinds {
        all.sort_by_key(|failure| failure.0);
        let (seed, first) = all[0];
        println!(
            "  {trouble} {} times, first on seed {seed}: {}",
            all.len(),
            first.detail
        );
    }
}

/// True where the machine was too busy for the clock of these bots.
pub fn unreliable(busy: Busy, bots: &[Bot]) -> bool {
    busy.unreliable() && bots.iter().any(Bot::timed)
}

/// Says so where the machine was too busy for timed results.
pub fn busy(busy: Busy, bots: &[Bot]) {
    if bots.iter().any(Bot::timed) {
        if unreliable(busy, bots) {
            println!("UNRELIABLE, the machine was too busy: {busy}");
        } else {
            println!("{busy}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;
    use std::collections::BTreeSet;

    #[test]
    fn short_names_stay_different() {
        let long = "python3 /home/author/contests/wondev/bots/";
        let names = [
            format!("{long}first/bot.py --depth 3"),
            format!("{long}second/bot.py --depth 3"),
            format!("{long}second/bot.py --depth 4"),
            "./short".to_owned(),
        ];
        let (short, width) = shortened(&names, 28);
        assert_eq!(short.iter().collect::<BTreeSet<_>>().len(), 4, "{short:?}");
        assert!(
            width <= 28 && short[3] == "./short" && short[2].ends_with("--depth 4"),
            "{short:?}"
        );
        let alike = [format!("a{long}{long}b"), format!("a{long}x{long}b")];
        let (short, width) = shortened(&alike, 28);
        assert!(short[0] != short[1] && width <= 28, "{short:?}");
    }
}
