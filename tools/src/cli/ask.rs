//! `fifty ask GAME --turn N --bot A --bot B`: what would they have done there, and what would have become of it?

use super::named;
use super::recorder::LookBack;
use super::show;
use crate::adapter::Adapter;
use crate::arena::bots::Bot;
use crate::arena::stats::signed;
use crate::serve::ask::{Answer, Effort, ask, can_multiply};
use crate::serve::playout::{Score, playouts};
use crate::serve::position::Position;
use crate::show::think;
use crate::show::trace::Trace;
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use serde_json::json;
use std::process::ExitCode;

/// Arguments of `ask`.
#[derive(ClapArgs)]
pub struct Args {
    /// Number of the game in the results file, or a JSON file that `referee -l` wrote.
    game: String,
    /// Step of the game as its page counts them, from 0.
    #[arg(long)]
    turn: usize,
    /// Who is asked, named as in `play`; may be repeated. Default: who answered in the game, and `engine`.
    #[arg(long = "bot")]
    bots: Vec<String>,
    /// Whose answer. Default: the seat that is asked; of several the one with the fewest points.
    #[arg(long)]
    seat: Option<usize>,
    /// Milliseconds for the answer. Default: what the bot takes by itself.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    clock: Option<u64>,
    /// Iterations for the answer.
    #[arg(long, value_name = "N", conflicts_with = "clock", value_parser = clap::value_parser!(u64).range(1..))]
    work: Option<u64>,
    /// So many times the clock or work, each asked for: 1,10,100.
    #[arg(long, value_delimiter = ',', default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    times: Vec<u64>,
    /// Play every choice to the end so often.
    #[arg(long, default_value_t = 0, default_missing_value = "20", num_args = 0..=1)]
    playouts: usize,
    /// Who plays them out: one bot for all seats, or one a seat.
    #[arg(long = "with", value_name = "BOT", default_value = "engine:50")]
    with: Vec<String>,
    /// First seed of what is drawn in the playouts.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    look: LookBack,
}

/// Asks and prints. Exit 0: answered; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    let trace = show::trace(&args.game, &args.look.results)?;
    let adapter = named::adapter_named(&trace.game)?;
    args.look.sandbox.check()?;
    let mut position = Position::at(adapter, &trace, args.turn, args.seat)?;
    position.sandbox = args.look.sandbox;
    let bots = bots(args, adapter, &trace, position.seat)?;
    let effort = match (args.clock, args.work) {
        (Some(ms), _) => Effort::Clock(ms),
        (_, Some(n)) => Effort::Work(n),
        _ => Effort::Own,
    };
    print_head(args, &position);
    print!("{}", adapter.text(&trace.steps[args.turn].view));
    let recorded = position.exchange();
    let width = bots
        .iter()
        .map(|b| b.name.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(8, 40);
    println!(
        "{:width$}  {:>22}  {}",
        "recorded",
        format!("{:.1} ms", recorded.micros as f64 / 1e3),
        line(&recorded.output, think::parse(&recorded.stderr).as_ref())
    );
    let mut answers: Vec<Answer> = Vec::new();
    for bot in &bots {
        for &times in &args.times {
            if times > 1 && args.times.len() > 1 && !can_multiply(bot) {
                continue;
            }
            let answer = ask(&position, bot, effort, times)?;
            print_answer(&answer, width, &position);
            answers.push(answer);
        }
    }
    let mut scores = Vec::new();
    if args.playouts > 0 {
        scores = play_out(args, &position, &answers)?;
    }
    if args.look.json {
        let object = json!({
            "id": args.game, "game": adapter.name(), "turn": args.turn, "seat": position.seat,
            "differs": position.differs, "limit_ms": position.limit.as_secs_f64() * 1e3,
            "recorded": {"bot": trace.bots.get(position.seat), "text": recorded.output.trim_end(),
                "ms": recorded.micros as f64 / 1e3, "think": think::parse(&recorded.stderr)},
            "answers": answers, "playouts": scores,
        });
        println!("{object}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Those named; else who sat there, where it can still be started, and our engine.
fn bots(args: &Args, adapter: &'static dyn Adapter, trace: &Trace, seat: usize) -> Result<Vec<Bot>> {
    if !args.bots.is_empty() {
        return named::bots(&args.bots, adapter);
    }
    let sat = trace.bots.get(seat).filter(|name| name.as_str() != "engine");
    let mut bots: Vec<Bot> = sat
        .and_then(|name| Bot::parse(name, adapter).ok())
        .into_iter()
        .collect();
    bots.push(Bot::parse("engine", adapter)?);
    Ok(bots)
}

fn print_head(args: &Args, position: &Position<'_>) {
    let trace = position.trace;
    println!(
        "game {}, {} seed {}, turn {} of {}: seat {} ({}) has {} ms",
        args.game,
        trace.game,
        trace.seed,
        args.turn,
        trace.steps.len().saturating_sub(1),
        position.seat,
        trace.bots.get(position.seat).map_or("", String::as_str),
        position.limit.as_millis()
    );
    if let Some(differs) = &position.differs {
        println!("the simulator differs from the record: {differs}");
    }
}

/// An answer in one line, with what the search thought.
fn line(text: &str, think: Option<&think::Think>) -> String {
    let mut out = text.trim_end().replace('\n', " | ");
    if let Some(t) = think {
        let mut words = Vec::new();
        words.extend(t.value.map(|v| format!("value {v:.3}")));
        words.extend(t.depth.map(|d| format!("depth {d}")));
        words.extend(t.nodes.or(t.visits).map(|n| format!("nodes {n}")));
        if !t.best.is_empty() {
            let best: Vec<String> = t.best.iter().map(think::Candidate::line).collect();
            words.push(format!("looked at {}", best.join(" · ")));
        }
        if !t.pv.is_empty() {
            words.push(format!("expects {}", t.pv));
        }
        out = format!("{out}  [{}]", words.join(", "));
    }
    out
}

fn print_answer(answer: &Answer, width: usize, position: &Position<'_>) {
    let name: String = answer.bot.chars().take(width).collect();
    let took = format!("{}, {:.1} ms", answer.effort, answer.ms);
    let text = answer.text.as_deref().unwrap_or("no answer");
    println!("{name:width$}  {took:>22}  {}", line(text, answer.think.as_ref()));
    if let Some(fault) = &answer.fault {
        println!("{:width$}  fault: {fault}", "");
    }
    if answer.late && answer.effort == "its own clock" {
        println!(
            "{:width$}  over the limit of {} ms",
            "",
            position.limit.as_millis()
        );
    }
    if answer.astray {
        println!(
            "{:width$}  asked of another position: its own answer at turn {} was another than the recorded one, and \
             this protocol does not repeat them",
            "",
            answer.past.other.unwrap_or_default()
        );
    }
    for said in answer.stderr.lines().filter(|l| !l.starts_with("think ")).take(5) {
        println!("{:width$}  stderr: {said}", "");
    }
}

/// Every different choice, the recorded one first.
fn play_out(args: &Args, position: &Position<'_>, answers: &[Answer]) -> Result<Vec<Score>> {
    let recorded = position.exchange().output.trim_end().to_owned();
    let mut choices = Vec::new();
    if !recorded.starts_with('<') {
        choices.push(recorded);
    }
    for answer in answers.iter().filter(|a| !a.astray) {
        let text = answer.text.iter().find(|text| !choices.contains(text));
        choices.extend(text.cloned());
    }
    if choices.is_empty() {
        bail!("there is no answer to play out");
    }
    let with = named::bots(&args.with, position.adapter).context("--with")?;
    let scores = playouts(position, &choices, &with, args.playouts, args.seed)?;
    println!(
        "played out {} times by {}, seat {}:",
        args.playouts,
        args.with.join(", "),
        position.seat
    );
    for score in &scores {
        println!(
            "  points {:5.1} % ({:.0} to {:.0})  score less the others' best {:>7} ± {:.2}  {}",
            score.mean * 100.0,
            score.range.0 * 100.0,
            score.range.1 * 100.0,
            signed(score.margin.0, 2),
            score.margin.1,
            score.choice.replace('\n', " | ")
        );
    }
    if scores.iter().any(|s| s.once) {
        println!(
            "  where every playout ended alike it counts for one game: bots that do the same whatever is drawn play it \
             again and again"
        );
    }
    if let [first, .., last] = &scores[..] {
        let [points, margin] = last.against(first);
        println!(
            "  the last against the first, future by future: points {} % ± {:.1}, margin {} ± {:.2}",
            signed(points.0 * 100.0, 1),
            points.1 * 100.0,
            signed(margin.0, 2),
            margin.1
        );
    }
    Ok(scores)
}
