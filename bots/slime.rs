//! The slime bot: read, decide, write. One process a move; the question is the argument.

use fifty::games::slime::bot::Bot;
use fifty::games::slime::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::Budget;
use std::io::Write;

fn main() {
    let weights = Weights::DEFAULT;
    let think = u64::from(weights.think_ms);
    let mut bot = Bot::new(Budget::from_env(think, think), weights, 1);
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let answer = bot.answer(&arguments.join(" "));
    let _ = std::io::stderr().write_all(&bot.said());
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{answer}").and_then(|()| out.flush()) {
        eprintln!("stdout is closed: {error}");
    }
}
