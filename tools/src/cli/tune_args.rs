//! What `fifty tune` is told, and a run of our own bot's numbers set up from it.

use super::named::options_in_turn;
use super::numbers;
use super::outsider::Which;
use crate::adapter::Adapter;
use crate::arena::bots::by_hand;
use crate::arena::sandbox::Sandbox;
use crate::batch::queue::On;
use crate::results;
use crate::tune::games::{Games, Opponent, Params};
use crate::tune::program::Method;
use crate::tune::run::{self, TunePlan};
use crate::tune::space::Space;
use crate::tune::spsa::Settings;
use crate::tune::store::Store;
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use fifty::kit::clock::Budget;
use std::path::PathBuf;

/// Arguments of `tune`.
#[derive(ClapArgs, Clone)]
pub struct Args {
    #[command(flatten)]
    pub which: Which,
    /// Tune this program instead of our own bot: a command with `{name}` wherever a `--param` goes; a variable before it
    /// does as well, `DEPTH={depth} ./mine`.
    #[arg(long)]
    pub bot: Option<String>,
    /// A number of `--bot`: where it starts, its range and its step, `name=value,min,max,step`; whole where none of them
    /// has a point. May be repeated.
    #[arg(long = "param", value_name = "NAME=VALUE,MIN,MAX,STEP")]
    pub numbers: Vec<String>,
    /// What `--bot` is told in a line before anything else, with `{name}` as well.
    #[arg(long)]
    pub first_line: Option<String>,
    /// Whom `--bot` meets; may be repeated. Default: itself.
    #[arg(long = "opponent")]
    pub opponents: Vec<String>,
    /// How the next setting of `--bot` is chosen: `spsa` walks (many numbers, cheap games), `gp` is a Gaussian process
    /// with expected improvement (few numbers, expensive games).
    #[arg(long, value_enum, default_value = "spsa")]
    pub method: Method,
    /// Which numbers, by name; `*` and `?` match. May be repeated. Default: all.
    #[arg(long)]
    pub params: Vec<String>,
    /// Games to play in all.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Iterations per answer.
    #[arg(long, default_value_t = 1_000)]
    work: u64,
    /// Opponents in turn: `self` or `builtin:NAME`. May be repeated.
    #[arg(long, alias = "panel", default_values_t = ["self".to_owned()])]
    pool: Vec<String>,
    /// Option of the game as `key=value`. May be repeated; values of one key take turns, pair by pair.
    #[arg(short, long)]
    pub option: Vec<String>,
    /// Values to start from: `name=value`, or `hand` for those of the tuned numbers that were set by hand before
    /// anything was tuned. May be repeated.
    #[arg(long)]
    start: Vec<String>,
    /// Start from an evaluation perturbed at random by this seed.
    #[arg(long, alias = "spoil")]
    perturbed: Option<u64>,
    /// Distance of the compared points from the middle, in steps.
    #[arg(long, default_value_t = 3.0, value_parser = numbers::above_zero)]
    pub perturb: f64,
    /// Steps moved by a pair won 2:0.
    #[arg(long, default_value_t = 0.02, value_parser = numbers::above_zero)]
    pub gain: f64,
    /// Pairs played from one point.
    #[arg(long, default_value_t = 16, value_parser = numbers::count)]
    pub batch: usize,
    /// Decides everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Name of the run. Default: the game's name.
    #[arg(long)]
    pub run: Option<String>,
    /// Go on with the run of that name.
    #[arg(long)]
    pub resume: bool,
    /// Results file.
    #[arg(long, default_value = super::recorder::RESULTS)]
    pub db: PathBuf,
    /// Pairs of the closing matches at fixed work (tuned against start, tuned against defaults).
    #[arg(long, default_value_t = 200)]
    pub check: u64,
    /// Accept or reject by SPRT at the real clock against the pool, with at most this many pairs.
    #[arg(long, default_value_t = 0)]
    pub sprt: u64,
    /// Play on other machines: `slurm`, with words for sbatch behind it. Plans lie beside the results file, where all
    /// nodes must see them. The closing matches at fixed work of our own bot and --sprt are played here.
    #[arg(long, value_name = "ENGINE")]
    pub on: Option<On>,
    /// Pairs of a slice, what one node plays at a time. Default: 2.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    pub slice_pairs: Option<usize>,
    /// A file or folder that programs need beside what their command lines name. May be repeated.
    #[arg(long, value_name = "PATH")]
    pub with: Vec<PathBuf>,
    /// What keeps programs (--bot) from harming others: all that this machine offers, nothing, or all or no game.
    #[arg(long, value_enum, default_value = "auto")]
    pub sandbox: Sandbox,
    /// Write the report as a page as well.
    #[arg(long)]
    pub html: Option<PathBuf>,
}

/// Splits `key=value`.
pub fn key_value(text: &str) -> Result<(String, String)> {
    let (key, value) = text
        .split_once('=')
        .with_context(|| format!("{text}: expected key=value"))?;
    Ok((key.to_owned(), value.to_owned()))
}

/// Reads `--start`: values by name, and `hand`.
pub fn starts(texts: &[String], adapter: &dyn Adapter, space: &Space) -> Result<Params> {
    let mut start = Params::new();
    for text in texts {
        if text == "hand" {
            let tuned = |name: &str| space.dims().iter().any(|t| t.name == name);
            start.extend(by_hand(adapter)?.into_iter().filter(|(name, _)| tuned(name)));
            continue;
        }
        let (key, value) = key_value(text)?;
        let value = numbers::finite(&value);
        start.push((key, value.with_context(|| format!("--start {text}"))?));
    }
    Ok(start)
}

/// True if these values are those the bot ships with.
pub fn is_shipped(values: &Params, adapter: &dyn Adapter) -> bool {
    // Values of single precision come back from the source a little off.
    let same = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs();
    values
        .iter()
        .all(|(name, value)| adapter.shipped(name).is_some_and(|s| same(*value, s)))
}

/// The plan to go by: the stored one where a run is resumed, else `plan`, which is stored.
fn begun(
    args: &Args,
    name: &str,
    mut plan: TunePlan,
    space: &Space,
    store: &mut Store,
    either: bool,
) -> Result<TunePlan> {
    let game = plan.game.clone();
    let kept = store.setup(name)?;
    let resume = if either { kept.is_some() } else { args.resume };
    match (kept, resume) {
        (Some((_, setup)), true) => {
            plan =
                serde_json::from_str(&setup).with_context(|| format!("run {name}: its setup is damaged"))?;
            if plan.game != game {
                bail!("run {name} tunes {}, not {game}", plan.game);
            }
            // As runs could be begun before that was refused.
            if plan.walk.batch == 0 {
                bail!("run {name} was begun with --batch 0: name another with --run");
            }
        }
        (Some(_), false) => bail!(
            "run {name} exists in {}: --resume it or name another with --run",
            args.db.display()
        ),
        (None, true) => bail!("no run {name} in {} to resume", args.db.display()),
        (None, false) => {
            if let Some(seed) = args.perturbed {
                plan.start.extend(run::perturbed(space, seed));
            }
            store.begin(name, &plan.game, &serde_json::to_string(&plan)?)?;
        }
    }
    Ok(plan)
}

/// The plan, the results file, the run's name in it and the games, when everything is known to be right; a run that is
/// there is gone on with where `--resume` or `either` says so.
pub fn set_up(args: &Args, either: bool) -> Result<(TunePlan, Store, String, Vec<Games>)> {
    let adapter = args.which.game()?;
    if adapter.outside().is_some() {
        bail!(
            "{}: expected --bot 'COMMAND {{name}}' and --param name=value,min,max,step",
            adapter.name()
        );
    }
    let game = adapter.name().to_owned();
    let name = args.run.clone().unwrap_or_else(|| game.clone());
    let space = Space::select(adapter.tunables(), &args.params)?;
    let start = starts(&args.start, adapter, &space)?;
    let options = options_in_turn(&args.option, adapter, args.seed)?;
    for text in &args.pool {
        Opponent::parse(text, adapter)?;
    }
    if args.resume {
        results::must_exist(&args.db)?;
    }
    // Everything is known to be right: only now may there be a file.
    let mut store = Store::open(&args.db)?;
    let plan = TunePlan {
        game: game.clone(),
        params: args.params.clone(),
        walk: Settings {
            seed: args.seed,
            perturb: args.perturb,
            gain: args.gain,
            batch: args.batch,
        },
        work: args.work,
        options,
        pool: args.pool.clone(),
        start,
    };
    let plan = begun(args, &name, plan, &space, &mut store, either)?;
    let games = Games::each(adapter, Budget::Work(plan.work), &plan.options);
    Ok((plan, store, name, games))
}
