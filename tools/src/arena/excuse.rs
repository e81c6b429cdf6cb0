//! Whether a late answer was the bot's own doing.
//!
//! A pure rule over what `witness` saw of one answer. The principle: a bot is credited with time only where the
//! kernel's own records show that it was kept from running, and by somebody else:
//!
//! - **kept away**: stopped or frozen by another process, or its finished answer lying there while the arena itself
//!   waited for a core;
//! - **waited**: ready to run, on a core that others used (run delay), or that the hypervisor or interrupts had taken.
//!   Most bots think until their clock says stop, so a wait makes them late only where it covers that moment; then they
//!   answer promptly once they are back on a core. Whoever goes on thinking after its limit would have been late without
//!   the wait, too. Only a bot that has shown to do the same work for every answer is excused by a wait at any moment.
//!
//! Whatever its own other threads and children computed meanwhile is taken off, and a bot that changed how it is
//! scheduled, or gives its core away in a loop, is credited with no wait at all.

use std::time::Duration;

/// How long a bot may take to answer once it is back on a core after its limit.
const PROMPT: Duration = Duration::from_millis(1);

/// What was seen of one late answer. All times lie between the message and the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Account {
    /// CPU time of the bot with all its threads and children.
    pub own: Duration,
    /// CPU time of them without the thread that answered.
    pub others: Duration,
    /// Run delay of the thread that answered.
    pub waited: Duration,
    /// That is known: all its threads were seen, and the wait cannot have begun before the question.
    pub certain: bool,
    /// Time it was stopped or frozen, or its answer lay there.
    pub away: Duration,
    /// Time for which its core itself was taken: by the hypervisor, or by interrupts.
    pub taken: Duration,
    /// From when it was back on a core after its limit to its answer.
    pub after: Duration,
    /// It used the same CPU time for this answer as for those before.
    pub steady: bool,
    /// It changed its own scheduling, or gave its core away again and again.
    pub meddled: bool,
}

impl Account {
    /// How much of the answer's time was not the bot's.
    pub fn credit(&self) -> Duration {
        let counts = self.certain && !self.meddled && (self.after <= PROMPT || self.steady);
        let waited = if counts {
            self.waited + self.taken
        } else {
            Duration::ZERO
        };
        (waited + self.away).saturating_sub(self.others)
    }
}

#[cfg(test)]
mod tests {
    use super::Account;
    use std::time::Duration;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    /// A bot that computes 43 ms and is credited with nothing.
    const PLAIN: Account = Account {
        own: ms(43),
        others: ms(0),
        waited: ms(0),
        certain: true,
        away: ms(0),
        taken: ms(0),
        after: ms(1),
        steady: false,
        meddled: false,
    };

    #[test]
    fn what_is_credited() {
        let credited =
            |account: Account, credit: u64| assert_eq!(account.credit(), ms(credit), "{account:?}");
        let (mut stopped, mut waited, mut both, mut stolen) = (PLAIN, PLAIN, PLAIN, PLAIN);
        stopped.away = ms(30);
        waited.waited = ms(9);
        (both.away, both.waited) = (ms(30), ms(9));
        stolen.taken = ms(13);
        credited(PLAIN, 0);
        credited(stopped, 30);
        credited(waited, 9);
        credited(both, 39);
        credited(stolen, 13);
        // It went on after its limit: a wait before that is no reason, unless it has no clock.
        let after = ms(5);
        let steady = true;
        credited(Account { after, ..waited }, 0);
        credited(Account { after, ..stolen }, 0);
        credited(
            Account {
                after,
                steady,
                ..waited
            },
            9,
        );
        credited(Account { after, ..stopped }, 30);
        let certain = false;
        credited(Account { certain, ..waited }, 0);
        // Its own doing.
        let others = ms(8);
        credited(Account { others, ..waited }, 1);
        let others = ms(40);
        credited(Account { others, ..waited }, 0);
        let meddled = true;
        credited(
            Account {
                steady,
                meddled,
                ..waited
            },
            0,
        );
    }
}
