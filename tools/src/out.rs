//! What a subcommand says, on standard output and standard error: `println!` and its like for the whole crate.
//!
//! The standard library's macros panic where nobody reads any more (`| head -1`) and where the disk is full, in the
//! middle of whatever is being done: games not yet told of, a source file already changed. These never do. A reader
//! who has left ends nothing and is no error; any other trouble is kept, nothing more is written, the work goes on to
//! its end, and [`end`] tells of it.
//!
//! SIGPIPE stays ignored, as Rust programs begin: bots' pipes break as well, and a bot that is gone must not take the
//! arena along.

use std::fmt::Arguments;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// As the standard library's, without its panic.
macro_rules! print {
    ($($text:tt)*) => { $crate::out::say(::std::format_args!($($text)*), "") };
}

/// As the standard library's, without its panic.
macro_rules! println {
    () => { $crate::out::say(::std::format_args!(""), "\n") };
    ($($text:tt)*) => { $crate::out::say(::std::format_args!($($text)*), "\n") };
}

/// As the standard library's, without its panic: where nobody can be told, nobody is.
macro_rules! eprint {
    ($($text:tt)*) => { $crate::out::note(::std::format_args!($($text)*), "") };
}

/// As the standard library's, without its panic: where nobody can be told, nobody is.
macro_rules! eprintln {
    () => { $crate::out::note(::std::format_args!(""), "\n") };
    ($($text:tt)*) => { $crate::out::note(::std::format_args!($($text)*), "\n") };
}

/// The first trouble of standard output.
static TROUBLE: Mutex<Option<io::Error>> = Mutex::new(None);

/// Writes to `out`, unless there was trouble before; keeps the first.
fn write(
    out: &mut dyn Write,
    trouble: &Mutex<Option<io::Error>>,
    act: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) {
    let mut trouble = trouble.lock().unwrap_or_else(PoisonError::into_inner);
    if trouble.is_none() {
        *trouble = act(out).err();
    }
}

/// Says something on standard output.
pub fn say(text: Arguments<'_>, end: &str) {
    write(&mut io::stdout().lock(), &TROUBLE, |out| {
        out.write_fmt(text)?;
        out.write_all(end.as_bytes())
    });
}

/// Says something on standard error.
pub fn note(text: Arguments<'_>, end: &str) {
    let mut error = io::stderr().lock();
    let _ = error
        .write_fmt(text)
        .and_then(|()| error.write_all(end.as_bytes()));
}

/// Whether this is the trouble of a reader who has seen enough.
pub fn nobody_reads(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Hands on what is still held back. Errors: standard output did not take everything, though somebody reads it.
pub fn end() -> io::Result<()> {
    write(&mut io::stdout().lock(), &TROUBLE, |out| out.flush());
    let trouble = TROUBLE.lock().unwrap_or_else(PoisonError::into_inner).take();
    trouble.filter(|error| !nobody_reads(error)).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::write;
    use std::io::{self, Write};
    use std::sync::Mutex;

    /// Takes so many writes, and then none.
    struct Full(usize, Vec<u8>);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
            self.1.extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_first_trouble_is_kept_and_ends_the_writing() {
        let (mut out, trouble) = (Full(1, Vec::new()), Mutex::new(None));
        for text in ["one", "two", "three"] {
            write(&mut out, &trouble, |out| out.write_all(text.as_bytes()));
            out.0 = usize::from(text == "two");
        }
        assert_eq!(out.1, b"one");
        let trouble = trouble.into_inner().unwrap().unwrap();
        assert_eq!(trouble.kind(), io::ErrorKind::StorageFull);
    }
}
