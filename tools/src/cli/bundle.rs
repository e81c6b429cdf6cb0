//! `fifty bundle BIN`: one file out of a Cargo project.

use crate::bundle::budget::{self, budget_of, seconds_for};
use crate::bundle::print::Minify;
use crate::bundle::rejected::Rejected;
use crate::bundle::target::Target;
use crate::bundle::unit::Selection;
use crate::bundle::{Bundle, Progress, Request, bundle, report, write};
use anyhow::{Context, Result, bail, ensure};
use clap::Args as ClapArgs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, SystemTime};

/// Arguments of `bundle`.
#[derive(ClapArgs)]
// Each is a switch of its own on the command line.
#[allow(clippy::struct_excessive_bools)]
pub struct Args {
    /// Name of the program; may be left out where there is only one.
    bin: Option<String>,
    /// The same, as cargo spells it.
    #[arg(long = "bin", value_name = "NAME", conflicts_with = "bin")]
    bin_flag: Option<String>,
    /// An example instead, as cargo spells it.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["bin", "bin_flag"])]
    example: Option<String>,
    /// Package of the program, where several have one of that name.
    #[arg(short, long)]
    package: Option<String>,
    /// Judge: codingame, nypc, atcoder, plain, or a .json file like theirs.
    #[arg(long, default_value = "codingame")]
    target: String,
    /// The project, `Cargo.toml` or its folder; by default the one around the current folder.
    #[arg(long)]
    manifest_path: Option<PathBuf>,
    /// Where to write; by default standard output.
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Bundle again whenever a source file changes.
    #[arg(long)]
    watch: bool,
    /// How far to squeeze the text; by default as little as brings it below the limit.
    #[arg(long, value_enum)]
    minify: Option<Minify>,
    /// Name every item that was left out.
    #[arg(long)]
    removed: bool,
    /// Tell every step, and what was tried in vain and why (nothing where the result is kept from before).
    #[arg(long)]
    trace: bool,
    /// Seconds of processor time, the compiler's with our own, for finding what may be left out; 0 for no end. Building
    /// dependencies, translating editions and the proof take their own beside it [default: 400, or 150 where the target has
    /// no limit].
    #[arg(long, value_name = "SECONDS")]
    budget: Option<u64>,
    /// Features to switch on.
    #[arg(short = 'F', long, value_delimiter = ',')]
    features: Vec<String>,
    /// Switch all features on.
    #[arg(long)]
    all_features: bool,
    /// Leave the default features off.
    #[arg(long)]
    no_default_features: bool,
    /// Profile whose settings count.
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
    /// The default anyway: a judge optimises.
    #[arg(short, long, conflicts_with = "profile")]
    release: bool,
}

/// Bundles, proves, writes, reports.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(folder) = args.output.as_ref().filter(|path| path.is_dir()) {
        bail!("{}: a folder, expected a file to write", folder.display());
    }
    args.output.as_deref().map_or(Ok(()), writable)?;
    if !args.watch {
        once(args)?;
        return Ok(ExitCode::SUCCESS);
    }
    ensure!(args.output.is_some(), "--watch needs -o FILE");
    loop {
        let files = match once(args) {
            Ok(bundle) => bundle.files,
            Err(error) => {
                eprintln!("fifty: {error:#}");
                Vec::new()
            }
        };
        wait(&files, args.manifest_path.as_deref());
    }
}

/// Fails where a file cannot be written, before minutes are spent on what goes into it. Nothing is made there.
fn writable(to: &Path) -> Result<()> {
    if to.exists() && !to.is_file() {
        return Ok(());
    }
    let to = std::path::absolute(to).context("this folder is not found")?;
    let above = to.ancestors().skip(1).find(|folder| folder.exists());
    let above = above.with_context(|| format!("{}: no such place", to.display()))?;
    tempfile::NamedTempFile::new_in(above)
        .with_context(|| format!("{}: nothing can be written in {}", to.display(), above.display()))?;
    Ok(())
}

fn once(args: &Args) -> Result<Bundle> {
    let named = [&args.bin, &args.bin_flag, &args.example];
    let name = named.into_iter().find_map(Option::as_deref);
    let progress = if args.trace {
        Progress::Trace
    } else {
        Progress::bar(name.unwrap_or("bundle"))
    };
    let target = Target::find(&args.target)?;
    let seconds = args.budget.unwrap_or_else(|| seconds_for(target.limit));
    let request = Request {
        selection: Selection {
            bin: name.unwrap_or_default().to_owned(),
            example: args.example.is_some(),
            profile: args.profile.clone(),
            package: args.package.clone(),
            manifest: args.manifest_path.clone(),
            // Cargo takes blanks between them too.
            features: args
                .features
                .iter()
                .flat_map(|list| list.split_whitespace())
                .map(str::to_owned)
                .collect(),
            no_default_features: args.no_default_features,
            all_features: args.all_features,
            target_dir: None,
        },
        target,
        minify: args.minify.unwrap_or_default(),
        progress: progress.clone(),
        cache: None,
        budget: budget_of(seconds),
    };
    budget::may_hurry(!args.watch && request.budget.is_some());
    let made = bundle(&request);
    budget::may_hurry(false);
    let made = made.and_then(|mut made| {
        if args.minify.is_none() {
            made.fit(&request)?;
        }
        if made.limit.is_some_and(|limit| made.characters > limit) {
            return Err(too_large(&request, &made, args.output.as_deref()));
        }
        match made.check() {
            Ok(()) => Ok(made),
            Err(error) => Err(put_aside(&made.text, 0, error, args.output.as_deref())),
        }
    });
    progress.done();
    let bundle = made.map_err(|error| kept(error, args.output.as_deref()))?;
    for note in &bundle.notes {
        eprintln!("note: {note}");
    }
    if args.removed {
        for name in &bundle.removed {
            eprintln!("left out: {name}");
        }
    }
    eprintln!("{}", report::table(&bundle.shares, bundle.limit));
    let needed: Vec<&str> = bundle.needed()?.into_iter().collect();
    let beside = if needed.is_empty() {
        "alone".to_owned()
    } else {
        format!("with the judge's {}", needed.join(", "))
    };
    eprintln!(
        "{} items left out ({} characters before), the same code item by item; compiles {beside} in edition {}",
        bundle.removed.len(),
        bundle.unshaken,
        bundle.compile.edition
    );
    match &args.output {
        Some(path) => write(&bundle.text, path)?,
        None => std::io::stdout()
            .write_all(bundle.text.as_bytes())
            .and_then(|()| std::io::stdout().flush())
            .context("standard output cannot be written")?,
    }
    Ok(bundle)
}

/// Shows where the characters of a bundle over the limit are and what squeezing would give; keeps it beside the output.
fn too_large(request: &Request, made: &Bundle, output: Option<&Path>) -> anyhow::Error {
    request.progress.done();
    for note in &made.notes {
        eprintln!("note: {note}");
    }
    eprintln!("{}", report::table(&made.shares, made.limit));
    let levels = [("light", Minify::Light), ("full", Minify::Full)];
    let tried = levels.iter().position(|(_, level)| *level == request.minify);
    for (name, level) in levels.into_iter().skip(tried.map_or(0, |n| n + 1)) {
        if let Ok(Some(characters)) = made.squeezed(level, request.budget) {
            eprintln!("with --minify {name}: {characters} characters");
        }
    }
    let error = made
        .check()
        .err()
        .unwrap_or_else(|| anyhow::anyhow!("over the limit"));
    let Some(path) = output else {
        return error;
    };
    let file = path.with_extension("large.rs");
    match write(&made.text, &file) {
        Ok(()) => error.context(format!("no bundle; what there was is kept: {}", file.display())),
        Err(_) => error,
    }
}

/// Keeps the text of a bundle that is no program beside the output, and names it in the error.
fn kept(error: anyhow::Error, output: Option<&Path>) -> anyhow::Error {
    let Some(Rejected { text, line, .. }) = error.downcast_ref() else {
        return error;
    };
    let (text, line) = (text.clone(), *line);
    put_aside(&text, line, error, output)
}

/// Writes a text that is no program beside the output, and names it, and the `line` if it is not 0, in the error.
fn put_aside(text: &str, line: usize, error: anyhow::Error, output: Option<&Path>) -> anyhow::Error {
    let file = match output {
        Some(path) => path.with_extension("failed.rs"),
        None => PathBuf::from("bundle.failed.rs"),
    };
    if write(text, &file).is_err() {
        return error;
    }
    let line = if line == 0 {
        String::new()
    } else {
        format!(":{line}")
    };
    error.context(format!(
        "no bundle; what there was is kept: {}{line}",
        file.display()
    ))
}

/// Returns when a source file, or any file of the project if none was read, has changed.
fn wait(files: &[PathBuf], manifest: Option<&Path>) {
    let mut watched = files.to_vec();
    watched.push(manifest.unwrap_or(Path::new("Cargo.toml")).to_owned());
    if files.is_empty() {
        let folder = manifest.and_then(Path::parent).unwrap_or(Path::new("."));
        sources(&folder.join("src"), &mut watched);
    }
    let state = || -> Vec<Option<SystemTime>> {
        let changed = |path: &PathBuf| path.metadata().and_then(|m| m.modified()).ok();
        watched.iter().map(changed).collect()
    };
    let before = state();
    while state() == before {
        thread::sleep(Duration::from_millis(300));
    }
}

fn sources(folder: &Path, list: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, list);
        } else {
            list.push(path);
        }
    }
}
