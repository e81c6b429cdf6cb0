//! A bot as its judge sees it: lines in, lines out.
//!
//! The same value serves the shipped program (stdin and stdout) and a match inside one process (memory).

use std::io::{self, BufRead, Write};

/// Plays one seat of one game through the contest's own protocol.
pub trait Agent {
    /// Reads one request (a turn's block, or one line of a chatty protocol), writes the answer if the
    /// request wants one. `Ok(false)` when the input has ended or the game is over.
    ///
    /// Never panics; on input it does not understand it still writes something legal and says on stderr
    /// what it met. Errors are those of the streams.
    fn turn(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool>;
}

/// Plays over stdin and stdout until the input ends.
pub fn serve(agent: &mut dyn Agent) {
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    loop {
        match agent
            .turn(&mut input, &mut out)
            .and_then(|more| out.flush().map(|()| more))
        {
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
