//! A game of nothing but protocol: every turn sends a number, the right answer is that number.

use fifty_tools::referee::{Ask, Outcome, Referee, Reply, Verdict};
use serde_json::{Value, json};
use std::time::Duration;

pub const TURNS: usize = 5;

/// One seat counts; the referee stops at its first fault.
pub struct Count {
    pub limit: Duration,
    /// Blank lines before each number, to fill pipes.
    pub padding: usize,
    pub turn: usize,
    pub verdict: Verdict,
}

impl Count {
    pub fn new(limit_ms: u64) -> Self {
        Self {
            limit: Duration::from_millis(limit_ms),
            padding: 0,
            turn: 0,
            verdict: Verdict::Fine,
        }
    }

    fn over(&self) -> bool {
        self.turn == TURNS || self.verdict != Verdict::Fine
    }
}

impl Referee for Count {
    fn asks(&mut self) -> Vec<Ask> {
        if self.over() {
            return Vec::new();
        }
        vec![Ask {
            seat: 0,
            send: format!("{}{}\n", "\n".repeat(self.padding), self.turn),
            want: 1,
            limit: self.limit,
        }]
    }

    fn reply(&mut self, replies: &[Reply]) {
        let reply = &replies[0];
        self.verdict = match &reply.output {
            Err(fault) => (*fault).into(),
            Ok(_) => match reply.lines()[0].trim().parse::<usize>() {
                Err(_) => Verdict::Garbage(reply.lines()[0].clone()),
                Ok(n) if n != self.turn => Verdict::Invalid(format!("{n}, not {}", self.turn)),
                Ok(_) => Verdict::Fine,
            },
        };
        if self.verdict == Verdict::Fine {
            self.turn += 1;
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.over().then(|| Outcome {
            scores: vec![self.turn as f64],
            points: vec![f64::from(u8::from(self.turn == TURNS))],
            end: "counted".into(),
            verdicts: vec![self.verdict.clone()],
        })
    }

    fn view(&self) -> Value {
        json!({ "turn": self.turn })
    }
}
