//! Faults in the games of a program that is tuned: a score says nothing of settings where the program does not play.

use crate::arena::result::FaultReport;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Faults told in full.
const TOLD: usize = 5;

/// What came of a pair.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Met {
    /// The first bot's, 0 to 1.
    pub score: f64,
    /// Games it consists of; 0 where that was not kept.
    pub games: usize,
    /// Who failed how.
    pub faults: Vec<Fault>,
}

/// A bot's fault in one of a pair's games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Which of the pair's games.
    pub game: usize,
    /// Its seed.
    pub seed: u64,
    /// Which of the two bots.
    pub bot: usize,
    /// What happened.
    pub fault: FaultReport,
}

impl Fault {
    fn line(&self, names: [&str; 2]) -> String {
        let FaultReport {
            seat,
            kind,
            detail,
            stderr,
        } = &self.fault;
        let mut line = format!("seed {}, seat {seat}, {}: {kind}", self.seed, names[self.bot]);
        if !detail.is_empty() {
            let _ = write!(line, ": {detail}");
        }
        stderr.iter().for_each(|said| {
            let _ = write!(line, "\n    stderr: {said}");
        });
        line
    }
}

/// Faults of all games so far.
#[derive(Debug, Default)]
pub struct Tally {
    games: usize,
    kinds: BTreeMap<(&'static str, String), usize>,
    first: Vec<String>,
    all: usize,
}

impl Tally {
    /// Counts what pairs came to, each with its bots' names; `others` where the second bot of each is not the program that is tuned. Errors: that
    /// program failed in every game.
    pub fn count<'m>(
        &mut self,
        pairs: impl IntoIterator<Item = ([&'m str; 2], &'m Met)>,
        others: bool,
    ) -> Result<()> {
        let (mut games, mut failed, mut first) = (0, 0, None);
        for (names, met) in pairs {
            games += met.games;
            let own = |fault: &&Fault| fault.bot == 0 || !others;
            let lost: BTreeSet<usize> = met.faults.iter().filter(own).map(|f| f.game).collect();
            failed += lost.len();
            for fault in &met.faults {
                let whose = if own(&fault) {
                    "the program"
                } else {
                    "its opponents"
                };
                *self.kinds.entry((whose, fault.fault.kind.clone())).or_default() += 1;
                if own(&fault) && first.is_none() {
                    first = Some(fault.line(names));
                }
                self.all += 1;
                if self.first.len() < TOLD {
                    self.first.push(fault.line(names));
                }
            }
        }
        self.games += games;
        match first {
            Some(first) if failed == games => {
                bail!("the program that is tuned failed in all {games} games of a batch, first {first}")
            }
            _ => Ok(()),
        }
    }

    /// What the report says of them; nothing where there were none.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for whose in ["the program", "its opponents"] {
            let kinds = self.kinds.iter().filter(|((who, _), _)| *who == whose);
            let kinds: Vec<String> = kinds.map(|((_, kind), n)| format!("{kind} {n}")).collect();
            if !kinds.is_empty() {
                let _ = writeln!(
                    out,
                    "faults of {whose} in {} games: {}",
                    self.games,
                    kinds.join(", ")
                );
            }
        }
        for line in &self.first {
            let _ = writeln!(out, "  {line}");
        }
        if self.all > self.first.len() {
            let _ = writeln!(out, "  and {} more faults", self.all - self.first.len());
        }
        out
    }
}
