//! A bot as its judge sees it: lines in, lines out.
//!
//! The same value serves the shipped program (stdin and stdout) and a match inside one process (memory).

use std::io::{self, BufRead, Write};

/// Plays one seat of one game through the contest's own protocol.
pub trait Agent {
    /// Reads one request (a turn's block, or one line of a chatty protocol), writes the answer if the
    /// request wants one. `Ok(false)` when the input has ended or the game is over.
    ///
    /// Never panics; on input it does not understand it still writes something legal and says what it met
    /// (see `said`). An input that ends inside a request may go unanswered, but not unsaid. Errors are those of
    /// the streams.
    fn turn(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool>;

    /// Takes what there is to say to people since the last call: lines for stderr.
    fn said(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

/// Plays over stdin and stdout until the input ends. What it says goes to stderr just before the answer it
/// belongs to: judges show it with the turn in which it comes.
pub fn serve(agent: &mut dyn Agent) {
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    let mut answer = Vec::new();
    loop {
        answer.clear();
        let done = agent.turn(&mut input, &mut answer);
        // Nobody may be listening there, and that is no trouble.
        let _ = io::stderr().write_all(&agent.said());
        match out.write_all(&answer).and_then(|()| out.flush()).and(done) {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => eprintln!("the judge's pipe broke: {error}"),
        }
        return;
    }
}

/// Bytes of a line that are kept. No contest writes a tenth of it.
const LONGEST: usize = 1 << 16;

/// Reads one line without its line end (LF or CRLF) into `line`; `false` at the end of the input.
/// Bytes that are not UTF-8 become U+FFFD. What a line has beyond `LONGEST` bytes is read and forgotten.
pub fn read_line(input: &mut dyn BufRead, line: &mut String) -> io::Result<bool> {
    line.clear();
    let mut bytes = Vec::with_capacity(64);
    let mut more = false;
    loop {
        let part = match input.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if part.is_empty() {
            break;
        }
        more = true;
        let end = part.iter().position(|&byte| byte == b'\n');
        let read = end.map_or(part.len(), |at| at + 1);
        bytes.extend_from_slice(&part[..read.min(LONGEST - bytes.len())]);
        input.consume(read);
        if end.is_some() {
            break;
        }
    }
    if !more {
        return Ok(false);
    }
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    line.push_str(&String::from_utf8_lossy(&bytes));
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::{read_line, LONGEST};

    #[test]
    fn lines_lose_their_ends_only() {
        let mut input: &[u8] = b"a b\r\n\n x \xff\nlast";
        let mut line = String::new();
        let mut got = Vec::new();
        while read_line(&mut input, &mut line).unwrap() {
            got.push(line.clone());
        }
        assert_eq!(got, ["a b", "", " x \u{fffd}", "last"]);
    }

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        let long = "x".repeat(5 * LONGEST);
        let text = format!("{long}\nnext\n{long}");
        let mut input = std::io::BufReader::new(text.as_bytes());
        let mut line = String::new();
        for length in [LONGEST, 4, LONGEST] {
            assert!(read_line(&mut input, &mut line).unwrap());
            assert_eq!(line.len(), length);
        }
        assert!(!read_line(&mut input, &mut line).unwrap() && line.is_empty());
    }
}
