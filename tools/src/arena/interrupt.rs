//! Ctrl-C, SIGTERM and SIGHUP: the first asks a run to stop, tell what it has and how to go on; the second ends
//! the program at once.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

static SIGNAL: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on a signal is a request; before, it ends the program as ever.
pub fn watch() -> std::io::Result<()> {
    if SIGNAL.get().is_some() {
        return Ok(());
    }
    let signal = Arc::new(AtomicUsize::new(0));
    let again = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM, SIGHUP] {
        // In this order: the signal that sets it must not find it set.
        flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&again))?;
        flag::register(number, Arc::clone(&again))?;
        flag::register_usize(number, Arc::clone(&signal), number as usize)?;
    }
    let _ = SIGNAL.set(signal);
    Ok(())
}

/// The signal that came, if one did.
fn signal() -> Option<u8> {
    let number = SIGNAL.get()?.load(Ordering::Relaxed);
    u8::try_from(number).ok().filter(|&n| n > 0)
}

/// True once a run shall stop.
pub fn requested() -> bool {
    signal().is_some()
}

/// As shells have it: 128 and the signal's number; 0 where a run was stopped without one.
pub fn exit_code() -> ExitCode {
    ExitCode::from(signal().map_or(0, |number| 128 + number))
}

/// The command that goes on with this run: this one, with `--resume`.
pub fn resume_line() -> String {
    let mut args = std::env::args();
    let program = args.next().unwrap_or_else(|| "fifty".to_owned());
    // As it was started: through Cargo, or by itself.
    let program = match std::env::var_os("CARGO") {
        Some(_) => "cargo fifty".to_owned(),
        None => quoted(&program),
    };
    let mut words: Vec<String> = vec![program];
    words.extend(args.map(|word| quoted(&word)));
    if !words.iter().any(|word| word == "--resume") {
        words.push("--resume".to_owned());
    }
    words.join(" ")
}

/// A word as a shell reads it back.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_come_back_from_a_shell() {
        assert_eq!(quoted("--bot=./a.rs"), "--bot=./a.rs");
        assert_eq!(quoted("python3 it's"), r"'python3 it'\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("a;clock=100"), "'a;clock=100'");
    }
}
