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
    /// (see `said`). Errors are those of the streams.
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
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                eprintln!("the judge's pipe broke: {error}");
                return;
            }
        }
    }
}

/// Reads one line without its line end (LF or CRLF) into `line`; `false` at the end of the input.
/// Bytes that are not UTF-8 become U+FFFD.
pub fn read_line(input: &mut dyn BufRead, line: &mut String) -> io::Result<bool> {
    let mut bytes = Vec::with_capacity(64);
    if input.read_until(b'\n', &mut bytes)? == 0 {
        line.clear();
        return Ok(false);
    }
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    line.clear();
    line.push_str(&String::from_utf8_lossy(&bytes));
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::read_line;

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
}
